// Actions on their way in: any numpy array (or nested list, dict or tuple of them) is checked against
// the action fields and copied, converted, into the pool's rows by environment.
#ifndef PARALLEL_POOL_SRC_ACTIONS_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_HPP_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/host/pool.hpp"

namespace pp::python {

namespace py = pybind11;

class Actions {
 public:
  // `tree` says where each action field is found: an int (the field's number), or a dict or a tuple of
  // trees, as the action space is nested.
  Actions(host::Pool& pool, const py::object& tree);

  // Checks everything, then copies. `ids` NULL: all environments in order. Throws value_error, type_error
  // or key_error that name environment and value; nothing that matters has changed then.
  void stage(py::handle action, const uint32_t* ids, uint32_t n);

 private:
  struct Leaf {
    size_t field;
    std::vector<py::object> path;  // keys and indexes from the outermost container inwards
    std::string label;             // for messages: action, action['arm']
  };
  void collect(const py::handle& tree, std::vector<py::object> path, const std::string& label);
  void stage_field(const Leaf& leaf, py::handle value, const uint32_t* ids, uint32_t n);

  host::Pool& pool_;
  std::vector<Leaf> leaves_;
};

// Environment ids: None, an integer or a one-dimensional integer array-like. NULL for all in order;
// otherwise they are put into `storage`.
const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_HPP_
