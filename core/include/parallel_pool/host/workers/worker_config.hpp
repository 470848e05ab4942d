// parallel_pool/host/workers/worker_config.hpp: how the workers of a pool are started and used.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parallel_pool/host/workers/worker_host.hpp"

namespace pp::host::workers {

// Data that all workers of one pool have in common.
struct WorkerConfig {
  uint32_t workers = 1;
  // Makes what one worker runs in; empty: a process.
  std::function<std::unique_ptr<WorkerHost>()> host;
  // The command of a process, which serves the mailbox at descriptor 3; descriptor 4 is `payload`.
  std::vector<std::string> command;
  int payload = -1;   // owned by the caller, open as long as the workers live
  std::string label;  // names the environment in messages: "lander/Lander-v0 (plugin lander 0.1)"
  double step_timeout = 0;  // seconds after which a step or reset is killed; 0: never
  uint32_t seed_bits = 64;  // the size of a seed that is derived after a crash
  int handle_field = -1;    // the field with the handle of a row's pickled info; -1: no such infos
  uint32_t host_spins = 0;  // looks at the answer before the thread sleeps
  uint32_t worker_spins = 0;
};

}  // namespace pp::host::workers
