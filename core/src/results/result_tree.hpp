// Results on their way out: a batch becomes the nested tuple of numpy arrays that a view wants,
// without a copy. The arrays share one capsule; when the last of them dies the batch goes back to
// its store.
//
// Builds results from trees of the nodes of schema/result_tree.py, which are compiled once. Here
// are the nodes that have others in them; results/result_leaves.cpp has those that look into the
// batch.
#pragma once

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
  uint64_t number = 0;  // the number among all that the pool has handed out
  py::object owner;     // the owner of the batch; null: there is none
  std::unique_ptr<FetchedInfos> infos;
  uint32_t failed = 0;  // the times that it could not be built
};

class ResultTree {
 public:
  ResultTree(NodeCompiler& compiler, const py::handle& tree);

  // Containers are new ones: callers may change them. The same batch may be built again.
  py::object build(const OwnedBatch& batch) const;
  // Returns true if infos of Python environments are in it.
  bool infos() const { return infos_; }

 private:
  std::shared_ptr<ResultNode> root_;
  size_t once_;
  bool infos_;
};

}  // namespace pp::python
