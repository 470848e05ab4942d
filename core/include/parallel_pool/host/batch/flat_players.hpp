// parallel_pool/host/batch/flat_players.hpp: per-player columns handed out as one row per player.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/player_layout.hpp"

namespace pp::host {

class FlatPlayers {
 public:
  // `layout` outlives it.
  explicit FlatPlayers(const PlayerLayout& layout) : layout_(layout) {}

  // Makes the rows of all per-player columns flat, in place: shown players only, in the order of
  // the batch and of their slots. Sets batch.player_rows. Any thread.
  void flatten(Batch& batch) {
    const uint32_t capacity = layout_.capacity();
    const size_t slots = size_t{batch.rows} * capacity;
    batch.player_rows = slots;
    if (layout_.fixed() && batch.failures.empty()) return;
    const uint8_t* present = column(batch, player_present);
    const uint8_t* final = column(batch, player_final);
    size_t first_gap = 0;
    while (first_gap < slots && (present[first_gap] | final[first_gap]) != 0) ++first_gap;
    if (first_gap == slots) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    // The rows to keep, as stretches, because the two columns that say so are moved as well.
    stretches_.clear();
    size_t kept = first_gap;
    for (size_t slot = first_gap + 1; slot < slots; ++slot) {
      if ((present[slot] | final[slot]) == 0) continue;
      if (!stretches_.empty() && stretches_.back().first + stretches_.back().second == slot) {
        ++stretches_.back().second;
      } else {
        stretches_.emplace_back(slot, 1);
      }
      ++kept;
    }
    for (const Column& each : layout_.columns()) {
      if (!each.per_player) continue;
      const size_t bytes = each.row_bytes / capacity;
      char* to = batch.data + each.offset + first_gap * bytes;
      for (const auto& [from, length] : stretches_) {
        std::memmove(to, batch.data + each.offset + from * bytes, length * bytes);
        to += length * bytes;
      }
    }
    batch.player_rows = kept;
  }

 private:
  const uint8_t* column(const Batch& batch, PlayerColumn which) const {
    return reinterpret_cast<const uint8_t*>(batch.data) +
           layout_.columns()[layout_.column(which)].offset;
  }

  const PlayerLayout& layout_;
  std::mutex mutex_;
  std::vector<std::pair<size_t, size_t>> stretches_;  // from, length; of the call in progress
};

}  // namespace pp::host
