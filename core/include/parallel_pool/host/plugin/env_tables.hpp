// parallel_pool/host/plugin/env_tables.hpp: the tables of a pool's environments, which are all of
// one library, but may be several environments of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"

namespace pp::host {

class EnvTables {
 public:
  // One table for all environments, or one for each.
  explicit EnvTables(std::vector<const pp_env*> tables) : tables_(std::move(tables)) {
    const auto is_first = [this](const pp_env* each) { return each == tables_[0]; };
    if (std::all_of(tables_.begin(), tables_.end(), is_first)) tables_.resize(1);
    for (const pp_env* each : tables_) {
      flags_ |= each->flags;
      kernel_ = kernel_ || each->preferred_lanes > 1;
    }
  }

  const pp_env& operator[](uint32_t env) const { return *tables_[mixed() ? env : 0]; }
  bool mixed() const { return tables_.size() > 1; }
  // The flags that any of them has.
  uint32_t flags() const { return flags_; }
  // True if a call of any of them may answer many environments.
  bool kernel() const { return kernel_; }

 private:
  std::vector<const pp_env*> tables_;
  uint32_t flags_ = 0;
  bool kernel_ = false;
};

}  // namespace pp::host
