// parallel_pool/host/step/same_step.hpp: SAME_STEP: the step that ends an episode also begins the
// next. What ended is kept in the final columns; the rest of the row is of the new episode but for
// the reward and the flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/step/episode_statistics.hpp"
#include "parallel_pool/host/step/lane_call.hpp"
#include "parallel_pool/host/step/lane_resets.hpp"
#include "parallel_pool/host/step/players.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Called by the thread that holds the shard, once the bookkeeping of the rows is done.
class SameStep {
 public:
  // All of these outlive it; `players` and `statistics` may be NULL.
  SameStep(const Layout& layout, EnvTable& envs, LaneResets& resets, Players* players,
           EpisodeStatistics* statistics, bool resets_itself)
      : layout_(layout),
        envs_(envs),
        resets_(resets),
        players_(players),
        statistics_(statistics),
        resets_itself_(resets_itself) {}

  // Resets the environments of these rows that have ended, in place; *status is that of the reset.
  // `sink`: of the step; an environment that failed is not reset behind its user's back. False if
  // no caller waits for the rows any more (`watch`, see Stepper).
  template <class Watch>
  bool autoreset(LaneCall& call, const Rows& rows, const ErrorSink& sink, const Watch& watch,
                 int32_t* status) {
    uint8_t* ended = envs_.ended.data() + rows.env0();
    for (const EnvFailure& failure : sink.failures()) {
      for (uint32_t i = 0; i < rows.count; ++i) {
        if (failure.env == PP_ALL_LANES || failure.env == rows.first + i) ended[i] = 0;
      }
    }
    if (!save_final(rows) || envs_.apart) return true;
    resets_.note_games(rows);
    Shard& shard = *rows.shard;
    std::memcpy(shard.reset_mask.data(), ended, rows.count);
    if (resets_itself_) leave_out_begun(rows);
    const uint32_t n_reset = row_loops::count(rows.count, shard.reset_mask.data());
    if (n_reset == 0) {
      begin_episodes(rows);
      return true;
    }
    // The rewards and flags of the step that ended stay: the reset writes its own elsewhere.
    double* reward = layout_.rewards(rows.batch, rows.row);
    shard.reward.assign(reward, reward + size_t{rows.count} * layout_.reward_width());
    if (!watch.begin_again(rows)) return false;
    *status |= resets_.reset(call, n_reset, resets_.choose_seeds(rows));
    if (!watch.end_again(rows)) return false;
    std::memcpy(reward, shard.reward.data(), shard.reward.size() * sizeof(double));
    begin_episodes(rows);
    return true;
  }

 private:
  // Copies the last rows of episodes that ended to the final columns. False if there are none.
  bool save_final(const Rows& rows) const {
    const uint32_t count = rows.count;
    const uint8_t* ended = envs_.ended.data() + rows.env0();
    row_loops::pick(count, ended, envs_.elapsed.data() + rows.env0(),
                    layout_.rows<int32_t>(rows, column_final_step));
    if (!envs_.episode_seed.empty()) {
      row_loops::pick(count, ended, envs_.episode_seed.data() + rows.env0(),
                      layout_.rows<uint64_t>(rows, column_final_seed));
    }
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      const size_t to = layout_.final_column_of_field(f);
      if (to == Layout::none) continue;
      char* final_rows = layout_.bytes(rows.batch, to, rows.row);
      const char* from = layout_.bytes(rows.batch, layout_.column_of_field(f), rows.row);
      const size_t bytes = layout_.column(to).row_bytes;
      if (layout_.spec().fields[f].role == PP_ROLE_INFO) std::memset(final_rows, 0, count * bytes);
      row_loops::for_each(count, ended, [&](uint32_t i) {
        std::memcpy(final_rows + i * bytes, from + i * bytes, bytes);
      });
    }
    return std::memchr(ended, 1, count) != nullptr;
  }

  // Environments that reset themselves are reset only where the host cut their episodes off.
  void leave_out_begun(const Rows& rows) const {
    uint8_t* mask = rows.shard->reset_mask.data();
    const uint8_t* terminated = layout_.own_terminated(rows.batch, rows.row);
    const uint8_t* truncated = layout_.own_truncated(rows.batch, rows.row);
    if (truncated == nullptr) truncated = terminated;
    row_loops::leave_out(rows.count, terminated, truncated, rows.stepped(), mask);
  }

  // The environments that have ended were reset within the step that ended them.
  void begin_episodes(const Rows& rows) {
    uint8_t* ended = envs_.ended.data() + rows.env0();
    if (statistics_ != nullptr || players_ != nullptr) {
      const double now = EnvTable::seconds_now();
      row_loops::for_each(rows.count, ended, [&](uint32_t i) {
        if (statistics_ != nullptr) statistics_->begin_episode(rows, i, now);
        if (players_ != nullptr) players_->begin_episode(rows, i);
      });
    }
    row_loops::begin_again(rows.count, ended, envs_.elapsed.data() + rows.env0(),
                           layout_.rows<int32_t>(rows, column_elapsed_step));
    std::memset(ended, 0, rows.count);
  }

  const Layout& layout_;
  EnvTable& envs_;
  LaneResets& resets_;
  Players* players_;
  EpisodeStatistics* statistics_;
  const bool resets_itself_;
};

}  // namespace pp::host
