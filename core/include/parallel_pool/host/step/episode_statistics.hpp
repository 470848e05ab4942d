// parallel_pool/host/step/episode_statistics.hpp: return, length and duration of episodes,
// or of whole games, which may be several episodes and have points of their own.
#pragma once

#include <cstdint>
#include <cstring>

#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/step/players.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Called by the thread that holds the shard, once the bookkeeping of the rows is done.
class EpisodeStatistics {
 public:
  // All of these outlive it; `players` may be NULL. `whole_games`: as in PoolConfig.
  EpisodeStatistics(const Layout& layout, EnvTable& envs, Players* players, bool whole_games)
      : layout_(layout), envs_(envs), players_(players), whole_games_(whole_games) {}

  // Counts the episodes that end in these rows.
  void count(const Rows& rows) {
    if (whole_games_) {
      count_games(rows);
      return;
    }
    const uint32_t count = rows.count;
    const uint8_t* stepped = rows.stepped();
    const uint32_t env0 = rows.env0();
    const uint8_t* ended = envs_.ended.data() + env0;
    const double* reward =
        players_ == nullptr ? layout_.rewards(rows.batch, rows.row) : players_->count_rewards(rows);
    double* sum = envs_.episode_return.data() + env0;
    auto* episode_return = layout_.rows<double>(rows, column_episode_return);
    auto* episode_length = layout_.rows<int32_t>(rows, column_episode_length);
    auto* episode_time = layout_.rows<double>(rows, column_episode_time);
    double* began = envs_.began.data() + env0;
    // The reward of a step that resets is 0, so only the sums of new episodes need a second look.
    row_loops::add(count, reward, sum);
    std::memset(episode_return, 0, count * sizeof *episode_return);
    std::memset(episode_length, 0, count * sizeof *episode_length);
    std::memset(episode_time, 0, count * sizeof *episode_time);
    if (std::memchr(ended, 1, count) == nullptr && std::memchr(stepped, 0, count) == nullptr)
      return;
    const double now = EnvTable::seconds_now();
    const int32_t* steps = envs_.elapsed.data() + env0;
    row_loops::for_each(count, ended, [=](uint32_t i) {
      episode_return[i] = sum[i];
      episode_length[i] = steps[i];
      episode_time[i] = now - began[i];
    });
    row_loops::for_each(count, rows.shard->reset_mask.data(), [=](uint32_t i) {
      began[i] = now;
      sum[i] = 0.0;
    });
  }

  // Environment i of these rows was reset, and they have what the reset wrote.
  void begin_episode(const Rows& rows, uint32_t i, double now) {
    const uint32_t env = rows.env0() + i;
    if (!whole_games_ || layout_.continues(rows)[i] == 0) {
      envs_.episode_return[env] = 0.0;
      envs_.game_steps[env] = 0;
      envs_.began[env] = now;
    }
    if (whole_games_) envs_.episode_return[env] += layout_.score(rows)[i];
  }

 private:
  void count_games(const Rows& rows) {
    const double now = EnvTable::seconds_now();
    const uint8_t* stepped = rows.stepped();
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      const bool ended = envs_.ended[env] != 0;
      int32_t& steps = envs_.game_steps[env];
      if (stepped[i] != 0) {
        envs_.episode_return[env] += layout_.score(rows)[i];
        steps += steps != INT32_MAX ? 1 : 0;
      } else if (!ended) {
        begin_episode(rows, i, now);
      }  // else its step was refused, and it wrote nothing
      const bool over = ended && (stepped[i] == 0 || layout_.continues(rows)[i] == 0);
      layout_.rows<uint8_t>(rows, column_game_ended)[i] = over ? 1 : 0;
      layout_.rows<double>(rows, column_episode_return)[i] = over ? envs_.episode_return[env] : 0.0;
      layout_.rows<int32_t>(rows, column_episode_length)[i] = over ? steps : 0;
      layout_.rows<double>(rows, column_episode_time)[i] = over ? now - envs_.began[env] : 0.0;
    }
  }

  const Layout& layout_;
  EnvTable& envs_;
  Players* players_;
  bool whole_games_;
};

}  // namespace pp::host
