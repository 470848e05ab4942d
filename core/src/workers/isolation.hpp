// Workers as Python sees them: the group of one pool, and what a worker runs.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/worker_group.hpp"
#include "workers/worker_config_object.hpp"

namespace pp::python {

namespace py = pybind11;

// The workers of a pool, processes or threads. Where there can be no processes (PP_PROCESSES is 0:
// systems other than Linux) making one of those raises.
class Isolation {
 public:
  Isolation(const PyWorkerConfig& config, const host::Library& library, const pp_env& env,
            const host::EnvSpec& spec, const host::PoolConfig& pool);
  ~Isolation();
  Isolation(const Isolation&) = delete;
  Isolation& operator=(const Isolation&) = delete;

  // Outlives the pool, which has its table and its spec in place of the plugin's.
  host::workers::WorkerGroup& group() const { return *group_; }
  // Returns true if the environments are written in Python.
  bool python() const { return python_; }

  // Warns of workers that died since the last time. Raises if a filter says so.
  void warn() const;
  // Called after the pool was closed, without the GIL.
  void close();

 private:
  // A copy of the payload's descriptor, for workers that are started later.
  struct Descriptor {
    explicit Descriptor(int other);
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void close();
    int number = -1;
  };

  const bool python_;
  Descriptor payload_;
  std::unique_ptr<host::workers::WorkerGroup> group_;
};

}  // namespace pp::python
