// The settings of workers that Python decides, as one struct: parallel_pool._core.WorkerConfig.
//
// parallel_pool/workers/launch.py makes it; without one, the threads of the pool step its
// environments.
#pragma once

#include <pybind11/pybind11.h>

#include "parallel_pool/host/workers/worker_config.hpp"

namespace pp::python {

namespace py = pybind11;

struct PyWorkerConfig {
  host::workers::WorkerConfig config;  // the pool copies the descriptor of its payload
  // Threads, see workers/python_thread.hpp; None: processes.
  py::object start_thread = py::none();
};

}  // namespace pp::python
