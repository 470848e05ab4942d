// Results on their way out: a batch becomes the nested tuple of numpy arrays that a view wants, without
// a copy. The arrays share one capsule; when the last of them dies the batch goes back to its store.
#ifndef PARALLEL_POOL_SRC_RESULTS_HPP_
#define PARALLEL_POOL_SRC_RESULTS_HPP_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/host/pool.hpp"

namespace pp::python {

namespace py = pybind11;

// A compiled plan. Leaves of the Python tree are texts: "field:3" (a field of the spec), the name of a
// host column ("env_id", "elapsed_step", "terminated", "truncated", "reward32", "discount", "step_type")
// or "ones" (one True per row, shared and read-only); tuples and dicts nest. Dicts are new ones at each
// build: callers may change them.
class Plan {
 public:
  Plan(const host::Pool& pool, const py::handle& tree);

  // Takes over the batch, whatever happens.
  py::object build(host::Batch* batch) const;

 private:
  struct Node {
    enum Kind { column, ones, tuple, dict } kind = column;
    size_t column_index = 0;
    std::vector<std::pair<py::object, Node>> members;  // keys are interned; None in tuples
  };
  Node compile(const py::handle& tree) const;
  py::object build(const Node& node, const host::Batch& batch, const py::object& owner) const;
  py::object array(size_t column, const host::Batch& batch, const py::object& owner) const;

  const host::Pool& pool_;
  std::vector<py::dtype> dtypes_;  // by column
  Node root_;
  py::object ones_;  // for a full batch
};

py::dtype numpy_dtype(uint32_t dtype);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_HPP_
