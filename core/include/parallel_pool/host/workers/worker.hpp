// parallel_pool/host/workers/worker.hpp: the pool's end of one worker.
//
// Starts it, calls it, notices that it died and starts another. A thread that calls holds `mutex`.
// A worker that died took all its shards along: `generation` counts that, and shards compare.
#ifndef PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_
#define PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_

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
#include "parallel_pool/host/workers/worker_process.hpp"

namespace pp::host::workers {

class Worker {
 public:
  Worker(const WorkerConfig& config, WorkerEvents& events, const std::vector<FieldSpec>& fields,
         uint32_t capacity, uint32_t number)
      : box(fields, capacity, number),
        config_(config),
        events_(events),
        host_(config.host ? config.host() : std::make_unique<WorkerProcess>(config)) {
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
    box.call().op = Op::hello;
    post(Op::hello, start_seconds);
    unanswered_ = false;  // until there is one
    host_->start(box.fd());
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

  // Makes the call that `box` holds, its op and fields of Call besides op and size being set.
  // False if the worker died of it. `seconds`: as of send().
  bool call(Op op, double seconds) {
    send(op, seconds);
    return receive();
  }

  // Waits for the end of a call that its caller was called away from. Before any other.
  void settle() {
    if (unanswered_ && !begun && greeted_) receive();
  }
  // Whether that would take a while.
  bool unsettled() { return unanswered_ && !begun && !settled(std::chrono::nanoseconds(0)); }

  // The same in two parts. `seconds` after send() a call that is not over is killed (0: never).
  // `text`: of the call, not longer than text_bytes().
  void send(Op op, double seconds, std::string_view text = {}) {
    if (!text.empty()) std::memcpy(box.text(), text.data(), text.size());
    box.call().op = op;
    box.call().status = 0;
    box.call().size = text.size();
    post(op, seconds);
  }
  bool receive() {
    if (wait()) return true;
    on_worker_death();
    return false;
  }
  // Whether receive() would return at once, waiting so long at most. A call that has to be given
  // up counts.
  bool settled(std::chrono::nanoseconds most) {
    Signal& answer = box.head().answer;
    return answer.spin(seen_, config_.host_spins) || answer.sleep(seen_, most) ||
           !host_->running() || overdue();
  }

  // As call(), with a text. The limit is that of steps.
  bool call_with(Op op, std::string_view text) {
    const uint64_t room = box.text_bytes();
    uint64_t sent = 0;
    while (text.size() - sent > room) {
      std::memcpy(box.text(), text.data() + sent, room);
      box.call().op = Op::write;
      box.call().offset = sent;
      box.call().size = room;
      post(Op::write, config_.step_timeout);
      if (!receive()) return false;
      sent += room;
    }
    if (text.size() > sent) std::memcpy(box.text(), text.data() + sent, text.size() - sent);
    box.call().op = op;
    box.call().offset = sent;
    box.call().size = text.size() - sent;
    box.call().status = 0;
    post(op, config_.step_timeout);
    return receive();
  }

  // The text of the last answer. False if the worker died meanwhile.
  bool fetch(std::string* text) {
    const uint64_t size = box.call().size;
    const uint64_t room = box.text_bytes();
    text->assign(box.text(), static_cast<size_t>(std::min(size, room)));
    while (text->size() < size) {
      box.call().offset = text->size();
      box.call().op = Op::read;
      post(Op::read, config_.step_timeout);
      if (!receive()) return false;
      text->append(box.text(), static_cast<size_t>(std::min(size - text->size(), room)));
    }
    return true;
  }

  // It is there and was not seen to die.
  bool alive() const { return greeted_; }

  // How long starting may take, and building each environment.
  static constexpr double start_seconds = 300;

  // Environments that this worker holds, for messages; once per shard.
  void holds(uint32_t env0, uint32_t count) { held_.add(env0, count); }

  // How the last one ended, or was ended.
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
  void post(Op op, double seconds) {
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

  // Whether an answer to what was posted came. Throws if no caller wants it any more; then it is
  // still to come.
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
  // Of the call in progress.
  Op op_ = Op::hello;
  uint32_t seen_ = 0;
  double limit_ = 0;
  RunningClock clock_;
  bool unanswered_ = false;  // the answer to what was posted was not seen
  HeldEnvs held_;
};

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_
