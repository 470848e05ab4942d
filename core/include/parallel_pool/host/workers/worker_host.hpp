// parallel_pool/host/workers/worker_host.hpp: what a worker runs in: a process of its own, or a
// thread of this one.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "parallel_pool/host/workers/shared_memory.hpp"

namespace pp::host::workers {

class WorkerHost {
 public:
  WorkerHost() = default;
  virtual ~WorkerHost() = default;
  WorkerHost(const WorkerHost&) = delete;
  WorkerHost& operator=(const WorkerHost&) = delete;

  // Begins to serve this mailbox. Throws Error if that cannot be.
  virtual void start(const std::shared_ptr<SharedMemory>& mailbox) = 0;
  // Returns true while it serves.
  virtual bool running() = 0;
  // Ends it; what cannot be ended is given up, and leaves by itself when it next looks for a call.
  virtual void end() = 0;

  // For messages: "worker process", and which: "worker process 4711".
  virtual const char* kind() const = 0;
  virtual std::string name() const = 0;
  // Tells how it ended: "was killed by SIGSEGV (Segmentation fault)".
  virtual std::string exit_reason() const = 0;
  // Tells what end() did to it: "was killed".
  virtual const char* ended() const = 0;
  // Tells where its core dump is, or why there is none; empty if it did not end so.
  virtual std::string core() const { return ""; }
  // -1: it is no process.
  virtual int pid() const { return -1; }

  // Waits for its end, at most so long.
  bool gone_within(std::chrono::milliseconds most) {
    const auto deadline = std::chrono::steady_clock::now() + most;
    while (running()) {
      if (std::chrono::steady_clock::now() >= deadline) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return true;
  }
};

}  // namespace pp::host::workers
