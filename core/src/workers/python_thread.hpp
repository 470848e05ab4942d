// Workers that are threads of this process, for environments written in Python.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>

#include "parallel_pool/host/workers/worker_host.hpp"

namespace pp::python {

// Makes workers by calling start(mailbox, done) in Python, with the SharedMemory of a mailbox: it
// begins a thread that serves that, and that calls done(exit_reason), a text, when it ends.
std::function<std::unique_ptr<host::workers::WorkerHost>()> python_threads(
    const pybind11::object& start);

}  // namespace pp::python
