// Results on their way out: a batch becomes the nested tuple of numpy arrays that a view wants,
// without a copy. The arrays share one capsule; when the last of them dies the batch goes back to
// its store.
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

// A compiled plan. Leaves of the Python tree are texts:
//   "field:3"      field 3 of the spec
//   "final:3"      its last row in episodes that ended (SAME_STEP pools)
//   "env_id", "elapsed_step", "terminated", "truncated", "reward32", "discount", "step_type",
//   "ended", "episode_return", "episode_length", "episode_time": the host's columns
//   "player:env_id", "player:acting", ...: the host's columns per player (pools with players)
//   "ones": one True per row, shared and read-only
//   "errors": an object array: why an environment was not stepped, None where it was
//   "error_texts": the same with empty texts
//   "error_mask": where there is such a text
// Tuples and dicts nest. The members of a dict under the key "?ended" join it only when an episode
// ends in the batch; those under "?errors" only when an environment was not stepped. {"?objects":
// tree} is an object array: each ended row's part of the tree, else None. Dicts are new ones at
// each build: callers may change them.
class Plan {
 public:
  Plan(const host::Pool& pool, const py::handle& tree);

  // Takes over the batch, whatever happens.
  py::object build(host::Batch* batch) const;

 private:
  struct Node {
    enum Kind {
      column,
      ones,
      errors,
      error_texts,
      error_mask,
      tuple,
      dict,
      if_ended,
      if_errors,
      objects
    } kind = column;
    size_t column_index = 0;
    std::vector<std::pair<py::object, Node>> members;  // keys are interned; None in tuples
  };
  Node compile(const py::handle& tree) const;
  py::object build(const Node& node, const host::Batch& batch, const py::object& owner) const;
  py::object array(size_t column, const host::Batch& batch, const py::object& owner) const;
  void fill(const Node& node, const host::Batch& batch, const py::object& owner,
            py::dict& into) const;
  py::object objects(const Node& node, const host::Batch& batch, const py::object& owner) const;
  static py::object errors(Node::Kind kind, const host::Batch& batch);
  py::object pick(const Node& node, const py::object& built, uint32_t row) const;

  const host::Pool& pool_;
  std::vector<py::dtype> dtypes_;  // by column
  Node root_;
  py::object ones_;  // for a full batch
};

py::dtype numpy_dtype(uint32_t dtype);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_HPP_
