// parallel_pool/host/step/reset_options.hpp: arguments of single resets, on their way to
// environments.
//
// What the extension "pp.reset_options/1" needs of the host. Nothing is paid for environments that
// do not offer it, and one load per reset of those that do while no such arguments are waiting.
#ifndef PARALLEL_POOL_HOST_STEP_RESET_OPTIONS_HPP_
#define PARALLEL_POOL_HOST_STEP_RESET_OPTIONS_HPP_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shard.hpp"

namespace pp::host {

class ResetOptions {
 public:
  ResetOptions() = default;
  // `extension` may be NULL.
  ResetOptions(const pp_reset_options* extension, uint32_t num_envs) : extension_(extension) {
    if (extension_ == nullptr) return;
    values_ = std::make_unique<std::shared_ptr<const OptionValues>[]>(num_envs);
    waiting_ = std::make_unique<std::atomic<uint32_t>>(0);
  }

  // The environment has no work in flight. Throws if it takes no such arguments.
  void give(uint32_t env, std::shared_ptr<const OptionValues> values) {
    if (extension_ == nullptr) {
      throw Error(ErrorKind::not_offered, "this environment takes no reset options");
    }
    if (values_[env] == nullptr) waiting_->fetch_add(1, std::memory_order_relaxed);
    values_[env] = std::move(values);
  }

  const pp_reset_options* extension() const { return extension_; }

  bool waiting() const {
    return extension_ != nullptr && waiting_->load(std::memory_order_relaxed) != 0;
  }

  // Before the reset of the lanes in `mask`. Non-zero if a lane refused.
  int32_t set(const Shard& shard, uint32_t first, uint32_t count, const uint8_t* mask) const {
    int32_t status = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const OptionValues* values = values_[shard.base + first + i].get();
      if (mask[i] != 0 && values != nullptr) {
        status |= extension_->set(shard.self, first + i, values->data());
      }
    }
    return status;
  }

  // After that reset: nothing waits any more for these lanes.
  int32_t take_back(const Shard& shard, uint32_t first, uint32_t count) {
    int32_t status = 0;
    for (uint32_t i = 0; i < count; ++i) {
      std::shared_ptr<const OptionValues>& values = values_[shard.base + first + i];
      if (values == nullptr) continue;
      status |= extension_->set(shard.self, first + i, nullptr);
      values.reset();
      waiting_->fetch_sub(1, std::memory_order_relaxed);
    }
    return status;
  }

 private:
  const pp_reset_options* extension_ = nullptr;
  std::unique_ptr<std::shared_ptr<const OptionValues>[]> values_;  // by environment
  std::unique_ptr<std::atomic<uint32_t>> waiting_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_STEP_RESET_OPTIONS_HPP_
