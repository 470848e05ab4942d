// parallel_pool/host/step/episode_bookkeeping.hpp: the host's part of a row, once the environment
// has written its own: time limit, what comes next, statistics, failures.
#ifndef PARALLEL_POOL_HOST_STEP_EPISODE_BOOKKEEPING_HPP_
#define PARALLEL_POOL_HOST_STEP_EPISODE_BOOKKEEPING_HPP_

#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/shard.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/step/players.hpp"
#include "parallel_pool/host/step/refused_steps.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Called by the thread that holds the shard. `env0` is the first environment of a call, `row` its
// row, `count` how many there are.
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

  // `n_reset`: how many of them were not stepped, as shard.step_mask says too.
  void finish(Shard& shard, uint32_t env0, uint32_t count, uint32_t n_reset, Batch* batch,
              uint32_t row) {
    const uint8_t* stepped = shard.step_mask.data();
    double* reward = layout_.rewards(batch, row);
    auto* terminated = layout_.rows<uint8_t>(batch, column_terminated, row);
    auto* truncated = layout_.rows<uint8_t>(batch, column_truncated, row);
    int32_t* steps = envs_.elapsed.data() + env0;
    uint8_t* ended = envs_.ended.data() + env0;
    const uint8_t* own_terminated = layout_.own_terminated(batch, row);
    const uint8_t* own_truncated = layout_.own_truncated(batch, row);
    const Players::Rows who{batch, row, env0, count, stepped};
    if (players_ != nullptr) {
      const Players::Flags all = players_->look(shard, who);
      if (all.terminated != nullptr) own_terminated = all.terminated;
      if (all.truncated != nullptr) own_truncated = all.truncated;
    }
    row_loops::number(count, static_cast<int32_t>(env0),
                      layout_.rows<int32_t>(batch, column_env_id, row));
    row_loops::advance(count, stepped, steps,
                       layout_.rows<int32_t>(batch, column_elapsed_step, row));
    if (time_limit_ != no_time_limit) {
      row_loops::limit(count, steps, time_limit_, truncated);
    } else {
      std::memset(truncated, 0, count);
    }
    if (own_truncated != nullptr) row_loops::merge(count, stepped, own_truncated, truncated);
    row_loops::compute_dones(count, stepped, own_terminated, truncated, terminated, ended);
    if (players_ != nullptr)
      players_->compute_dones(who, terminated, truncated, steps, time_limit_);
    std::memcpy(layout_.rows<uint8_t>(batch, column_ended, row), ended, count);
    const uint32_t width = layout_.reward_width();
    if (n_reset > 0 && width == 1) row_loops::blank(count, stepped, reward);
    if (n_reset > 0 && width != 1) players_->clear_rewards(who);
    if (config_.reward32) {
      row_loops::narrow(count * width, reward,
                        layout_.rows<float>(batch, column_reward32, row * width));
    }
    if (config_.dm_columns) finish_dm(who, ended, terminated);
  }

  // Return, length and duration of the episodes that end in these rows.
  void count_episodes(Shard& shard, uint32_t env0, uint32_t count, Batch* batch, uint32_t row) {
    const uint8_t* stepped = shard.step_mask.data();
    const uint8_t* ended = envs_.ended.data() + env0;
    const double* reward = players_ == nullptr
                               ? layout_.rewards(batch, row)
                               : players_->count_rewards(shard, {batch, row, env0, count, stepped});
    double* sum = envs_.episode_return.data() + env0;
    auto* episode_return = layout_.rows<double>(batch, column_episode_return, row);
    auto* episode_length = layout_.rows<int32_t>(batch, column_episode_length, row);
    auto* episode_time = layout_.rows<double>(batch, column_episode_time, row);
    // The reward of a step that resets is 0, so only the sums of new episodes need a second look.
    row_loops::add(count, reward, sum);
    if (std::memchr(ended, 1, count) == nullptr && std::memchr(stepped, 0, count) == nullptr) {
      std::memset(episode_return, 0, count * sizeof *episode_return);
      std::memset(episode_length, 0, count * sizeof *episode_length);
      std::memset(episode_time, 0, count * sizeof *episode_time);
      return;
    }
    row_loops::sum_up(count, ended, sum, envs_.elapsed.data() + env0, episode_return,
                      episode_length);
    row_loops::clock(count, ended, stepped, EnvTable::seconds_now(), envs_.began.data() + env0,
                     episode_time);
    row_loops::blank(count, stepped, sum);
  }

  // For the caller of recv, who looks at single rows only if there is something to see.
  void note_ended(uint32_t count, Batch* batch, uint32_t row) const {
    if (std::memchr(layout_.rows<uint8_t>(batch, column_ended, row), 1, count) != nullptr) {
      batch->any_ended.store(true, std::memory_order_relaxed);
    }
  }

  // ---- SAME_STEP ----------------------------------------------------------------------------

  // Copies the last rows of episodes that ended to the final columns. False if there are none.
  bool save_final(uint32_t env0, uint32_t count, Batch* batch, uint32_t row) const {
    const EnvSpec& spec = layout_.spec();
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      const size_t to = layout_.final_column_of_field(f);
      if (to == Layout::none || spec.fields[f].role != PP_ROLE_INFO) continue;
      std::memset(layout_.bytes(batch, to, row), 0, count * layout_.column(to).row_bytes);
    }
    const uint8_t* ended = envs_.ended.data() + env0;
    if (std::memchr(ended, 1, count) == nullptr) return false;
    row_loops::for_each(count, ended, 1, [&](uint32_t i) {
      for (size_t f = 0; f < layout_.num_fields(); ++f) {
        const size_t to = layout_.final_column_of_field(f);
        if (to == Layout::none) continue;
        std::memcpy(layout_.bytes(batch, to, row + i),
                    layout_.bytes(batch, layout_.column_of_field(f), row + i),
                    layout_.column(to).row_bytes);
      }
    });
    return true;
  }

  // The environments in shard.reset_mask were reset within the step that ended them.
  void autoreset_same_step(Shard& shard, uint32_t env0, uint32_t count, Batch* batch,
                           uint32_t row) {
    auto* elapsed = layout_.rows<int32_t>(batch, column_elapsed_step, row);
    const double now = config_.statistics ? EnvTable::seconds_now() : 0.0;
    row_loops::for_each(count, shard.reset_mask.data(), 1, [&](uint32_t i) {
      const uint32_t env = env0 + i;
      elapsed[i] = 0;
      envs_.ended[env] = 0;
      envs_.elapsed[env] = 0;
      envs_.episode_return[env] = 0.0;
      envs_.began[env] = now;
      if (players_ != nullptr) {
        players_->autoreset_same_step(shard, {batch, row, env0, count, shard.step_mask.data()}, i);
      }
    });
  }

  // ---- rows that are not as the environment wrote them --------------------------------------

  // Environments that were not stepped: what they said last, and the end of the episode.
  void answer_refused(RefusedSteps& refused, uint32_t env0, uint32_t count, Batch* batch,
                      uint32_t row) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t env = env0 + i;
      if (!refused.is_refused(env)) continue;
      envs_.elapsed[env] = refused.repeat(env, batch, row + i);
      envs_.ended[env] = 1;
      *layout_.rows<int32_t>(batch, column_elapsed_step, row + i) = envs_.elapsed[env];
      *layout_.rows<uint8_t>(batch, column_truncated, row + i) = 1;
      *layout_.rows<uint8_t>(batch, column_ended, row + i) = 1;
      *layout_.rows<int32_t>(batch, column_step_type, row + i) = 2;
      const std::lock_guard<std::mutex> lock(failure_mutex_);
      batch->notes.push_back({row + i, refused.dismiss(env)});
    }
  }

  // Environments that failed.
  void record(const ErrorSink& sink, const Shard& shard, uint32_t first, uint32_t count,
              Batch* batch, uint32_t row) {
    const std::lock_guard<std::mutex> lock(failure_mutex_);
    const auto fail = [&](uint32_t lane, const std::string& message) {
      fail_row(shard.base + lane, batch, row + (lane - first), message);
    };
    if (sink.empty()) {
      for (uint32_t i = 0; i < count; ++i) fail(first + i, "the plugin gave no reason");
    }
    for (const EnvFailure& failure : sink.failures()) {
      const bool one = failure.env >= first && failure.env - first < count;
      for (uint32_t i = 0; i < count; ++i) {
        if (!one || failure.env == first + i) fail(first + i, failure.message);
      }
    }
  }

  // An environment that does not return.
  void record_timeout(uint32_t env, Batch* batch, uint32_t row, const std::string& message) {
    const std::lock_guard<std::mutex> lock(failure_mutex_);
    batch->timed_out = true;
    fail_row(env, batch, row, message);
  }

 private:
  static int32_t find_limit(const PoolConfig& config, const EnvSpec& spec) {
    const int64_t steps =
        config.max_episode_steps >= 0 ? config.max_episode_steps : spec.max_episode_steps;
    return steps == 0 || steps >= no_time_limit ? no_time_limit : static_cast<int32_t>(steps);
  }

  void finish_dm(const Players::Rows& rows, const uint8_t* ended, const uint8_t* terminated) {
    auto* discount = layout_.rows<double>(rows.batch, column_discount, rows.row);
    auto* step_type = layout_.rows<int32_t>(rows.batch, column_step_type, rows.row);
    const double* own = layout_.own_discount(rows.batch, rows.row);
    for (uint32_t i = 0; i < rows.count; ++i) {
      step_type[i] = rows.stepped[i] == 0 ? 0 : (ended[i] != 0 ? 2 : 1);
    }
    if (layout_.reward_width() != 1) {
      players_->discount(rows, layout_.spec().find(PP_ROLE_DISCOUNT),
                         layout_.column_of(column_discount));
      return;
    }
    for (uint32_t i = 0; i < rows.count; ++i) {
      discount[i] =
          own != nullptr && rows.stepped[i] != 0 ? own[i] : (terminated[i] != 0 ? 0.0 : 1.0);
    }
  }

  // Zeros and `truncated`, so that nobody learns from half a step. With failure_mutex_ held.
  void fail_row(uint32_t env, Batch* batch, uint32_t row, const std::string& message) {
    for (size_t c = 0; c < layout_.columns().size(); ++c) {
      std::memset(layout_.bytes(batch, c, row), 0, layout_.column(c).row_bytes);
    }
    *layout_.rows<int32_t>(batch, column_env_id, row) = static_cast<int32_t>(env);
    *layout_.rows<uint8_t>(batch, column_truncated, row) = 1;
    *layout_.rows<int32_t>(batch, column_step_type, row) = 2;
    envs_.fail(env);
    if (players_ != nullptr) players_->fail(env);
    batch->failures.push_back({env, message});
  }

  const Layout& layout_;
  EnvTable& envs_;
  const PoolConfig& config_;
  Players* players_;
  int32_t time_limit_;
  std::mutex failure_mutex_;  // of what is said about rows of batches
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_STEP_EPISODE_BOOKKEEPING_HPP_
