// parallel_pool/host/workers/lane_losses.hpp: lanes of a shard that were lost with their worker,
// and the seeds that they come back with.
//
// A lane that comes back without a seed of its own gets one derived from its last and from how
// often it was lost, so that runs can be repeated. An environment in Python that never had a seed
// gets none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parallel_pool/rng/seed_sequence.hpp"

namespace pp::host::workers {

class LaneLosses {
 public:
  // `seed_bits`: of seeds that are derived. `first`: counts as the last seed of those without one.
  LaneLosses(uint32_t count, uint32_t seed_bits, std::optional<uint64_t> first)
      : seed_bits_(seed_bits), lost_(count, 0), losses_(count, 0), seed_(count, first) {}

  // The worker died, and all lanes with it.
  void lose_all() {
    for (size_t i = 0; i < lost_.size(); ++i) {
      if (lost_[i] == 0) ++losses_[i];
      lost_[i] = 1;
    }
  }
  bool lost(uint32_t lane) const { return lost_[lane] != 0; }
  // It was reset, or given a state.
  void restore(uint32_t lane) { lost_[lane] = 0; }

  // It is given a seed; without one, when it comes back, it begins with this.
  void set_seed(uint32_t lane, uint64_t seed) { seed_[lane] = seed; }
  std::optional<uint64_t> derived_seed(uint32_t lane) const {
    if (!seed_[lane]) return std::nullopt;
    uint64_t seed = 0;
    SeedSequence(*seed_[lane], &losses_[lane], 1).generate_state(&seed, 1);
    return seed >> (64 - seed_bits_);
  }

 private:
  const uint32_t seed_bits_;
  std::vector<uint8_t> lost_;
  std::vector<uint32_t> losses_;
  std::vector<std::optional<uint64_t>> seed_;  // the last one that each lane was given
};

}  // namespace pp::host::workers
