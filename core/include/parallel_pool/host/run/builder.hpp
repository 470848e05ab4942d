// parallel_pool/host/run/builder.hpp: building the environments of a pool, by all of its threads.
#ifndef PARALLEL_POOL_HOST_RUN_BUILDER_HPP_
#define PARALLEL_POOL_HOST_RUN_BUILDER_HPP_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// Building takes far longer than stepping (ROMs, physics models): every thread that it is attached
// to helps, a shard at a time.
class Builder final : public WorkSource {
 public:
  // `options`: one per environment, or one for all. All outlive it.
  Builder(const pp_env& env, Shards& shards, Runner& runner,
          const std::vector<const OptionValues*>& options)
      : env_(env), shards_(shards), runner_(runner), options_(options) {}

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
      others->notify(helpers);
    }
    pool.attach(this);
    pool.notify(pool.size());
    bool away = false;
    auto last_look = std::chrono::steady_clock::now();
    const auto look = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (away || now - last_look < look_every) return;
      last_look = now;
      if (!interrupted()) return;
      away = true;
      failed_.store(true);
      runner_.stop_building();
    };
    // Threads that were given places build alone, so that what they build lies near them.
    while (!waits && (!pool.placed() || pool.size() == 0) && work()) look();
    while (!done()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      look();
    }
    pool.detach(this);
    if (others != nullptr) others->detach(this);
    away_ = away;
    return away ? "interrupted" : error_;
  }

  // Whether that was because of `interrupted`.
  bool was_interrupted() const { return away_; }

  bool work() override {
    const uint32_t s = next_.fetch_add(1);
    if (s >= shards_.size()) return false;
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
  bool done() const { return done_.load() == shards_.size(); }

  void build(uint32_t number) {
    Shard& shard = shards_[number];
    std::vector<const pp_value*> values(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      values[i] = (options_.size() == 1 ? options_[0] : options_[shard.base + i])->data();
    }
    const pp_shard description{sizeof(pp_shard), shard.count, values.data()};
    const ErrorSink sink;
    const MaybeLock lock(shards_.exclusive());
    shard.self = runner_.create(number, shard, description);
    if (shard.self != nullptr) return;
    fail(std::string(env_.id) + " could not be built (environment " + std::to_string(shard.base) +
         "): " + sink.text());
  }

  void fail(std::string why) noexcept {
    if (!failed_.exchange(true)) error_ = std::move(why);
  }

  const pp_env& env_;
  Shards& shards_;
  Runner& runner_;
  const std::vector<const OptionValues*>& options_;
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> done_{0};
  std::atomic<bool> failed_{false};
  bool away_ = false;
  std::string error_;  // of the first environment that failed
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_BUILDER_HPP_
