// parallel_pool/host/step/lane_call.hpp: the calls of step and reset that a plugin gets for the
// rows of one step, and the rows that they are given late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/step/field_pointers.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Calls step(lane) for each lane in the mask of `lanes`, alone. Kernels may step lanes that wait
// for a reset, because nobody looks at them before; a lane with a refused step may be drawn or
// saved first. `fields`: those of `lanes`. row_bytes(f): of a row of a field.
template <class RowBytes, class Step>
int32_t step_lanes_alone(const pp_lanes& lanes, std::vector<void*>& fields, RowBytes&& row_bytes,
                         Step&& step) {
  const std::vector<void*> first = fields;
  pp_lanes lane = lanes;
  lane.mask = nullptr;
  lane.count = 1;
  int32_t status = 0;
  row_loops::for_each(lanes.count, lanes.mask, [&](uint32_t i) {
    lane.first = lanes.first + i;
    if (lanes.has_next_seed != nullptr) {
      lane.next_seed = lanes.next_seed + i;
      lane.has_next_seed = lanes.has_next_seed + i;
    }
    for (size_t f = 0; f < first.size(); ++f) {
      if (first[f] != nullptr) fields[f] = static_cast<char*>(first[f]) + i * row_bytes(f);
    }
    status |= step(lane);
  });
  fields = first;
  return status;
}

// One per step, on its thread's stack. What it is made of outlives it.
class LaneCall {
 public:
  // `rows` without a batch: they are claimed when the plugin asks for them.
  LaneCall(const FieldPointers& pointers, BatchQueue& batches, const EnvTable& envs,
           const Rows& rows)
      : pointers_(pointers),
        batches_(batches),
        rows_(rows),
        lanes_{sizeof(pp_lanes),
               rows.first,
               rows.count,
               0u,
               nullptr,
               nullptr,
               rows.shard->fields.data(),
               &claim_rows,
               this,
               envs.seed.data() + rows.env0(),
               envs.seed_pending.data() + rows.env0()} {
    pointers_.point_at_outputs(rows_);
  }
  LaneCall(const LaneCall&) = delete;
  LaneCall& operator=(const LaneCall&) = delete;

  Shard& shard() const { return *rows_.shard; }
  // Returns the shard of a call that a plugin's table got from here.
  static const Shard& shard_of(const pp_lanes& lanes) {
    return static_cast<const LaneCall*>(lanes.host_data)->shard();
  }
  // With their batch, once they are claimed.
  const Rows& rows() const { return rows_; }
  void claim() {
    if (rows_.batch != nullptr) return;
    uint32_t count = 1;
    rows_.batch = batches_.claim(&count, &rows_.row);
    pointers_.point_at_outputs(rows_);
  }

  // The next step has the actions that lie `rows` further on.
  void advance(size_t rows) { rows_.actions += rows; }

  // Steps the lanes in `mask`, all if that is NULL. Non-zero if one of them failed. `unseen`:
  // observations are read only where an episode ends.
  int32_t step(const uint8_t* mask, bool unseen) {
    lanes_.flags = kept() | (unseen ? PP_LANES_UNSEEN : 0u);
    pointers_.point_at_actions(rows_);
    lanes_.mask = mask;
    return without_exceptions([&] { return shard().env->step(shard().self, &lanes_); }, 1);
  }

  // Steps the lanes one by one, so that a lane outside the mask is really left alone.
  int32_t step_one_by_one(const Layout& layout, const uint8_t* mask) {
    pointers_.point_at_actions(rows_);
    lanes_.mask = mask;
    return step_lanes_alone(
        lanes_, shard().fields, [&](size_t f) { return layout.spec().fields[f].row_bytes; },
        [&](const pp_lanes& lane) {
          return without_exceptions([&] { return shard().env->step(shard().self, &lane); }, 1);
        });
  }

  // Begins what the reset of the lanes in `mask` will wait for; `seed` as in reset().
  void begin_reset(const pp_early_resets& early, const uint8_t* mask, const uint64_t* seed) {
    lanes_.mask = mask;
    lanes_.seed = seed;
    early.begin(shard().self, &lanes_);
    lanes_.seed = nullptr;
  }

  // Resets the lanes in `mask`, all if that is NULL; with seeds unless that is NULL.
  int32_t reset(const uint8_t* mask, const uint64_t* seed) {
    pointers_.forget_actions(shard());
    lanes_.flags = kept();
    lanes_.mask = mask;
    lanes_.seed = seed;
    return without_exceptions([&] { return shard().env->reset(shard().self, &lanes_); }, 1);
  }

 private:
  uint32_t kept() const {
    return rows_.batch != nullptr && rows_.batch->standing ? PP_LANES_KEPT : 0u;
  }
  static void claim_rows(const pp_lanes* lanes) {
    static_cast<LaneCall*>(lanes->host_data)->claim();
  }

  const FieldPointers& pointers_;
  BatchQueue& batches_;
  Rows rows_;
  pp_lanes lanes_;
};

}  // namespace pp::host
