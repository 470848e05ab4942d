// Actions on their way in: any numpy array (or nested list, dict or tuple of them) is checked
// against the action fields and copied, converted, into the pool's rows by environment.
#ifndef PARALLEL_POOL_SRC_ACTIONS_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_HPP_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "action_policy.hpp"
#include "parallel_pool/host/pool.hpp"
#include "player_rows.hpp"

namespace pp::python {

namespace py = pybind11;

// The numbers of an array, whoever has it: numpy's letter for their kind, and the bytes of each.
struct RawArray {
  char kind;  // i, u, b or f
  size_t item;
  const void* data;
};

class Actions {
 public:
  // `tree` says where each action field is found: an int (the field's number), or a dict or a tuple
  // of trees, as the action space is nested.
  Actions(host::Pool& pool, const py::object& tree, ActionPolicy policy);

  // Everything that may run Python code, which may use this pool or let another thread use it: one
  // array of the right shape and kind of dtype per action field, for n environments. Throws
  // value_error or type_error.
  void convert(py::handle action, uint32_t n, std::vector<py::array>& arrays) const;

  // Checks every value, then copies; runs no Python code unless it throws. `ids` NULL: all
  // environments in order. `players`: of whom the rows of fields per player are; NULL where the
  // environment has none. Throws value_error that names environment and value; nothing that matters
  // has changed then. Tells the pool which environments are not to be stepped, if that is the
  // policy.
  void stage(const std::vector<py::array>& arrays, const uint32_t* ids, uint32_t n,
             PlayerRows* players);
  // The same without Python, for environments with one player: one array per leaf, whose size and
  // kind of dtype the caller has checked.
  void stage(const std::vector<RawArray>& arrays, const uint32_t* ids, uint32_t n);

  // The action's arrays, in the order in which they come.
  size_t leaves() const { return leaves_.size(); }
  const host::FieldSpec& field(size_t leaf) const {
    return pool_.spec().fields[leaves_[leaf].field];
  }

 private:
  struct Leaf {
    size_t field;
    std::vector<py::object> path;  // keys and indexes from the outermost container inwards
    std::string label;             // for messages: action, action['arm']
  };
  void collect(const py::handle& tree, std::vector<py::object> path, const std::string& label);
  void refuse_unfit();
  py::array convert_field(const Leaf& leaf, py::handle value, uint32_t n) const;
  void stage_players(const Leaf& leaf, const py::array& array, const uint32_t* ids, uint32_t n,
                     PlayerRows& players);

  host::Pool& pool_;
  std::vector<Leaf> leaves_;
  ActionPolicy policy_;
  std::vector<host::EnvFailure> unfit_;  // of the call in progress: environments, and why
};

// Environment ids: None, an integer or a one-dimensional integer array-like. NULL for all in order;
// otherwise they are put into `storage`.
const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_HPP_
