// The Python module parallel_pool._core: plugins, pools, and the translation of errors.
#include <pybind11/pybind11.h>

#include <new>

#include "base/python_lock.hpp"
#include "conformance/shard_checker.hpp"
#include "conformance/shard_player.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "plugin/plugin_object.hpp"
#include "pool/action_checker_object.hpp"
#include "pool/pool_config_object.hpp"
#include "pool/pool_object.hpp"
#include "pool/thread_pool_object.hpp"
#include "results/result_handle.hpp"
#include "results/result_tree.hpp"
#include "workers/isolation.hpp"
#include "workers/worker_config_object.hpp"
#include "xla/calls.hpp"

namespace py = pybind11;

namespace {

// Raises the Python exception of a kind. The classes are Python's own, so that they can inherit
// from Gymnasium's; they are looked up when they are needed.
void raise(const pp::host::Error& error) {
  using pp::host::ErrorKind;
  const auto raise_as = [&error](const char* module, const char* name) {
    const py::object type = py::module_::import(module).attr(name);
    PyErr_SetObject(type.ptr(), py::str(error.what()).ptr());
  };
  switch (error.kind()) {
    case ErrorKind::plugin:
      return raise_as("parallel_pool.errors", "PluginError");
    case ErrorKind::value:
      return raise_as("builtins", "ValueError");
    case ErrorKind::index:
      return raise_as("builtins", "IndexError");
    case ErrorKind::type:
      return raise_as("builtins", "TypeError");
    case ErrorKind::busy:
      return raise_as("parallel_pool.pool_errors", "AlreadyPendingError");
    case ErrorKind::nothing_pending:
      return raise_as("parallel_pool.pool_errors", "NothingPendingError");
    case ErrorKind::reset_needed:
      return raise_as("parallel_pool.pool_errors", "ResetNeededError");
    case ErrorKind::closed:
      return raise_as("parallel_pool.pool_errors", "ClosedPoolError");
    case ErrorKind::forked:
      return raise_as("parallel_pool.pool_errors", "ForkedPoolError");
    case ErrorKind::environment:
      return raise_as("parallel_pool.pool_errors", "EnvBuildError");
    case ErrorKind::access:
      return raise_as("parallel_pool.pool_errors", "EnvAccessError");
    case ErrorKind::not_offered:
      return raise_as("parallel_pool.pool_errors", "NotOfferedError");
    case ErrorKind::stuck:
      return raise_as("parallel_pool.pool_errors", "StuckEnvError");
    case ErrorKind::interrupted:
      return raise_as("builtins", "KeyboardInterrupt");
    case ErrorKind::state:
      return raise_as("parallel_pool.pool_errors", "StateError");
  }
}

}  // namespace

// What is shared between threads has locks of its own, or is a pool (see pool/py_pool.hpp).
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
        pp::python::shut_python(workers ? pp::python::Door::all : pp::python::Door::callers);
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
