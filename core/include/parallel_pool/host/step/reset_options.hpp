// parallel_pool/host/step/reset_options.hpp: arguments of resets, on their way to environments.
//
// The host's part of the extension "pp.reset_options/1". It costs nothing where environments do not
// offer it, and one load per reset while no such arguments are waiting.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shard.hpp"

namespace pp::host {

class ResetOptions {
 public:
  using Values = std::shared_ptr<const OptionValues>;

  ResetOptions() = default;
  // `extension` may be NULL.
  ResetOptions(const pp_reset_options* extension, uint32_t num_envs) : extension_(extension) {
    if (extension_ == nullptr) return;
    of_ = std::make_unique<OfEnv[]>(num_envs);
    waiting_ = std::make_unique<std::atomic<uint32_t>>(0);
  }

  // For the next reset; `lasting`: for all that are given nothing else, NULL for none. The
  // environment has no work in flight. Throws if it takes no such arguments.
  void give(uint32_t env, Values values, bool lasting) {
    if (extension_ == nullptr) {
      throw Error(ErrorKind::not_offered, "this environment takes no reset options");
    }
    change(of_[env], lasting ? &OfEnv::lasting : &OfEnv::once, std::move(values));
  }

  const pp_reset_options* extension() const { return extension_; }

  bool waiting() const {
    return extension_ != nullptr && waiting_->load(std::memory_order_relaxed) != 0;
  }

  // Called before the reset of the lanes in `mask`. Non-zero if a lane refused.
  int32_t set(const Shard& shard, uint32_t first, uint32_t count, const uint8_t* mask) {
    int32_t status = 0;
    for (uint32_t i = 0; i < count; ++i) {
      OfEnv& of = of_[shard.base + first + i];
      const OptionValues* values = of.next();
      if (mask[i] == 0 || values == nullptr) continue;
      of.set = true;
      status |= extension_->set(shard.self, first + i, values->data());
    }
    return status;
  }

  // Called after that reset.
  int32_t take_back(const Shard& shard, uint32_t first, uint32_t count) {
    int32_t status = 0;
    for (uint32_t i = 0; i < count; ++i) {
      OfEnv& of = of_[shard.base + first + i];
      if (!of.set) continue;
      of.set = false;
      status |= extension_->set(shard.self, first + i, nullptr);
      change(of, &OfEnv::once, nullptr);
    }
    return status;
  }

 private:
  struct OfEnv {
    Values once, lasting;
    bool set = false;  // its shard has them

    const OptionValues* next() const { return once != nullptr ? once.get() : lasting.get(); }
  };

  void change(OfEnv& of, Values OfEnv::* which, Values values) {
    const bool waited = of.next() != nullptr;
    of.*which = std::move(values);
    const bool waits = of.next() != nullptr;
    if (waits != waited) waiting_->fetch_add(waits ? 1U : ~0U, std::memory_order_relaxed);
  }

  const pp_reset_options* extension_ = nullptr;
  std::unique_ptr<OfEnv[]> of_;  // by environment
  std::unique_ptr<std::atomic<uint32_t>> waiting_;
};

}  // namespace pp::host
