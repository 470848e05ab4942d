#include "results/block_leases.hpp"

#include <memory>

#include "base/python_lock.hpp"

namespace pp::python {

namespace py = pybind11;

py::object leased_block(const host::BatchStore& store, uintptr_t address, const py::object& lend) {
  host::Batch* batch = store.find(reinterpret_cast<const char*>(address));
  if (batch == nullptr) return py::none();
  const auto begin = reinterpret_cast<uintptr_t>(batch->data);
  if (batch->lease == nullptr) {
    py::object lease = lend(begin, store.bytes());
    batch->lease = std::shared_ptr<void>(lease.ptr(), [](void* object) {
      const Locked locked;  // or the process ends, and everything with it
      if (locked.python()) Py_DECREF(static_cast<PyObject*>(object));
    });
    lease.release();
  }
  auto* lease = static_cast<PyObject*>(batch->lease.get());
  return py::make_tuple(begin, store.bytes(), py::reinterpret_borrow<py::object>(lease));
}

}  // namespace pp::python
