// parallel_pool/host/run/builder.hpp: building the environments of a pool, by all of its threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/memory_check.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// Building takes far longer than stepping (ROMs, physics models): every thread that it is attached
// to helps, a shard at a time.
class Builder final : public WorkSource {
 public:
  // `options`: one per environment, or one for all. All outlive it. `threads`: how many build.
  // `batches`: the bytes of those that there will be, if they and the environments have to fit in
  // memory.
  Builder(Shards& shards, Runner& runner, const std::vector<const OptionValues*>& options,
          uint32_t threads, std::optional<double> batches)
      : shards_(shards), runner_(runner), options_(options) {
    if (!batches) return;
    const bool here = !runner.waits_for_others();
    memory_.emplace(shards.size(), here ? threads : shards.size(), *batches,
                    here && options.size() == 1);
  }

  // Builds all with the threads of `pool` and as many more as the runner has use for. Why one of
  // them could not be built, or nothing. `interrupted` is asked now and then, with nothing held; if
  // it says true, the rest is not built.
  template <class Interrupted>
  std::string build_all(ThreadPool& pool, Interrupted&& interrupted) {
    const bool waits = runner_.waits_for_others();  // then the caller looks, and does nothing else
    const uint32_t helpers = waits ? runner_.builders() : 0;
    std::shared_ptr<ThreadPool> others;  // a pool that waits for others has few threads of its own
    if (helpers > 0) {
      others = ThreadPool::make(helpers);
      others->attach(this);
    }
    pool.attach(this);
    bool away = false;
    auto last_look = std::chrono::steady_clock::now();
    auto last_look_at_memory = last_look;
    const auto look = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (away || now - last_look < look_every) return;
      last_look = now;
      if (interrupted()) {
        away = true;
        failed_.store(true);
      } else if (waits && memory_ && now - last_look_at_memory >= look_at_memory_every) {
        last_look_at_memory = now;
        if (memory_->look_at_the_rest()) return;
        fail(memory_->why());
      } else {
        return;
      }
      runner_.stop_building();
    };
    try {
      while (!failed_.load() && allow_more()) {
        if (others != nullptr) others->notify(helpers);
        pool.notify(pool.size());
        // Threads that were given places build alone, so that what they build lies near them.
        while (!waits && (!pool.placed() || pool.size() == 0) && work()) look();
        while (done_.load() < allowed_.load()) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          look();
        }
      }
    } catch (const std::bad_alloc&) {  // thrown by a look
      fail("out of memory");
    }
    pool.detach(this);
    if (others != nullptr) others->detach(this);
    away_ = away;
    return away ? "interrupted" : error_;
  }

  // Returns true if `interrupted` ended the building.
  bool was_interrupted() const { return away_; }

  bool work() override {
    uint32_t s = next_.load();
    do {
      if (s >= allowed_.load()) return false;
    } while (!next_.compare_exchange_weak(s, s + 1));
    if (!failed_.load()) {
      try {
        build(s);
      } catch (const std::exception&) {  // in a thread without a caller to throw it at
        fail("out of memory");
      }
    }
    done_.fetch_add(1);
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds look_at_memory_every{100};

  // All that were allowed are built. False: these were all, or more would not fit.
  bool allow_more() {
    const uint32_t built = allowed_.load();
    if (built == shards_.size()) return false;
    if (memory_ && !memory_->look(built)) {
      fail(memory_->why());
      return false;
    }
    allowed_.store(memory_ ? memory_->allowed() : shards_.size());
    return true;
  }

  void build(uint32_t number) {
    Shard& shard = shards_[number];
    std::vector<const pp_value*> values(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      values[i] = (options_.size() == 1 ? options_[0] : options_[shard.base + i])->data();
    }
    const pp_shard description{sizeof(pp_shard), shard.count, values.data()};
    const ErrorSink sink;
    const auto lock = lock_if(shards_.exclusive());
    shard.self = runner_.create(number, shard, description);
    if (shard.self != nullptr) return;
    fail(std::string(shard.env->id) + " could not be built (environment " +
         std::to_string(shard.base) + "): " + sink.text());
  }

  void fail(std::string why) noexcept {
    if (!failed_.exchange(true)) error_ = std::move(why);
  }

  Shards& shards_;
  Runner& runner_;
  const std::vector<const OptionValues*>& options_;
  std::optional<MemoryCheck> memory_;
  std::atomic<uint32_t> allowed_{0};
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> done_{0};
  std::atomic<bool> failed_{false};
  bool away_ = false;
  std::string error_;  // about the first environment that failed
};

}  // namespace pp::host
