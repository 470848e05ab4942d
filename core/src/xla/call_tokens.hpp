// Finds the pool of a compiled program, and keeps its calls in order.
//
// A program cannot keep a pool alive, and may be run long after it is gone. So what it passes from
// call to call, the handle, is no pointer but four numbers: the pool's place in a registry, which
// pool of that place is meant, and the number of the call (two words). Every call takes the handle
// of the call before and gives the next. A handle that is used twice, or out of order, has the
// wrong number, and one of a pool of another kind the wrong signature.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace pp::xla {

class PoolCalls;

using Handle = std::array<uint32_t, 4>;

// One call at a time. Outlives the pool; any thread.
class CallSequence {
 public:
  CallSequence(PoolCalls& calls, std::string signature)
      : signature_(std::move(signature)), calls_(&calls) {}

  // The signature of the pool; see xla/signature.hpp.
  const std::string& signature() const { return signature_; }
  // Throws unless the call with this number is next, and none runs.
  PoolCalls& enter(uint64_t number);
  // `done`: whether something was begun or taken, so that the number is used up.
  void leave(bool done);
  uint64_t next();
  // From now on no call enters; returns when none runs. Without Python's lock.
  void end();

 private:
  const std::string signature_;
  std::mutex mutex_;
  std::condition_variable left_;
  PoolCalls* calls_;  // NULL: it is gone
  uint64_t next_ = 0;
  bool inside_ = false;
};

// The place of a pool in the registry, while it lives.
class Registration {
 public:
  Registration(PoolCalls& calls, std::string signature);
  ~Registration() { end(); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  Handle handle() const;
  // No call finds the pool any more; waits for the call that runs. Doing it twice is fine.
  void end();

 private:
  std::shared_ptr<CallSequence> sequence_;
  uint32_t place_;
  uint32_t generation_;
};

// A call that has found its pool, while it lives. Throws host::Error, also if the program's
// signature is not the pool's.
class CallToken {
 public:
  CallToken(const Handle& handle, std::string_view signature);
  ~CallToken() { sequence_->leave(done_); }
  CallToken(const CallToken&) = delete;
  CallToken& operator=(const CallToken&) = delete;

  PoolCalls& calls() { return *calls_; }
  void done() { done_ = true; }
  // Returns the handle for the call after this one.
  Handle next() const;

 private:
  Handle handle_;
  std::shared_ptr<CallSequence> sequence_;
  PoolCalls* calls_;
  bool done_ = false;
};

}  // namespace pp::xla
