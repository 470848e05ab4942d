// Threads that several pools share, as a Python object; and what Python asks about CPUs.
#ifndef PARALLEL_POOL_SRC_POOL_THREAD_POOL_OBJECT_HPP_
#define PARALLEL_POOL_SRC_POOL_THREAD_POOL_OBJECT_HPP_

#include <pybind11/pybind11.h>

#include <memory>

#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::python {

// Pools and this object own the threads together: they end with the last of them, or by close().
class PyThreadPool {
 public:
  PyThreadPool(uint32_t num_threads, const host::Placement& placement);
  const std::shared_ptr<host::ThreadPool>& threads() const { return threads_; }

 private:
  std::shared_ptr<host::ThreadPool> threads_;
};

void bind_thread_pool(pybind11::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_POOL_THREAD_POOL_OBJECT_HPP_
