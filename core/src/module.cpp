// The Python module parallel_pool._core: plugins, pools, and the translation of errors.
#include <pybind11/pybind11.h>

#include <exception>
#include <iterator>
#include <new>

#include "base/python_lock.hpp"
#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"

namespace py = pybind11;

// Each adds a class or a few functions, beside which it is defined.
namespace pp::python {
void bind_thread_pool(py::module_& module);
void bind_plugin(py::module_& module);
void bind_pool_config(py::module_& module);
void bind_worker_config(py::module_& module);
void bind_action_checker(py::module_& module);
void bind_results(py::module_& module);
void bind_result_handle(py::module_& module);
void bind_pool(py::module_& module);
void bind_shard_checker(py::module_& module);
void bind_play(py::module_& module);
void bind_isolation(py::module_& module);
}  // namespace pp::python

namespace pp::xla {
void bind_xla(py::module_& module);
}  // namespace pp::xla

namespace {

// Raises the Python exception of a kind. The classes are Python's own, so that they can inherit
// from Gymnasium's; they are looked up when they are needed.
void raise(const pp::host::Error& error) {
  using pp::host::ErrorKind;
  // They are in the order of ErrorKind.
  static constexpr struct {
    const char* module;
    const char* name;
  } classes[] = {{"parallel_pool.errors", "PluginError"},
                 {"builtins", "ValueError"},
                 {"builtins", "IndexError"},
                 {"builtins", "TypeError"},
                 {"parallel_pool.pool_errors", "AlreadyPendingError"},
                 {"parallel_pool.pool_errors", "NothingPendingError"},
                 {"parallel_pool.pool_errors", "ResetNeededError"},
                 {"parallel_pool.pool_errors", "ClosedPoolError"},
                 {"parallel_pool.pool_errors", "ForkedPoolError"},
                 {"parallel_pool.pool_errors", "EnvBuildError"},
                 {"parallel_pool.pool_errors", "EnvAccessError"},
                 {"parallel_pool.pool_errors", "NotOfferedError"},
                 {"builtins", "KeyboardInterrupt"},
                 {"parallel_pool.pool_errors", "StuckEnvError"},
                 {"parallel_pool.pool_errors", "StateError"}};
  static_assert(std::size(classes) == static_cast<size_t>(ErrorKind::state) + 1);
  const auto& found = classes[static_cast<size_t>(error.kind())];
  const py::object type = py::module_::import(found.module).attr(found.name);
  PyErr_SetObject(type.ptr(), py::str(error.what()).ptr());
}

}  // namespace

// Objects that threads share have locks of their own, or are pools (see pool/py_pool.hpp).
PYBIND11_MODULE(_core_of_main, module, py::mod_gil_not_used()) {
  pp::python::find_main_thread();
  module.doc() = "The native core of ParallelPool.";
  module.attr("__version__") = PP_VERSION;
  module.attr("ABI_VERSION") = py::make_tuple(PP_ABI_MAJOR, PP_ABI_MINOR);
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const pp::host::Error& error) {
      raise(error);
    } catch (const std::bad_alloc&) {
      PyErr_SetString(
          PyExc_MemoryError,
          "out of memory: a pool with fewer environments (num_envs) needs less; or allow "
          "this process more (`ulimit -v`, the limit of its container)");
    }
  });
  pp::python::bind_thread_pool(module);
  pp::python::bind_plugin(module);
  pp::python::bind_pool_config(module);
  pp::python::bind_worker_config(module);
  pp::python::bind_action_checker(module);
  pp::python::bind_results(module);
  pp::python::bind_result_handle(module);
  pp::python::bind_pool(module);
  pp::python::bind_shard_checker(module);
  pp::python::bind_play(module);
  pp::python::bind_isolation(module);
  pp::xla::bind_xla(module);
  module.def(
      "shut",
      [](bool workers) {
        pp::python::shut_python(workers ? pp::python::CallGate::all
                                        : pp::python::CallGate::callers);
      },
      py::arg("workers"),
      "Before the interpreter ends: no other thread comes back to Python from here.");
}

// Before anything of pybind11's, which would wait for ever in a sub-interpreter of Python 3.11.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {  // NOLINT(readability-identifier-naming)
  static bool here = false;  // with Python's lock on imports of this module
  if (here) {
    PyErr_SetString(
        PyExc_ImportError,
        "parallel_pool was removed from sys.modules and imported again, and its compiled "
        "part is imported once in a process. Leave its modules in sys.modules, or begin "
        "a new process");
    return nullptr;
  }
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) {
    here = true;
    return PyInit__core_of_main();
  }
  PyErr_SetString(PyExc_ImportError,
                  "parallel_pool cannot be used in a sub-interpreter: its pools are stepped by "
                  "threads that belong to no interpreter. Use it in the main one, or in another "
                  "process");
  return nullptr;
}
