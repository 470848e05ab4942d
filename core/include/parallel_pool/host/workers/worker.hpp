// parallel_pool/host/workers/worker.hpp: the pool's end of one worker.
//
// Starts it, calls it, notices that it died and starts another. A thread that calls holds `mutex`.
// A worker that died took all its shards along: `generation` counts that, and shards compare.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/running_clock.hpp"
#include "parallel_pool/host/workers/held_envs.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/worker_config.hpp"
#include "parallel_pool/host/workers/worker_events.hpp"
#include "parallel_pool/host/workers/worker_host.hpp"
#if PP_PROCESSES
#include "parallel_pool/host/workers/worker_process.hpp"
#endif

namespace pp::host::workers {

class Worker {
 public:
  Worker(const WorkerConfig& config, WorkerEvents& events, const std::vector<FieldSpec>& fields,
         uint32_t capacity, uint32_t number, uint32_t chunk, uint32_t trail)
      : box(fields, capacity, number, chunk, trail),
        config_(config),
        events_(events),
        host_(config.host ? config.host() : process(config)) {
    box.head().worker_spins = config.worker_spins;
  }

  std::mutex mutex;
  Mailbox box;
  bool begun = false;  // between send() and receive(), for a shard that does other things meanwhile

  uint64_t generation() const { return generation_; }
  int pid() const { return host_->pid(); }  // -1: it is a thread
  std::string kind() const { return host_->kind(); }
  std::string name() const { return host_->name(); }

  // Begins it and does not wait for it. Throws if the system refuses.
  void start() {
    greeted_ = false;
    box.head().request.clear();
    box.head().answer.clear();
    box.call() = Call{};
    post(Op::hello, start_seconds);
    unanswered_ = false;  // until there is one
    host_->start(box.memory());
    unanswered_ = true;
  }

  // Waits until it can be called; starts one if there is none. On failure *why says so.
  bool ready(std::string* why) {
    if (greeted_) return true;
    try {
      if (!host_->running()) start();
    } catch (const Error& error) {
      *why = error.what();
      return false;
    }
    if (!wait()) {
      *why = name() + " " + exit_reason_ + " before it could serve; its standard error may say why";
      return false;
    }
    if (box.call().status != 0) {
      *why = name() + " could not begin: ";
      std::string text;
      if (fetch(&text)) {
        each_record(text, [why](Record, uint32_t, const char* bytes, size_t size) {
          why->append(bytes, size);
        });
      }
      give_up();
      return false;
    }
    greeted_ = true;
    return true;
  }

  // Makes the call that `box` holds, its op and fields of Call besides op and size being set, with
  // a text of any length. False if the worker died of it. `seconds`: as of send().
  bool call(Op op, double seconds, std::string_view text = {}) {
    const uint64_t room = box.text_bytes();
    uint64_t sent = 0;
    for (; text.size() - sent > room; sent += room) {
      if (!exchange_part(Op::write, sent, text.substr(sent, room))) return false;
    }
    box.call().offset = sent;
    send(op, seconds, text.substr(sent));
    return receive();
  }

  // Waits for the end of a call that its caller was called away from. Before any other.
  void settle() {
    if (unanswered_ && !begun && greeted_) receive();
  }
  // Returns true if that would take a while.
  bool unsettled() { return unanswered_ && !begun && !settled(std::chrono::nanoseconds(0)); }

  // Do what call() does in two parts. A call that is not over `seconds` after send() is killed (0:
  // never). `text`: that of the call, not longer than text_bytes().
  void send(Op op, double seconds, std::string_view text = {}) {
    box.call().status = 0;
    box.call().size = text.size();
    post(op, seconds, text);
  }
  bool receive() {
    if (wait()) return true;
    on_worker_death();
    return false;
  }
  // Waits for `most` at most, and returns true if receive() would return at once. A call that has
  // to be given up counts.
  bool settled(std::chrono::nanoseconds most) {
    Signal& answer = box.head().answer;
    return answer.spin(seen_, config_.host_spins) || answer.sleep(seen_, most) ||
           !host_->running() || overdue();
  }

  // The text of the last answer. False if the worker died meanwhile.
  bool fetch(std::string* text) {
    const uint64_t size = box.call().size;
    const uint64_t room = box.text_bytes();
    text->assign(box.text(), static_cast<size_t>(std::min(size, room)));
    while (text->size() < size) {
      if (!exchange_part(Op::read, text->size(), {})) return false;
      text->append(box.text(), static_cast<size_t>(std::min(size - text->size(), room)));
    }
    return true;
  }

  // It is there and was not seen to die.
  bool alive() const { return greeted_; }

  // The limit for starting, and for building each environment.
  static constexpr double start_seconds = 300;

  // Environments that this worker holds, for messages; once per shard.
  void holds(uint32_t env0, uint32_t count) { held_.add(env0, count); }

  // Tells how the last one ended, or was ended.
  const std::string& exit_reason() const { return exit_reason_; }

  // Passes on what its environments should be made with.
  void advise(std::string_view text) { events_.advise(config_.label + ": " + std::string(text)); }

  // Says what of an environment did not get through.
  void dropped(uint32_t env, std::string_view text) {
    events_.dropped(config_.label + ", environment " + std::to_string(env) + ": ", text);
  }

  // Asks it to end itself, or ends it if it is not listening. Does not wait.
  void ask_to_leave() {
    // A process may take long to begin; a thread begins at once, and has to be gone before Python.
    if (!greeted_ && host_->pid() >= 0) return give_up();
    greeted_ = false;
    box.call().op = Op::leave;
    box.head().request.raise();
  }
  void wait_until_gone() {
    if (!host_->gone_within(std::chrono::seconds(5))) give_up();
  }

 private:
  static std::unique_ptr<WorkerHost> process([[maybe_unused]] const WorkerConfig& config) {
#if PP_PROCESSES
    return std::make_unique<WorkerProcess>(config);
#else
    throw Error(ErrorKind::value,
                "worker processes need Linux (shared memory and futexes): leave isolation out");
#endif
  }

  // A part of the text of the next call, or of the last answer.
  bool exchange_part(Op op, uint64_t offset, std::string_view text) {
    box.call().offset = offset;
    if (op == Op::write) box.call().size = text.size();
    post(op, config_.step_timeout, text);
    return receive();
  }
  void post(Op op, double seconds, std::string_view text = {}) {
    if (!text.empty()) std::memcpy(box.text(), text.data(), text.size());
    box.call().op = op;
    op_ = op;
    limit_ = seconds;
    clock_.start();
    unanswered_ = true;
    seen_ = box.head().answer.value.load(std::memory_order_relaxed);
    box.head().request.raise();
  }

  // Ends it, or has it leave when it returns.
  void give_up() {
    host_->end();
    box.call().op = Op::leave;
    box.head().request.raise();
  }

  bool overdue() {
    const double waited = 1e-9 * static_cast<double>(clock_.look());
    return events_.impatient() || (limit_ > 0 && waited > limit_);
  }

  // Returns true if an answer to what was posted came. Throws if no caller wants it any more; then
  // it is still to come.
  bool wait() {
    const bool answered = wait_for_answer();
    unanswered_ = false;
    return answered;
  }
  bool wait_for_answer() {
    Signal& answer = box.head().answer;
    if (answer.spin(seen_, config_.host_spins)) return true;
    for (;;) {
      if (answer.sleep(seen_, std::chrono::milliseconds(20))) return true;
      if (!host_->running()) {
        if (answer.value.load() != seen_) return true;  // it died after that
        exit_reason_ = host_->exit_reason();
        return false;
      }
      Attention::check();
      if (Attention::current() != nullptr && events_.closing()) {
        throw Error(ErrorKind::closed, "the pool is closed");
      }
      if (!overdue()) continue;
      const double waited = 1e-9 * static_cast<double>(clock_.look());
      give_up();
      char text[64];
      std::snprintf(text, sizeof text, "took more than %.3g seconds and %s",
                    limit_ > 0 ? limit_ : waited, host_->ended());
      exit_reason_ = text;
      return false;
    }
  }

  // Says so, and starts the next one, which loads while others work.
  void on_worker_death() {
    static const char* const doing[] = {"starting",
                                        "building",
                                        "destroying",
                                        "step or reset",
                                        "saving",
                                        "restoring",
                                        "a call",
                                        "a call",
                                        "leaving",
                                        "rendering",
                                        "describing its arrays",
                                        "reading an array",
                                        "writing an array",
                                        "a call"};
    greeted_ = false;
    ++generation_;
    if (events_.closing()) return;
    const std::string core = host_->core();
    const auto number = static_cast<size_t>(op_);
    events_.died(name() + " of " + config_.label + " " + exit_reason_ + " in " +
                 (number < sizeof doing / sizeof *doing ? doing[number] : "a call") +
                 (core.empty() ? "" : "; " + core) + ". Its environments (" + held_.text() +
                 ") come back truncated and begin new episodes in another one");
    try {
      start();
    } catch (const Error&) {
      // ready() tries again, and reports.
    }
  }

  const WorkerConfig& config_;
  WorkerEvents& events_;
  const std::unique_ptr<WorkerHost> host_;
  bool greeted_ = false;
  uint64_t generation_ = 0;
  std::string exit_reason_;
  // The call in progress.
  Op op_ = Op::hello;
  uint32_t seen_ = 0;
  double limit_ = 0;
  RunningClock clock_;
  bool unanswered_ = false;  // the answer to what was posted was not seen
  HeldEnvs held_;
};

}  // namespace pp::host::workers
