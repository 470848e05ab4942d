// parallel_pool._core.ThreadPool: threads that several pools share, which own them together with
// the Python object: they end with the last of those, or by close(). And what Python asks about
// CPUs.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/python_lock.hpp"
#include "parallel_pool/host/threads/cpus.hpp"
#include "parallel_pool/host/threads/placement.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::python {

namespace py = pybind11;

void bind_thread_pool(py::module_& module) {
  using host::ThreadPool;
  py::class_<ThreadPool, std::shared_ptr<ThreadPool>>(module, "ThreadPool",
                                                      "Threads that several pools share.")
      .def(py::init([](uint32_t num_threads, std::vector<std::vector<int>> cpus) {
             if (num_threads == 0) throw py::value_error("a thread pool has at least one thread");
             return ThreadPool::make(num_threads, host::Placement{std::move(cpus)});
           }),
           py::arg("num_threads"), py::arg("cpus") = std::vector<std::vector<int>>())
      // Returns how many pools are still open, and then goes on; 0: the threads have ended.
      .def("close", &ThreadPool::close, py::call_guard<Unlocked>())
      .def_property_readonly("num_threads", &ThreadPool::size)
      .def_property_readonly("num_pools", &ThreadPool::attached)
      .def_property_readonly("closed", &ThreadPool::stopped);
  module.def("usable_cpus", &host::usable_cpus,
             "How many threads can run at once: affinity mask and cgroup quota, at least 1.");
  module.def("affinity_cpus", &host::affinity_cpus,
             "The CPUs this process may use, ascending; empty where the system has no such mask.");
}

}  // namespace pp::python
