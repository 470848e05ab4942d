// parallel_pool/host/run/ages.hpp: how old answers of an asynchronous pool are when they are
// received.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parallel_pool/host/plugin/env_ids.hpp"

namespace pp::host {

// The age of a row: how many batches were received after its action was sent and before it came.
class Ages {
 public:
  struct Report {
    uint64_t rows = 0;
    uint64_t sum = 0;
    uint32_t most = 0;
  };

  // `num_envs` 0: nothing is counted.
  explicit Ages(uint32_t num_envs) : sent_(num_envs) {}

  void sent(const EnvIds& envs) {
    if (sent_.empty()) return;
    for (uint32_t i = 0; i < envs.n; ++i) sent_[envs[i]] = received_;
  }
  void received(const int32_t* env_id, uint32_t rows) {
    if (sent_.empty()) return;
    for (uint32_t row = 0; row < rows; ++row) {
      const uint32_t age = received_ - sent_[static_cast<uint32_t>(env_id[row])];
      report_.sum += age;
      report_.most = std::max(report_.most, age);
    }
    report_.rows += rows;
    ++received_;
  }
  const Report& report() const { return report_; }

 private:
  std::vector<uint32_t> sent_;  // by environment: how many batches had been received
  uint32_t received_ = 0;
  Report report_;
};

}  // namespace pp::host
