// parallel_pool/host/workers/worker.hpp: the pool's end of one worker.
//
// Starts it, calls it, notices that it died and starts another. Whoever calls holds `mutex`. A
// worker that died took all its shards along: `generation` counts that, and shards compare.
#ifndef PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_
#define PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/worker_config.hpp"
#include "parallel_pool/host/workers/worker_events.hpp"
#include "parallel_pool/host/workers/worker_host.hpp"
#include "parallel_pool/host/workers/worker_process.hpp"

namespace pp::host::remote {

class Worker {
 public:
  Worker(const FleetPlan& plan, Incidents& incidents, const std::vector<FieldSpec>& fields,
         uint32_t capacity, uint32_t number)
      : box(fields, capacity, number),
        plan_(plan),
        incidents_(incidents),
        carrier_(plan.carrier ? plan.carrier() : std::make_unique<Process>(plan)) {
    box.head().worker_spins = plan.worker_spins;
  }

  std::mutex mutex;
  Mailbox box;
  bool begun = false;  // between send() and receive(), for a shard that does other things meanwhile

  uint64_t generation() const { return generation_; }
  int pid() const { return carrier_->pid(); }  // -1: it is a thread
  std::string kind() const { return carrier_->kind(); }
  std::string name() const { return carrier_->name(); }

  // Begins it and does not wait for it. Throws if the system refuses.
  void start() {
    greeted_ = false;
    box.head().request.clear();
    box.head().answer.clear();
    box.call() = Call{};
    box.call().op = Op::hello;
    post(Op::hello, start_seconds);
    carrier_->start(box.fd());
  }

  // Waits until it can be called; starts one if there is none. On failure *why says so.
  bool ready(std::string* why) {
    if (greeted_) return true;
    try {
      if (!carrier_->running()) start();
    } catch (const Error& error) {
      *why = error.what();
      return false;
    }
    if (!wait()) {
      *why = name() + " " + fate_ + " before it could serve; its standard error may say why";
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
  // False if the worker died of it.
  bool call(Op op) {
    send(op, 0);
    return receive();
  }

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
    bury();
    return false;
  }
  // Whether receive() would return at once, waiting so long at most. A call that has to be given
  // up counts.
  bool settled(std::chrono::milliseconds most) {
    Signal& answer = box.head().answer;
    return answer.spin(seen_, plan_.host_spins) || answer.sleep(seen_, most) ||
           !carrier_->running() || overdue();
  }

  // As call(), with a text.
  bool call_with(Op op, std::string_view text) {
    const uint64_t room = box.text_bytes();
    uint64_t sent = 0;
    while (text.size() - sent > room) {
      std::memcpy(box.text(), text.data() + sent, room);
      box.call().op = Op::write;
      box.call().offset = sent;
      box.call().size = room;
      post(Op::write, 0);
      if (!receive()) return false;
      sent += room;
    }
    std::memcpy(box.text(), text.data() + sent, text.size() - sent);
    box.call().op = op;
    box.call().offset = sent;
    box.call().size = text.size() - sent;
    box.call().status = 0;
    post(op, 0);
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
      post(Op::read, 0);
      if (!receive()) return false;
      text->append(box.text(), static_cast<size_t>(std::min(size - text->size(), room)));
    }
    return true;
  }

  // It is there and was not seen to die.
  bool alive() const { return greeted_; }

  // Environments that this worker holds, for messages; once per shard.
  void holds(uint32_t env0, uint32_t count) { held_.emplace_back(env0, count); }

  // How the last one ended, or was ended.
  const std::string& fate() const { return fate_; }

  // Passes on what its environments should be made with.
  void advise(std::string_view text) { incidents_.advise(plan_.label + ": " + std::string(text)); }

  // Asks it to end itself, or ends it if it is not listening. Does not wait.
  void ask_to_leave() {
    // A process may take long to begin; a thread begins at once, and has to be gone before Python.
    if (!greeted_ && carrier_->pid() >= 0) return give_up();
    greeted_ = false;
    box.call().op = Op::leave;
    box.head().request.raise();
  }
  void wait_until_gone() {
    if (!carrier_->gone_within(std::chrono::seconds(5))) give_up();
  }

 private:
  static constexpr double start_seconds = 300;

  void post(Op op, double seconds) {
    op_ = op;
    limit_ = seconds;
    began_ = Clock::now();
    seen_ = box.head().answer.value.load(std::memory_order_relaxed);
    box.head().request.raise();
  }

  // Ends it, or has it leave when it comes out.
  void give_up() {
    carrier_->end();
    box.call().op = Op::leave;
    box.head().request.raise();
  }

  bool overdue() const { return incidents_.impatient() || (limit_ > 0 && waited() > limit_); }
  double waited() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  // Whether an answer to what was posted came.
  bool wait() {
    Signal& answer = box.head().answer;
    if (answer.spin(seen_, plan_.host_spins)) return true;
    for (;;) {
      if (answer.sleep(seen_, std::chrono::milliseconds(20))) return true;
      if (!carrier_->running()) {
        if (answer.value.load() != seen_) return true;  // it died after that
        fate_ = carrier_->fate();
        return false;
      }
      if (!overdue()) continue;
      give_up();
      char text[64];
      std::snprintf(text, sizeof text, "took more than %g seconds and %s",
                    limit_ > 0 ? limit_ : waited(), carrier_->ended());
      fate_ = text;
      return false;
    }
  }

  // Says so, and starts the next one, which loads while others work.
  void bury() {
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
    if (incidents_.closing()) return;
    const std::string core = carrier_->core();
    const auto number = static_cast<size_t>(op_);
    incidents_.died(name() + " of " + plan_.label + " " + fate_ + " in " +
                    (number < sizeof doing / sizeof *doing ? doing[number] : "a call") +
                    (core.empty() ? "" : "; " + core) + ". Its environments (" + held() +
                    ") come back truncated and begin new episodes in another one");
    try {
      start();
    } catch (const Error&) {
      // ready() tries again, and reports.
    }
  }

  // "0-3, 8-11"
  std::string held() const {
    std::string text;
    for (size_t i = 0; i < held_.size();) {
      const uint32_t from = held_[i].first;
      uint32_t end = from;
      for (; i < held_.size() && held_[i].first == end; ++i) end += held_[i].second;
      text += (text.empty() ? "" : ", ") + std::to_string(from);
      if (end - from > 1) text += "-" + std::to_string(end - 1);
    }
    return text;
  }

  const FleetPlan& plan_;
  Incidents& incidents_;
  const std::unique_ptr<Carrier> carrier_;
  bool greeted_ = false;
  uint64_t generation_ = 0;
  std::string fate_;
  // Of the call in progress.
  Op op_ = Op::hello;
  uint32_t seen_ = 0;
  double limit_ = 0;
  Clock::time_point began_;
  std::vector<std::pair<uint32_t, uint32_t>> held_;
};

}  // namespace pp::host::remote
#endif  // PARALLEL_POOL_HOST_WORKERS_WORKER_HPP_
