// Workers that are threads of this process, for environments written in Python.
#ifndef PARALLEL_POOL_SRC_WORKERS_PYTHON_THREAD_HPP_
#define PARALLEL_POOL_SRC_WORKERS_PYTHON_THREAD_HPP_

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>

#include "parallel_pool/host/workers/worker_host.hpp"

namespace pp::python {

// Makes workers by calling start(fd, done) in Python: it begins a thread that serves the mailbox at
// `fd`, which is the thread's to close, and that calls done(exit_reason), a text, when it ends.
std::function<std::unique_ptr<host::workers::WorkerHost>()> python_threads(
    const pybind11::object& start);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_WORKERS_PYTHON_THREAD_HPP_
