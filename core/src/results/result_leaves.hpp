// The nodes of result trees that have no others in them, or make something of what others built.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <vector>

#include "results/result_node.hpp"

namespace pp::python {

namespace py = pybind11;

// Tells _core of a kind: the name of its dataclass in schema/result_tree.py, and the kind.
using RegisterKind = std::function<void(const char* name, const py::capsule& kind)>;
void register_leaves(const RegisterKind& add);
void register_learning_leaves(const RegisterKind& add);
void register_shape_leaves(const RegisterKind& add);
void register_text_leaves(const RegisterKind& add);

// A function of Python and what it is called with.
class Call {
 public:
  // `node` has the members `function` and `inputs`.
  Call(const py::handle& node, NodeCompiler& compiler);
  py::object operator()(const Building& building) const;
  // With `into` before the inputs, and not at all where the first of them is None.
  void add_to(const py::dict& into, const Building& building) const;

 private:
  py::object function_;
  std::vector<std::shared_ptr<ResultNode>> inputs_;
};

}  // namespace pp::python
