// Checks actions and ids that users give, in one place and one set of words: for pools, for JAX
// programs while they are traced and when they run, and for Ray's pools before an actor is called.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "actions/action_policy.hpp"
#include "actions/action_values.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

namespace py = pybind11;

// Knows the action fields of a pool, and needs no pool. Copies share nothing; made, copied and
// destroyed with Python's lock.
class ActionChecker {
 public:
  struct Leaf {
    size_t field;  // its number
    host::FieldSpec spec;
    std::vector<py::object> path;  // keys and indexes from the outermost container inwards
    std::string label;             // for messages: action, action['arm']
    std::vector<int64_t> shape;    // one row's, with the axis of a chunk
  };

  // `tree` says where each action field is found: an int (the field's number), or a dict or a tuple
  // of trees, as the action space is nested.
  // `chunk`: as PoolConfig::action_chunk.
  ActionChecker(const host::EnvSpec& spec, const py::object& tree, ActionPolicy policy,
                uint32_t num_envs, uint32_t chunk);

  // Everything that may run Python code, which may use this pool or let another thread use it: one
  // array of the right shape and kind of dtype per action field, for n environments. Throws
  // value_error or type_error.
  void convert(py::handle action, uint32_t n, std::vector<py::array>& arrays) const;

  // The action's arrays, in the order in which they come.
  const std::vector<Leaf>& leaves() const { return leaves_; }
  ActionPolicy policy() const { return policy_; }
  uint32_t num_envs() const { return num_envs_; }
  uint32_t chunk() const { return chunk_; }

  // The methods of Python; see _core.pyi.
  using Ids = py::array_t<uint32_t, py::array::c_style | py::array::forcecast>;
  py::array ids(py::handle env_id) const;
  std::vector<py::array> check(py::handle action, const Ids& ids) const;
  py::list members(py::handle action) const;
  py::array array(size_t leaf, py::handle value, uint32_t n) const;
  void expect(size_t leaf, const std::vector<py::ssize_t>& shape, const py::dtype& dtype,
              uint32_t n) const;

 private:
  void collect(const host::EnvSpec& spec, const py::handle& tree, std::vector<py::object> path,
               const std::string& label);
  template <class Take>
  void each_member(py::handle action, Take&& take) const;
  void expect_shape(const Leaf& leaf, const py::ssize_t* shape, size_t ndim, uint32_t n) const;
  [[noreturn]] void refuse_shape(const Leaf& leaf, const py::ssize_t* shape, size_t ndim,
                                 uint32_t n) const;
  static void expect_dtype(const Leaf& leaf, const py::dtype& dtype);
  py::array convert_field(const Leaf& leaf, py::handle value, uint32_t n) const;

  std::vector<Leaf> leaves_;
  ActionPolicy policy_;
  uint32_t num_envs_;
  uint32_t chunk_;
  uint32_t max_players_;
};

}  // namespace pp::python
