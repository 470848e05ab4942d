#include "pool/thread_pool_object.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "base/python_lock.hpp"
#include "parallel_pool/host/threads/cpus.hpp"
#include "parallel_pool/host/threads/numa.hpp"

namespace pp::python {

namespace py = pybind11;

PyThreadPool::PyThreadPool(uint32_t num_threads, const host::Placement& placement)
    : threads_(host::ThreadPool::make(num_threads, placement)) {}

void bind_thread_pool(py::module_& module) {
  py::class_<PyThreadPool>(module, "ThreadPool", "Threads that several pools share.")
      .def(py::init([](uint32_t num_threads, std::vector<std::vector<int>> cpus) {
             if (num_threads == 0) throw py::value_error("a thread pool has at least one thread");
             return std::make_unique<PyThreadPool>(num_threads, host::Placement{std::move(cpus)});
           }),
           py::arg("num_threads"), py::arg("cpus") = std::vector<std::vector<int>>())
      // How many pools are still open, which then goes on; 0: the threads have ended.
      .def(
          "close", [](PyThreadPool& pool) { return pool.threads()->close(); },
          py::call_guard<Unlocked>())
      .def_property_readonly("num_threads",
                             [](const PyThreadPool& pool) { return pool.threads()->size(); })
      .def_property_readonly("num_pools",
                             [](const PyThreadPool& pool) { return pool.threads()->attached(); })
      .def_property_readonly("closed",
                             [](const PyThreadPool& pool) { return pool.threads()->stopped(); });

  module.def("usable_cpus", &host::usable_cpus,
             "How many threads can run at once: affinity mask and cgroup quota, at least 1.");
  module.def("affinity_cpus", &host::affinity_cpus,
             "The CPUs this process may use, ascending; empty where the system has no such mask.");
  module.def("numa_nodes", &host::numa_nodes, py::arg("root") = host::numa_root,
             "The NUMA nodes of this machine; empty where the system does not say.");
  module.def("numa_cpus", &host::numa_cpus, py::arg("node"), py::arg("root") = host::numa_root,
             "The CPUs of a NUMA node; empty if there is no such node, or if it has none.");
}

}  // namespace pp::python
