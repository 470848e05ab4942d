// parallel_pool/host/state/player_table.hpp: what a pool remembers of the players of its
// environments.
//
// Everything is kept by environment and slot, and touched by the thread that has the environment's
// work in hand. host/step/players.hpp explains the words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/host/batch/player_layout.hpp"

namespace pp::host {

class PlayerTable {
 public:
  // `layout` outlives it. `statistics`: whether returns are summed.
  PlayerTable(const PlayerLayout& layout, uint32_t num_envs, bool statistics)
      : layout_(layout), capacity_(layout.capacity()), statistics_(statistics) {
    const size_t slots = size_t{capacity_} * num_envs;
    shown_.assign(slots, 0);
    acting_.assign(slots, 0);
    if (statistics_) return_.assign(slots, 0.0);
  }

  uint32_t capacity() const { return capacity_; }
  size_t column(PlayerColumn which) const { return layout_.column(which); }

  // One byte per slot: the players shown in the last row of this environment, and those that act
  // next.
  const uint8_t* shown(uint32_t env) const { return shown_.data() + size_t{capacity_} * env; }
  const uint8_t* acting(uint32_t env) const { return acting_.data() + size_t{capacity_} * env; }
  uint8_t* shown(uint32_t env) { return shown_.data() + size_t{capacity_} * env; }
  uint8_t* acting(uint32_t env) { return acting_.data() + size_t{capacity_} * env; }
  uint32_t count_shown(uint32_t env) const {
    const uint8_t* one = shown(env);
    return static_cast<uint32_t>(std::count(one, one + capacity_, uint8_t{1}));
  }

  // The rewards of each slot so far; only with statistics.
  bool statistics() const { return statistics_; }
  double* returns(uint32_t env) { return return_.data() + size_t{capacity_} * env; }

  // An environment that failed has no players.
  void forget(uint32_t env) {
    std::memset(shown(env), 0, capacity_);
    std::memset(acting(env), 0, capacity_);
  }

  // ---- states -------------------------------------------------------------------------------

  // Returns the state of one environment's players as bytes; load() takes them back.
  std::string save(uint32_t env) const {
    std::string bytes(state_bytes(), '\0');
    std::memcpy(&bytes[0], shown(env), capacity_);
    std::memcpy(&bytes[capacity_], acting(env), capacity_);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (uint32_t k = 0; k < capacity_; ++k) {
      const double sum = statistics_ ? return_[size_t{capacity_} * env + k] : unknown;
      std::memcpy(&bytes[2 * size_t{capacity_} + k * sizeof sum], &sum, sizeof sum);
    }
    return bytes;
  }
  size_t state_bytes() const { return capacity_ * (2 + sizeof(double)); }
  // Returns why bytes of this size cannot be the players of an environment; empty if they can.
  // Returns have any value, because rewards have.
  std::string find_out_of_range(std::string_view bytes) const {
    for (size_t k = 0; k < capacity_; ++k) {
      const auto shown = static_cast<uint8_t>(bytes[k]);
      const auto acting = static_cast<uint8_t>(bytes[capacity_ + k]);
      if (shown <= 1 && acting <= shown) continue;
      return "of player " + std::to_string(k) + ", shown is " + std::to_string(shown) +
             ", expected 0 .. 1, and acting is " + std::to_string(acting) +
             ", expected no more than shown";
    }
    return "";
  }
  void load(uint32_t env, std::string_view bytes) {
    std::memcpy(shown(env), bytes.data(), capacity_);
    std::memcpy(acting(env), bytes.data() + capacity_, capacity_);
    if (!statistics_) return;
    std::memcpy(&return_[size_t{capacity_} * env], bytes.data() + 2 * size_t{capacity_},
                capacity_ * sizeof(double));
  }

 private:
  const PlayerLayout& layout_;
  const uint32_t capacity_;
  const bool statistics_;
  std::vector<uint8_t> shown_;
  std::vector<uint8_t> acting_;
  std::vector<double> return_;
};

}  // namespace pp::host
