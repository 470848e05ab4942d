// The nodes of result trees, and the way to add a kind of node.
//
// A kind is two things: a dataclass in Python, a Node of schema/result_tree.py, which says what is
// wanted; and a struct here, which is made of that object once, with the pool, and then builds one
// part of each result. `_core.register_node(the dataclass, node_kind<TheStruct>())` ties them
// together. Structs may be in other modules, if those are compiled with the same pybind11 as _core;
// tests/pool/running_normalisation.cpp is one.
//
// One Python object makes one struct, wherever it stands in the trees of a pool.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace pp::host {
class Pool;
struct Batch;
}  // namespace pp::host

namespace pp::python {

namespace py = pybind11;

class Isolation;

// Infos of Python environments for one batch, by handle: each can be fetched once only.
struct FetchedInfos {
  std::map<int64_t, py::bytes> texts;
  std::map<int64_t, py::object> infos;
};

// A batch that becomes a result.
struct Building {
  const host::Batch& batch;
  uint64_t number;          // the number of the batch, the same when it is built once more
  const py::object& owner;  // the base of arrays that look into the batch
  py::object* once;         // by number: what nodes of OncePerBatch have built
  FetchedInfos* infos;      // NULL: there are none
};

class ResultNode {
 public:
  virtual ~ResultNode() = default;
  // Called with the GIL. May run Python code, and so be called for another batch meanwhile.
  virtual py::object build(const Building& building) = 0;
  // Returns the number of the column that it shows; SIZE_MAX: it is no column.
  virtual size_t column() const { return SIZE_MAX; }
  // Returns true if what it builds of the standing batch is the same object each time.
  virtual bool stands() const { return false; }
};

// Makes the nodes of a pool.
class NodeCompiler {
 public:
  NodeCompiler(const host::Pool& pool, const Isolation* isolation)
      : pool(pool), isolation(isolation) {}
  NodeCompiler(const NodeCompiler&) = delete;
  NodeCompiler& operator=(const NodeCompiler&) = delete;
  virtual ~NodeCompiler() = default;

  // Compiles a Python object: a node, or a tuple or mapping of such. Throws TypeError for others,
  // and ValueError for what this pool does not have.
  virtual std::shared_ptr<ResultNode> compile(const py::handle& tree);

  const host::Pool& pool;
  const Isolation* isolation;  // NULL: the pool has no workers
  size_t once = 0;             // the numbers that are given out
  bool infos = false;          // a node wants infos of Python environments

 private:
  // By the object they were made of, which they keep alive.
  std::map<PyObject*, std::pair<py::object, std::shared_ptr<ResultNode>>> known_;
};

// Nodes that are built once, however often they stand in the tree: those that cost something, or
// that change by being built.
class OncePerBatch : public ResultNode {
 public:
  explicit OncePerBatch(NodeCompiler& compiler) : number_(compiler.once++) {}
  py::object build(const Building& building) final {
    py::object& here = building.once[number_];
    if (!here) here = make(building);
    return here;
  }

 protected:
  virtual py::object make(const Building& building) = 0;

 private:
  size_t number_;
};

// For nodes that change by being built: a batch that is built once more changes nothing.
class Counted {
 public:
  bool first_time(const Building& building) {
    if (building.number == last_) return false;
    last_ = building.number;
    return true;
  }

 private:
  uint64_t last_ = 0;
};

// The kind of node that _core is told of, in a capsule.
struct NodeKind {
  static constexpr const char* name = "parallel_pool.node_kind";
  static constexpr uint32_t current = 4;  // counts changes of this header

  uint32_t version;
  std::shared_ptr<ResultNode> (*make)(const py::handle& node, NodeCompiler& compiler);
};

// T is constructed from (const py::handle& node, NodeCompiler&).
template <class T>
py::capsule node_kind() {
  static const NodeKind kind = {
      NodeKind::current,
      [](const py::handle& node, NodeCompiler& compiler) -> std::shared_ptr<ResultNode> {
        return std::make_shared<T>(node, compiler);
      }};
  return py::capsule(&kind, NodeKind::name);
}

}  // namespace pp::python
