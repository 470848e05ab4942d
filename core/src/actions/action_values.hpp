// The values of actions: each is checked against its field and the policy, and put into its row,
// converted. Runs no Python code and needs no lock of Python's.
#ifndef PARALLEL_POOL_SRC_ACTIONS_ACTION_VALUES_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_ACTION_VALUES_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "actions/action_policy.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

// The numbers of an array of any library: numpy's letter for their kind, and the bytes of each.
struct RawArray {
  char kind;  // i, u, b or f
  size_t item;
  const void* data;
};

// Where `n` rows of an array go, and what its errors name.
struct ActionJob {
  const host::FieldSpec& field;
  const std::string& label;
  const uint32_t* places;  // of each row, among `rows`; NULL: in order
  uint32_t n;
  char* rows;  // of place 0
  ActionPolicy policy;
  std::vector<host::EnvFailure>& unfit;  // gets environments that are not to be stepped, and why
  uint32_t capacity = 0;                 // not 0: places are environment * capacity + player
  const uint32_t* envs = nullptr;        // of each row, where its place does not say it
};

// Throws host::Error, which names environment and value, before any row is written. The array's
// size and kind of dtype have been checked.
void put_actions(const ActionJob& job, const RawArray& array);

// Zeros and ones, even where the environment declares no bounds.
bool is_binary(const host::FieldSpec& field);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_ACTION_VALUES_HPP_
