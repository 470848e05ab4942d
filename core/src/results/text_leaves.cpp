// The nodes of result trees that show bytes as texts.

#include <pybind11/numpy.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "results/result_leaves.hpp"

namespace pp::python {
namespace {

// An object array of str.
class TextObjects final : public ResultNode {
 public:
  TextObjects(const py::handle& node, NodeCompiler& compiler)
      : source_(compiler.compile(node.attr("source"))) {}
  py::object build(const Building& building) override {
    const auto rows = source_->build(building).cast<py::array_t<uint8_t, py::array::c_style>>();
    const auto n = static_cast<size_t>(rows.shape(0)), width = static_cast<size_t>(rows.shape(1));
    py::array result(py::dtype("O"), std::vector<py::ssize_t>{rows.shape(0)});
    auto** slots = static_cast<PyObject**>(result.mutable_data());
    const uint8_t* row = rows.data();
    for (size_t i = 0; i < n; ++i, row += width) {
      const auto length = std::find(row, row + width, uint8_t{0}) - row;
      PyObject* text = PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(row), length, "replace");
      if (text == nullptr) throw py::error_already_set();
      Py_XSETREF(slots[i], text);
    }
    return result;
  }

 private:
  std::shared_ptr<ResultNode> source_;
};

}  // namespace

void register_text_leaves(const RegisterKind& add) {
  add("TextObjects", node_kind<TextObjects>());
}

}  // namespace pp::python
