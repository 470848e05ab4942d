// parallel_pool/host/batch/rows.hpp: the rows of one call, as they are handed down through a step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/shard.hpp"

namespace pp::host {

// Lanes of one shard that follow each other, and the rows of a batch that are theirs. What comes
// from or goes to one of them is at row + i, lane first + i, environment env0() + i.
struct Rows {
  Shard* shard = nullptr;
  uint32_t first = 0;  // lane
  uint32_t count = 0;
  Batch* batch = nullptr;  // NULL: none is claimed yet; of an answer: none waits for it
  uint32_t row = 0;
  size_t actions = 0;  // the distance from the row of the environment to its row of actions

  uint32_t env0() const { return shard->base + first; }
  // One byte per row: 1 where the environment was stepped, 0 where it was reset or left alone.
  const uint8_t* stepped() const { return shard->step_mask.data(); }
};

}  // namespace pp::host
