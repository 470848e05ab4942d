// The values of actions: each is checked against its field and the policy, and put into its row,
// converted. Runs no Python code and needs no lock of Python's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "actions/action_policy.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

// The numbers of an array of any library.
struct RawArray {
  uint32_t dtype;  // PP_BOOL and so on
  const void* data;
};

// An action that is not to be carried out, and why.
struct Unfit {
  uint32_t env;
  uint32_t action;  // its number in a chunk
  std::string why;
};

// Says where `n` rows of an array go, and what its errors name. With chunks of actions a row of the
// array is as many rows of the field.
struct ActionJob {
  const host::FieldSpec& field;
  const std::string& label;
  const uint32_t* places;  // the place of each row among `rows`; NULL: in order
  uint32_t n;
  char* rows;  // place 0
  ActionPolicy policy;
  std::vector<Unfit>& unfit;
  uint32_t capacity = 0;           // not 0: places are environment * capacity + player
  const uint32_t* envs = nullptr;  // the environment of each row, where its place does not say it
  uint32_t horizon = 0;  // steps of each sequence, where the rows are steps; 0: they are not
  uint32_t chunk = 0;    // actions of a row; 0: one, of which errors say no number
  size_t apart = 0;      // places between those; 0: they follow each other, and so do rows
};

// Throws host::Error, which names environment and value, before any row is written. The array's
// size and kind of dtype have been checked.
void put_actions(const ActionJob& job, const RawArray& array);

// Returns true if an integer of one type lies in [low, high] of another, without any wrap-around.
template <class Source, class Target>
bool fits(Source value, Target low, Target high) {
  if constexpr (std::is_unsigned_v<Source> && std::is_signed_v<Target>) {
    return high >= 0 && value <= static_cast<std::make_unsigned_t<Target>>(high) &&
           (low <= 0 || value >= static_cast<std::make_unsigned_t<Target>>(low));
  } else if constexpr (std::is_signed_v<Source> && std::is_unsigned_v<Target>) {
    return value >= 0 && static_cast<std::make_unsigned_t<Source>>(value) >= low &&
           static_cast<std::make_unsigned_t<Source>>(value) <= high;
  } else {
    return value >= low && value <= high;
  }
}

// Zeros and ones, even where the environment declares no bounds.
bool is_binary(const host::FieldSpec& field);

}  // namespace pp::python
