// Results on their way out: a batch becomes the nested tuple of numpy arrays that a view wants,
// without a copy. The arrays share one capsule; when the last of them dies the batch goes back to
// its store.
//
// What is wanted is a tree of the nodes of schema/result_tree.py, compiled once. Here are the nodes
// that have others in them; result_leaves.cpp has those that look into the batch.
#ifndef PARALLEL_POOL_SRC_RESULT_TREE_HPP_
#define PARALLEL_POOL_SRC_RESULT_TREE_HPP_

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>

#include "parallel_pool/host/pool.hpp"
#include "result_node.hpp"

namespace pp::python {

class ResultTree {
 public:
  ResultTree(NodeCompiler& compiler, const py::handle& tree);

  // Takes over the batch, whatever happens. Containers are new ones: callers may change them.
  py::object build(host::Batch* batch) const;

 private:
  std::shared_ptr<ResultNode> root_;
  size_t once_;
};

// `_core.register_node`, with the kinds of schema/result_tree.py.
void bind_results(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULT_TREE_HPP_
