// What Python decides about the workers of a pool, as one struct: parallel_pool._core.WorkerConfig.
//
// parallel_pool/workers/launch.py makes it; without one, the threads of the pool step its
// environments.
#ifndef PARALLEL_POOL_SRC_WORKERS_WORKER_CONFIG_OBJECT_HPP_
#define PARALLEL_POOL_SRC_WORKERS_WORKER_CONFIG_OBJECT_HPP_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pp::python {

namespace py = pybind11;

struct PyWorkerConfig {
  uint32_t workers = 1;
  double step_timeout = 0;  // seconds after which a step or reset is killed; 0: never
  uint32_t seed_bits = 64;  // of a seed that is derived after a crash
  int handle_field = -1;    // of environments written in Python: the field of INFO_HANDLE; or -1
  // Processes: what they run, and the open descriptor that they read. The pool copies it.
  std::vector<std::string> command;
  int payload = -1;
  // Threads, see workers/python_thread.hpp; None: processes.
  py::object start_thread = py::none();
};

void bind_worker_config(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_WORKERS_WORKER_CONFIG_OBJECT_HPP_
