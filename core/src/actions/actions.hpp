// What users give as actions and ids, checked in one place and one set of words: by pools, by JAX
// programs while they are traced and when they run, and by Ray's pools before an actor is called.
#ifndef PARALLEL_POOL_SRC_ACTIONS_ACTIONS_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_ACTIONS_HPP_

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
  };

  // `tree` says where each action field is found: an int (the field's number), or a dict or a tuple
  // of trees, as the action space is nested.
  ActionChecker(const host::EnvSpec& spec, const py::object& tree, ActionPolicy policy,
                uint32_t num_envs);

  // Everything that may run Python code, which may use this pool or let another thread use it: one
  // array of the right shape and kind of dtype per action field, for n environments. Throws
  // value_error or type_error.
  void convert(py::handle action, uint32_t n, std::vector<py::array>& arrays) const;

  // The action's arrays, in the order in which they come.
  const std::vector<Leaf>& leaves() const { return leaves_; }
  ActionPolicy policy() const { return policy_; }
  uint32_t num_envs() const { return num_envs_; }

  // As Python has them; see _core.pyi.
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
  uint32_t max_players_;
};

inline RawArray raw_of(const py::array& array) {
  return {array.dtype().kind(), static_cast<size_t>(array.itemsize()), array.data()};
}

// Environment ids: None, an integer or a one-dimensional integer array-like. NULL for all in order;
// otherwise they are put into `storage`.
const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n);
// The same of `count` numbers of any integer type, without Python.
const uint32_t* parse_env_ids(const RawArray& array, size_t count, uint32_t num_envs,
                              std::vector<uint32_t>& storage, uint32_t* n);

// Throws unless an array of this shape and dtype can name environments.
void expect_ids(const py::ssize_t* shape, size_t ndim, const py::dtype& dtype);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_ACTIONS_HPP_
