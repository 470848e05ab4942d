// Results on their way out: a batch becomes the nested tuple of numpy arrays that a view wants,
// without a copy. The arrays share one capsule; when the last of them dies the batch goes back to
// its store.
//
// What is wanted is a tree of the nodes of schema/result_tree.py, compiled once. Here are the nodes
// that have others in them; results/result_leaves.cpp has those that look into the batch.
#ifndef PARALLEL_POOL_SRC_RESULTS_RESULT_TREE_HPP_
#define PARALLEL_POOL_SRC_RESULTS_RESULT_TREE_HPP_

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "parallel_pool/host/pool.hpp"
#include "results/result_node.hpp"

namespace pp::python {

class ResultTree;

// A batch that is handed out, and what was fetched for it.
struct OwnedBatch {
  // Takes over a batch, whatever happens.
  void open(const ResultTree& tree, host::Batch* handed_out, uint64_t its_number);
  // Lets go of it: it is gone with the last array of a result.
  void close() {
    owner = py::object();
    infos.reset();
    failed = 0;
  }

  host::Batch* batch = nullptr;
  uint64_t number = 0;  // of all that the pool has handed out
  py::object owner;     // of the batch; null: there is none
  std::unique_ptr<FetchedInfos> infos;
  uint32_t failed = 0;  // how often it could not be built
};

class ResultTree {
 public:
  ResultTree(NodeCompiler& compiler, const py::handle& tree);

  // Containers are new ones: callers may change them. The same batch may be built again.
  py::object build(const OwnedBatch& batch) const;
  // Whether infos of Python environments are in it.
  bool infos() const { return infos_; }

 private:
  std::shared_ptr<ResultNode> root_;
  size_t once_;
  bool infos_;
};

// `_core.register_node`, with the kinds of schema/result_tree.py.
void bind_results(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_RESULT_TREE_HPP_
