// A type of its own, not one of pybind11's: making one of those takes longer than the rest of a
// step of CartPole.
#include "results/result_handle.hpp"

#include <new>
#include <utility>

#include "base/python_calls.hpp"

namespace pp::python {
namespace {

struct Handle {
  PyObject_HEAD PyObject* pool;
  ResultSource* source;
  PyObject* maps;  // a tuple of functions; NULL: none
  HandedOut handed_out;
};

Handle& of(PyObject* self) {
  return *reinterpret_cast<Handle*>(self);
}

void destroy(PyObject* self) {
  Handle& handle = of(self);
  PyTypeObject* type = Py_TYPE(self);
  handle.handed_out.~HandedOut();
  Py_XDECREF(handle.maps);
  Py_DECREF(handle.pool);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* result(PyObject* self, void*) {
  return called_from_python(
      [&handle = of(self)] { return handle.source->arrive(handle.handed_out, handle.maps); });
}

PyObject* map(PyObject* self, PyObject* function) {
  PyObject*& maps = of(self).maps;
  PyObject* more = PyTuple_Pack(1, function);
  if (more != nullptr && maps != nullptr) Py_SETREF(more, PySequence_Concat(maps, more));
  if (more == nullptr) return nullptr;
  Py_XSETREF(maps, more);
  return Py_NewRef(self);
}

PyTypeObject* type = nullptr;  // one for the process, since the module is imported once

}  // namespace

py::object make_result_handle(PyObject* pool, ResultSource& source, HandedOut handed_out) {
  auto* handle = PyObject_New(Handle, type);
  if (handle == nullptr) throw py::error_already_set();
  handle->pool = Py_NewRef(pool);
  handle->source = &source;
  handle->maps = nullptr;
  new (&handle->handed_out) HandedOut(std::move(handed_out));
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(handle));
}

void bind_result_handle(py::module_& module) {
  static PyGetSetDef properties[] = {
      {"result", result, nullptr, "The result, which has arrived when this is read.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyMethodDef methods[] = {
      {"map", map, METH_O,
       "This handle; its result becomes function(result), after earlier functions."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_getset, properties},
                                {Py_tp_methods, methods},
                                {0, nullptr}};
  static PyType_Spec spec = {"parallel_pool._core.ResultHandle", sizeof(Handle), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (type == nullptr) throw py::error_already_set();
  module.attr("ResultHandle") = py::handle(reinterpret_cast<PyObject*>(type));
}

}  // namespace pp::python
