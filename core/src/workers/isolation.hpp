// Workers as Python sees them: the group of one pool, and what a worker runs.
#ifndef PARALLEL_POOL_SRC_WORKERS_ISOLATION_HPP_
#define PARALLEL_POOL_SRC_WORKERS_ISOLATION_HPP_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "workers/worker_config_object.hpp"

namespace pp::python {

namespace py = pybind11;

// The workers of a pool, processes or threads. Where there can be none (PP_WORKERS is 0: systems
// other than Linux) making one raises.
class Isolation {
 public:
  Isolation(const PyWorkerConfig& config, const host::Library& library, const pp_env& env,
            const host::EnvSpec& spec, uint32_t num_envs, uint32_t batch_size);
  ~Isolation();
  Isolation(const Isolation&) = delete;
  Isolation& operator=(const Isolation&) = delete;

  // What the pool drives, in place of the plugin's table and spec.
  const pp_env& table() const;
  const host::EnvSpec& spec() const;
  host::Backend* backend() const;
  // Whether the environments are written in Python.
  bool python() const { return python_; }

  // Warns of workers that died since the last time. Raises if a filter says so.
  void warn() const;
  // The infos that these handles stand for, each once; empty where there is none (any more).
  std::vector<std::string> take_infos(const std::vector<int64_t>& handles) const;
  // Asks an environment written in Python; `shard` is its shard's plugin object. False after
  // set_error. Without the GIL.
  bool ask(void* shard, uint32_t lane, std::string_view question, std::string* answer) const;
  // Before the pool is closed, and after it. Without the GIL.
  void begin_close();
  void close();
  std::vector<int> pids() const;

 private:
  bool python_ = false;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What an environment looks like in a worker.
host::EnvSpec isolated_spec(const host::EnvSpec& spec, const std::string& env_id);

void bind_isolation(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_WORKERS_ISOLATION_HPP_
