// parallel_pool/host/step/episode_bookkeeping.hpp: the host's part of a row, once the environment
// has written its own: numbers, time limit, what has ended and what comes next.
#pragma once

#include <cstdint>
#include <cstring>

#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/step/players.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Called by the thread that holds the shard.
class EpisodeBookkeeping {
 public:
  static constexpr int32_t no_time_limit = INT32_MAX;

  // All of these outlive it; `players` may be NULL.
  EpisodeBookkeeping(const Layout& layout, EnvTable& envs, const PoolConfig& config,
                     Players* players)
      : layout_(layout),
        envs_(envs),
        config_(config),
        players_(players),
        time_limit_(find_limit(config, layout.spec())) {}

  int32_t time_limit() const { return time_limit_; }

  // Returns true if no episode ends in these rows, all of which were stepped, as the environment
  // says. The caller knows that the time limit is further off.
  bool all_go_on(const Rows& rows) const {
    const uint8_t* truncated = layout_.own_truncated(rows.batch, rows.row);
    return !row_loops::any(rows.count, layout_.own_terminated(rows.batch, rows.row)) &&
           (truncated == nullptr || !row_loops::any(rows.count, truncated));
  }
  // With statistics, after a step of which fill() is not told.
  void add_return(const Rows& rows) {
    row_loops::add(rows.count, layout_.rewards(rows.batch, rows.row),
                   envs_.episode_return.data() + rows.env0());
  }

  // `n_reset`: how many of these were not stepped, as rows.stepped() says too.
  void fill(const Rows& rows, uint32_t n_reset) {
    const uint32_t count = rows.count;
    const uint8_t* stepped = rows.stepped();
    double* reward = layout_.rewards(rows.batch, rows.row);
    auto* terminated = layout_.rows<uint8_t>(rows, column_terminated);
    auto* truncated = layout_.rows<uint8_t>(rows, column_truncated);
    int32_t* steps = envs_.elapsed.data() + rows.env0();
    uint8_t* ended = envs_.ended.data() + rows.env0();
    const uint8_t* own_terminated = layout_.own_terminated(rows.batch, rows.row);
    const uint8_t* own_truncated = layout_.own_truncated(rows.batch, rows.row);
    if (players_ != nullptr) {
      const Players::Flags all = players_->look(rows);
      if (all.terminated != nullptr) own_terminated = all.terminated;
      if (all.truncated != nullptr) own_truncated = all.truncated;
    }
    if (!rows.batch->standing) {  // that one has its numbers
      row_loops::number(count, static_cast<int32_t>(rows.env0()),
                        layout_.rows<int32_t>(rows, column_env_id));
    }
    auto* elapsed = layout_.rows<int32_t>(rows, column_elapsed_step);
    if (n_reset == 0) {
      row_loops::advance(count, steps, elapsed);
    } else {
      row_loops::advance(count, stepped, steps, elapsed);
    }
    if (time_limit_ != no_time_limit) {
      row_loops::limit(count, steps, time_limit_, truncated);
    } else {
      std::memset(truncated, 0, count);
    }
    if (own_truncated != nullptr) row_loops::merge(count, stepped, own_truncated, truncated);
    row_loops::compute_dones(count, stepped, own_terminated, truncated, terminated, ended);
    if (players_ != nullptr) {
      players_->compute_dones(rows, terminated, truncated, steps, time_limit_);
    }
    std::memcpy(layout_.rows<uint8_t>(rows, column_ended), ended, count);
    const uint32_t width = layout_.reward_width();
    if (n_reset > 0 && width == 1) row_loops::blank(count, stepped, reward);
    if (n_reset > 0 && width != 1) players_->clear_rewards(rows);
    if (config_.reward32) {
      row_loops::narrow(count * width, reward,
                        layout_.rows<float>(rows.batch, column_reward32, rows.row * width));
    }
    if (config_.dm_columns) fill_dm(rows, ended, terminated);
  }

  // For the caller of recv, which looks at single rows only if there is something to see. Returns
  // true if there is.
  bool note_ended(const Rows& rows) const {
    if (std::memchr(layout_.rows<uint8_t>(rows, column_ended), 1, rows.count) == nullptr) {
      return false;
    }
    auto& noted = rows.batch->any_ended;  // all threads': whoever comes later only reads it
    if (!noted.load(std::memory_order_relaxed)) noted.store(true, std::memory_order_relaxed);
    return true;
  }

 private:
  static int32_t find_limit(const PoolConfig& config, const EnvSpec& spec) {
    const int64_t steps =
        config.max_episode_steps >= 0 ? config.max_episode_steps : spec.max_episode_steps;
    return steps == 0 || steps >= no_time_limit ? no_time_limit : static_cast<int32_t>(steps);
  }

  void fill_dm(const Rows& rows, const uint8_t* ended, const uint8_t* terminated) {
    const uint8_t* stepped = rows.stepped();
    auto* discount = layout_.rows<double>(rows, column_discount);
    auto* step_type = layout_.rows<int32_t>(rows, column_step_type);
    const double* own = layout_.own_discount(rows.batch, rows.row);
    for (uint32_t i = 0; i < rows.count; ++i) {
      step_type[i] = stepped[i] == 0 ? 0 : (ended[i] != 0 ? 2 : 1);
    }
    if (layout_.reward_width() != 1) {
      players_->discount(rows, layout_.spec().find(PP_ROLE_DISCOUNT),
                         layout_.column_of(column_discount));
      return;
    }
    for (uint32_t i = 0; i < rows.count; ++i) {
      discount[i] = own != nullptr && stepped[i] != 0 ? own[i] : (terminated[i] != 0 ? 0.0 : 1.0);
    }
  }

  const Layout& layout_;
  EnvTable& envs_;
  const PoolConfig& config_;
  Players* players_;
  int32_t time_limit_;
};

}  // namespace pp::host
