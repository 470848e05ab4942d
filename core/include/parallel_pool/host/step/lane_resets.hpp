// parallel_pool/host/step/lane_resets.hpp: resets of lanes, with their seeds and arguments.
#pragma once

#include <cstdint>
#include <cstring>

#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/episode_seeds.hpp"
#include "parallel_pool/host/step/lane_call.hpp"
#include "parallel_pool/host/step/reset_options.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

class LaneResets {
 public:
  // `list`: seeds of all episodes; `offered`: what resets can be given; `early`: how they begin; or
  // NULL. All outlive it.
  LaneResets(const Layout& layout, EnvTable& envs, const EpisodeSeeds* list,
             const pp_reset_options* offered, const pp_early_resets* early)
      : layout_(layout), envs_(envs), list_(list), options_(offered, envs.size()), early_(early) {}

  ResetOptions& options() { return options_; }
  const ResetOptions& options() const { return options_; }

  // Sets seed_mask of the shard: those in reset_mask that begin with a seed. Returns how many.
  uint32_t choose_seeds(const Rows& rows) const {
    Shard& shard = *rows.shard;
    const uint8_t* pending = envs_.seed_pending.data() + rows.env0();
    const uint8_t* reset = shard.reset_mask.data();
    uint8_t* chosen = shard.seed_mask.data();
    row_loops::choose_seeds(rows.count, reset, pending, chosen);
    if (!envs_.continues.empty()) {
      const uint8_t* continues = envs_.continues.data() + rows.env0();
      for (uint32_t i = 0; i < rows.count; ++i) {
        chosen[i] |= static_cast<uint8_t>(reset[i] & (pending[i] >> 1) & (continues[i] ^ 1));
      }
    }
    return row_loops::count(rows.count, chosen);
  }

  // Notes which games go on, of the episodes that ended in these rows.
  void note_games(const Rows& rows) const {
    if (envs_.continues.empty()) return;
    const uint8_t* ended = envs_.ended.data() + rows.env0();
    row_loops::for_each(rows.count, ended, [&](uint32_t i) {
      const bool goes_on = rows.stepped()[i] != 0 && layout_.continues(rows)[i] != 0;
      envs_.continues[rows.env0() + i] = goes_on ? 1 : 0;
    });
  }

  // Before others of the call are stepped: what can begin of reset(), begins.
  void begin(LaneCall& call, uint32_t n_reset, uint32_t n_seed) const {
    if (early_ == nullptr || options_.waiting()) return;
    if (n_seed > 0 && (early_->flags & PP_EARLY_RESETS_TAKE_SEEDS) == 0u) return;
    Shard& shard = call.shard();
    if (n_seed > 0) {
      copy_seeds(call.rows());
      call.begin_reset(*early_, shard.seed_mask.data(), shard.seed.data());
    }
    if (n_reset == n_seed) return;
    toggle_seeded(shard, call.rows().count);
    call.begin_reset(*early_, shard.reset_mask.data(), nullptr);
    toggle_seeded(shard, call.rows().count);
  }

  // Resets the lanes in reset_mask of the shard, which stays: first those in seed_mask, with seeds.
  // `n_reset` and `n_seed`: how many those are.
  int32_t reset(LaneCall& call, uint32_t n_reset, uint32_t n_seed) {
    Shard& shard = call.shard();
    const Rows& rows = call.rows();
    const uint32_t count = rows.count;
    const uint32_t env0 = rows.env0();
    int32_t status = 0;
    const bool with_options = options_.waiting();
    if (with_options) {
      status |= options_.set(shard, rows.first, count, shard.reset_mask.data());
    }
    if (!envs_.continues.empty()) {
      row_loops::for_each(count, shard.reset_mask.data(),
                          [&](uint32_t i) { envs_.continues[env0 + i] = 0; });
    }
    if (n_seed > 0) {
      copy_seeds(rows);
      row_loops::for_each(count, shard.seed_mask.data(), [&](uint32_t i) {
        list_ != nullptr ? list_->begin(envs_, env0 + i) : envs_.forget_seed(env0 + i);
      });
      status |= call.reset(n_seed == count ? nullptr : shard.seed_mask.data(), shard.seed.data());
      toggle_seeded(shard, count);
    }
    if (n_reset > n_seed) {
      const bool all = n_reset == count && n_seed == 0;
      status |= call.reset(all ? nullptr : shard.reset_mask.data(), nullptr);
    }
    if (n_seed > 0) toggle_seeded(shard, count);
    if (with_options) status |= options_.take_back(shard, rows.first, count);
    return status;
  }

 private:
  void copy_seeds(const Rows& rows) const {
    std::memcpy(rows.shard->seed.data(), envs_.seed.data() + rows.env0(),
                rows.count * sizeof(uint64_t));
  }
  // Takes those with seeds out of reset_mask, or puts them back.
  static void toggle_seeded(Shard& shard, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) shard.reset_mask[i] ^= shard.seed_mask[i];
  }

  const Layout& layout_;
  EnvTable& envs_;
  const EpisodeSeeds* list_;
  ResetOptions options_;
  const pp_early_resets* early_;
};

}  // namespace pp::host
