// The calls of compiled JAX programs: send, recv, step and reset of a pool, from XLA's buffers into
// XLA's buffers. Any thread, without Python's lock.
//
// Environments write the answer of a step or a reset where XLA wants it, if the pool can do that
// and nothing can make the call end before they are done: Ctrl-C can, in Python's main thread.
// Columns for which XLA wants another dtype, and answers of recv and of masked resets, are
// copied.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "actions/pool_actions.hpp"
#include "parallel_pool/host/pool.hpp"
#include "xla/call_tokens.hpp"
#include "xla/frame.hpp"
#include "xla/staging.hpp"

namespace pp::xla {

namespace py = pybind11;

// The calls of a pool from programs. Belongs to the pool's Python object.
class PoolCalls {
 public:
  // `step`, `reset`: the columns that these calls give, by number. Made with Python's lock.
  // `signature`: see xla/signature.hpp. `pool` and `checker` outlive it.
  PoolCalls(host::Pool& pool, const python::ActionChecker& checker, std::vector<size_t> step,
            std::vector<size_t> reset, std::string signature);
  // Destroyed with Python's lock, after end().
  ~PoolCalls();

  Handle handle() const { return registration_.handle(); }
  // From now on every call is told that the pool is closed, and none sends.
  void shut();
  // No call finds this any more. Waits for the call that runs: without Python's lock, and after the
  // pool was closed.
  void end() { registration_.end(); }
  // It is held between admission and submission of a call: one thread at a time.
  std::mutex& sending() { return sending_; }
  // The last batch that a program took and could not have: environments failed, or it asked for
  // other rows; NULL: none. The caller owns it.
  host::Batch* take_kept();

  // Serves a call on a GPU, while it has its token.
  Staging& staging() { return staging_; }

  // These carry out the calls, by their token.
  void send(const Frame& frame, CallToken& token);
  void recv(const Frame& frame, CallToken& token);
  void step(const Frame& frame, CallToken& token);
  void reset(const Frame& frame, CallToken& token);

 private:
  std::unique_lock<std::mutex> only_sender();
  // `places`: see Pool::submit.
  using Places = const std::vector<char*>*;
  Places places(const Frame& frame, const std::vector<size_t>& columns, size_t rows);
  void start_step(const Frame& frame, CallToken& token, bool alone,
                  const std::vector<size_t>* columns);
  const uint32_t* parse_ids(const Buffer& buffer, uint32_t* n);
  void start_reset(const uint32_t* ids, uint32_t n, const Buffer* seeds, Places places,
                   CallToken& token);
  host::Batch* wait(CallToken& token);
  void give(const Frame& frame, const std::vector<size_t>& columns, CallToken& token);
  void scatter(const Frame& frame, CallToken& token);
  void keep(host::Batch* batch);

  host::Pool& pool_;
  python::PoolActions actions_;
  const std::vector<size_t> step_;
  const std::vector<size_t> reset_;
  std::vector<uint32_t> ids_;  // ids of the call that runs, as all that follows
  std::vector<python::RawArray> arrays_;
  std::vector<char*> places_;
  Staging staging_;
  std::mutex sending_;
  bool shut_ = false;
  std::mutex kept_mutex_;
  host::Batch* kept_ = nullptr;
  Registration registration_;  // the last to come and the first to go
};

}  // namespace pp::xla
