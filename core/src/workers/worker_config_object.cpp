#include "workers/worker_config_object.hpp"

#include <pybind11/stl.h>

#include <utility>

namespace pp::python {

void bind_worker_config(py::module_& module) {
  py::class_<PyWorkerConfig>(module, "WorkerConfig",
                             "How the workers of a pool are started. Checked in Python.")
      .def(py::init([](uint32_t workers, double step_timeout, uint32_t seed_bits, int handle_field,
                       std::vector<std::string> command, int payload, py::object start_thread) {
             PyWorkerConfig made{{}, std::move(start_thread)};
             made.config.workers = workers;
             made.config.step_timeout = step_timeout;
             made.config.seed_bits = seed_bits;
             made.config.handle_field = handle_field;
             made.config.command = std::move(command);
             made.config.payload = payload;
             return made;
           }),
           py::kw_only(), py::arg("workers"), py::arg("step_timeout") = 0.0, py::arg("seed_bits"),
           py::arg("handle_field") = -1, py::arg("command") = std::vector<std::string>{},
           py::arg("payload") = -1, py::arg("start_thread") = py::none());
}

}  // namespace pp::python
