// parallel_pool/host/step/action_chunks.hpp: several actions of each environment in one call.
//
// They are played one by one, each by a step like any other, into the same row: limits, statistics
// and resets know nothing of chunks. An environment stops where its episode ends, where it fails,
// where a step is refused, and after a reset; with several players also where one of them ends,
// goes or comes, since the actions are for those that there were.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/step/failures.hpp"
#include "parallel_pool/host/step/refused_steps.hpp"
#include "parallel_pool/host/step/row_loops.hpp"

namespace pp::host {

// Used by the thread that holds the shard.
class ActionChunks {
 public:
  // All of these outlive it; `players` may be NULL. `time_limit`: of EpisodeBookkeeping.
  // `closed`: that of the pool, which is then looked at between steps.
  ActionChunks(const Layout& layout, const PoolConfig& config, const EnvTable& envs,
               const PlayerTable* players, BatchQueue& batches, RefusedSteps& refused,
               Failures& failures, int32_t time_limit, const std::atomic<bool>& closed)
      : layout_(layout),
        config_(config),
        envs_(envs),
        players_(players),
        batches_(batches),
        refused_(refused),
        failures_(failures),
        time_limit_(time_limit),
        closed_(closed),
        width_(layout.reward_width()),
        // Others count what the host writes of each step.
        passes_steps_(players == nullptr && !config.dm_columns && !config.whole_games),
        at_(envs.size(), 0),
        over_(envs.size(), 0),
        sum_(size_t{envs.size()} * width_, 0.0) {
    if (config.chunk_rewards) rewards_.assign(sum_.size() * config.action_chunk, 0.0);
    if (config.dm_columns) discount_.assign(sum_.size(), 1.0);
    if (layout.has_score()) score_.assign(envs.size(), 0.0);
    if (players != nullptr) acting_.resize(size_t{envs.size()} * players->capacity());
    for (size_t f = 0; f < layout.num_fields(); ++f) {
      const size_t column = layout.trail_column_of_field(f);
      if (column == Layout::none) continue;
      const size_t bytes = layout.column(column).row_bytes * envs.size();
      trails_.push_back({layout.column_of_field(f), column, std::vector<char>(bytes)});
    }
    if (!trails_.empty()) shown_.assign(envs.size(), 0);
    if (config.synchronous() || config.rows_at_once()) return;
    for (uint32_t env = 0; env < envs.size(); env += config.batch_size) {
      apart_.emplace_back(layout.store()->acquire(config.batch_size));
    }
  }

  // Plays what is left of the chunks of these lanes, or resets them. once(rows): one step, as
  // Stepper::step says; so is what this gives, and where that is none, it is called again.
  template <class Watch, class Once>
  Rows play(const Rows& asked, const Watch& watch, Once&& once) {
    Rows rows = asked;
    const bool apart = asked.batch == nullptr && Watch::claims_late;
    if (apart) rows = row_apart(asked);
    const uint8_t* over = over_.data() + rows.env0();
    const uint16_t* at = at_.data() + rows.env0();
    bool all = false;  // lanes are at the same action
    for (bool first = true; all || std::memchr(over, 0, rows.count) != nullptr;) {
      // Lanes that are behind come first, so that a step that was left is the first to go on.
      const uint16_t now = all ? at[0] : lowest(rows.count, over, at);
      for (uint32_t i = 0; i < rows.count;) {
        uint32_t end = all ? rows.count : i;
        while (end < rows.count && over[end] == 0 && at[end] == now) ++end;
        if (end > i) {
          Rows part = rows;
          part.first += i;
          part.count = end - i;
          part.row += i;
          part.actions = size_t{now} * envs_.size();
          if (!first && (closed_.load() || !watch.begin_again(part))) return {};
          first = false;
          look_ahead(part);
          keep_acting(part);
          if (now > 0) keep_shown(part, now);
          const Rows done = once(part);
          if (done.batch == nullptr) return {};
          if (rows.batch == nullptr) {  // it was one lane
            rows.batch = done.batch;
            rows.row = done.row;
          }
          all = note(done) && done.count == rows.count;
        }
        i = std::max(end, i + 1);
      }
    }
    finish(rows);
    return apart ? answered(rows) : rows;
  }

  // Sets `ahead` of the shard for these lanes, where it is kept.
  void look_ahead(const Rows& rows) const {
    std::vector<uint32_t>& ahead = rows.shard->ahead;
    if (ahead.empty()) return;
    Rows lane = rows;
    for (lane.count = 1; lane.first < rows.first + rows.count; ++lane.first) {
      ahead[lane.first] = steps_left(lane);
    }
  }

  // Returns how many steps these lanes, which are at the same action, all make from this one on,
  // unless an episode ends before its time limit.
  uint32_t steps_left(const Rows& rows) const {
    const uint32_t env0 = rows.env0();
    uint32_t steps = config_.action_chunk - at_[env0];
    const int32_t* elapsed = envs_.elapsed.data() + env0;
    int32_t oldest = 0;
    for (uint32_t i = 0; i < rows.count; ++i) oldest = std::max(oldest, elapsed[i]);
    const auto limit = static_cast<uint32_t>(std::max(time_limit_ - oldest, 1));
    steps = std::min(steps, limit);
    for (uint32_t i = 0; i < rows.count && refused_.enabled(); ++i) {
      steps = std::min(steps, refused_.steps_before(env0 + i, rows.actions, envs_.size(), steps));
    }
    return steps;
  }
  // Returns true if nobody reads the observations of steps that others surely follow.
  bool hides_steps() const { return trails_.empty() && players_ == nullptr; }
  // Returns true if pass() may be called. Workers make all steps of a chunk in one call.
  bool passes_steps(const Rows& rows) const { return passes_steps_ && rows.shard->ahead.empty(); }
  // Adds a step of these lanes after which all of them go on, in rows that have only what the
  // environment wrote; `passed` of them are not counted yet. False if no caller waits for the next.
  bool pass(const Rows& rows, uint32_t passed) {
    add_up(rows, passed);
    if (!trails_.empty()) keep_shown(rows, at_[rows.env0()] + passed + 1);
    return !closed_.load(std::memory_order_relaxed);
  }
  void count(const Rows& rows, uint32_t passed) {
    row_loops::add_each(rows.count, static_cast<uint16_t>(passed), at_.data() + rows.env0());
  }

  // Writes what the chunks of these rows come to; the next call begins with others.
  void finish(const Rows& rows) {
    const uint32_t env0 = rows.env0();
    const size_t count = size_t{rows.count} * width_;
    const size_t from = size_t{env0} * width_;
    double* reward = layout_.rewards(rows.batch, rows.row);
    std::memcpy(reward, sum_.data() + from, count * sizeof *reward);
    std::fill_n(sum_.begin() + static_cast<std::ptrdiff_t>(from), count, 0.0);
    if (config_.reward32) {
      row_loops::narrow(static_cast<uint32_t>(count), reward,
                        layout_.rows<float>(rows.batch, column_reward32, rows.row * width_));
    }
    if (!discount_.empty()) {
      auto* discount = reinterpret_cast<double*>(
          layout_.bytes(rows.batch, layout_.column_of(column_discount), rows.row));
      std::memcpy(discount, discount_.data() + from, count * sizeof *discount);
      std::fill_n(discount_.begin() + static_cast<std::ptrdiff_t>(from), count, 1.0);
    }
    if (!score_.empty()) {
      std::memcpy(layout_.score(rows), score_.data() + env0, rows.count * sizeof(double));
      std::fill_n(score_.begin() + env0, rows.count, 0.0);
    }
    if (!rewards_.empty()) show_rewards(rows);
    if (!trails_.empty()) show_trails(rows);
    auto* steps = layout_.rows<int32_t>(rows, column_chunk_steps);
    for (uint32_t i = 0; i < rows.count; ++i) steps[i] = at_[env0 + i];
    std::fill_n(at_.begin() + env0, rows.count, uint16_t{0});
    std::memset(over_.data() + env0, 0, rows.count);
    if (refused_.enabled()) refused_.forget(env0, rows.count);
  }

 private:
  // The last observations of a field before that in the row.
  struct Trail {
    size_t from;  // columns
    size_t to;
    std::vector<char> rows;  // chunk_trail for each environment, round and round
  };

  static uint16_t lowest(uint32_t count, const uint8_t* over, const uint16_t* at) {
    uint16_t least = UINT16_MAX;
    for (uint32_t i = 0; i < count; ++i) {
      if (over[i] == 0) least = std::min(least, at[i]);
    }
    return least;
  }

  // Counts a step of these lanes. Returns true if all of them go on.
  bool note(const Rows& rows) {
    const uint32_t env0 = rows.env0();
    const uint32_t count = rows.count;
    const uint8_t* stepped = rows.stepped();
    const auto* ended = layout_.rows<uint8_t>(rows, column_ended);
    uint16_t* at = at_.data() + env0;
    uint8_t* over = over_.data() + env0;
    add_up(rows, 0);
    const bool all = players_ == nullptr && envs_.n_failed.load() == 0 &&
                     std::memchr(ended, 1, count) == nullptr &&
                     std::memchr(stepped, 0, count) == nullptr;
    if (all) {
      row_loops::add_each(count, uint16_t{1}, at);
      if (at[0] < config_.action_chunk) return true;
      std::memset(over, 1, count);
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
      const bool counts = stepped[i] != 0 && envs_.failed[env0 + i] == 0;
      if (counts) ++at[i];
      const bool goes_on =
          counts && ended[i] == 0 && at[i] < config_.action_chunk && same_players(rows, i);
      over[i] = goes_on ? 0 : 1;
    }
    return false;
  }

  // Rewards of steps that were not made are 0. `passed`: as pass() says.
  void add_up(const Rows& rows, uint32_t passed) {
    const uint32_t env0 = rows.env0();
    const double* reward = layout_.rewards(rows.batch, rows.row);
    row_loops::add(rows.count * width_, reward, sum_.data() + size_t{env0} * width_);
    if (!rewards_.empty()) {
      for (uint32_t i = 0; i < rows.count; ++i) {
        const size_t place = size_t{env0 + i} * config_.action_chunk + at_[env0 + i] + passed;
        std::memcpy(&rewards_[place * width_], reward + size_t{i} * width_,
                    width_ * sizeof *reward);
      }
    }
    if (!discount_.empty()) {
      const auto* discount = reinterpret_cast<const double*>(
          layout_.bytes(rows.batch, layout_.column_of(column_discount), rows.row));
      double* product = discount_.data() + size_t{env0} * width_;
      for (size_t i = 0; i < size_t{rows.count} * width_; ++i) product[i] *= discount[i];
    }
    if (!score_.empty()) {
      const double* score = layout_.score(rows);
      const auto* ended = layout_.rows<uint8_t>(rows, column_ended);
      for (uint32_t i = 0; i < rows.count; ++i) {  // a step that was refused wrote none
        if (rows.stepped()[i] != 0 || ended[i] == 0) score_[env0 + i] += score[i];
      }
    }
  }

  // Each player has its own in a row, as it has its own actions.
  void show_rewards(const Rows& rows) {
    const uint32_t chunk = config_.action_chunk;
    const size_t each = size_t{chunk} * width_;
    double* kept = rewards_.data() + rows.env0() * each;
    auto* shown = reinterpret_cast<double*>(
        layout_.bytes(rows.batch, layout_.column_of(column_chunk_rewards), rows.row));
    for (uint32_t i = 0; i < rows.count; ++i) {
      for (uint32_t p = 0; p < width_; ++p) {
        for (uint32_t k = 0; k < chunk; ++k) {
          shown[i * each + p * chunk + k] = kept[i * each + k * width_ + p];
        }
      }
    }
    std::fill_n(kept, rows.count * each, 0.0);
  }

  // Called before step `now` overwrites what these rows show.
  void keep_shown(const Rows& rows, uint32_t now) {
    const uint32_t length = config_.chunk_trail;
    for (Trail& trail : trails_) {
      const size_t bytes = layout_.column(trail.from).row_bytes;
      for (uint32_t i = 0; i < rows.count; ++i) {
        const uint32_t env = rows.env0() + i;
        if (shown_[env] == now) continue;  // the step was left, and its row may be written already
        const size_t place = size_t{env} * length + (now - 1) % length;
        std::memcpy(&trail.rows[place * bytes], layout_.bytes(rows.batch, trail.from, rows.row + i),
                    bytes);
      }
    }
    if (!shown_.empty()) std::fill_n(shown_.begin() + rows.env0(), rows.count, now);
  }
  void show_trails(const Rows& rows) {
    const uint32_t length = config_.chunk_trail;
    auto* used = layout_.rows<int32_t>(rows, column_chunk_trail);
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      const uint32_t count = std::min(shown_[env], length);
      used[i] = static_cast<int32_t>(count);
      for (const Trail& trail : trails_) {
        const size_t bytes = layout_.column(trail.from).row_bytes;
        char* to = layout_.bytes(rows.batch, trail.to, rows.row + i);
        for (uint32_t k = 0; k < count; ++k, to += bytes) {
          const size_t place = size_t{env} * length + (shown_[env] - count + k) % length;
          std::memcpy(to, &trail.rows[place * bytes], bytes);
        }
      }
      shown_[env] = 0;
    }
  }

  void keep_acting(const Rows& rows) {
    if (players_ == nullptr) return;
    const size_t capacity = players_->capacity();
    std::memcpy(&acting_[rows.env0() * capacity], players_->acting(rows.env0()),
                rows.count * capacity);
  }
  // Returns true if the same players act as before, and none of them plays on after an end.
  bool same_players(const Rows& rows, uint32_t i) const {
    if (players_ == nullptr) return true;
    const size_t capacity = players_->capacity();
    const uint32_t env = rows.env0() + i;
    const auto* ended = layout_.players()->slots<uint8_t>(rows, player_ended, i);
    return std::memcmp(&acting_[env * capacity], players_->acting(env), capacity) == 0 &&
           std::memchr(ended, 1, capacity) == nullptr;
  }

  // A row of this lane where no caller sees it: rows of asynchronous pools are claimed by
  // environments that are done.
  Rows row_apart(const Rows& asked) const {
    Rows rows = asked;
    rows.batch = apart_[asked.env0() / config_.batch_size].get();
    rows.row = asked.env0() % config_.batch_size;
    return rows;
  }
  Rows answered(const Rows& from) {
    Rows to = from;
    uint32_t one = 1;
    to.batch = batches_.claim(&one, &to.row);
    failures_.move(from, to);
    return to;
  }

  const Layout& layout_;
  const PoolConfig& config_;
  const EnvTable& envs_;
  const PlayerTable* players_;
  BatchQueue& batches_;
  RefusedSteps& refused_;
  Failures& failures_;
  const int32_t time_limit_;
  const std::atomic<bool>& closed_;
  const uint32_t width_;
  const bool passes_steps_;
  // By environment, of the chunk in progress.
  std::vector<uint16_t> at_;     // the steps that were made
  std::vector<uint8_t> over_;    // no more will be
  std::vector<double> sum_;      // the sum of rewards, as wide as those
  std::vector<double> rewards_;  // (chunk, width) each; empty unless they are shown
  std::vector<double> discount_;
  std::vector<double> score_;
  std::vector<Trail> trails_;
  std::vector<uint32_t> shown_;  // the number of rows put into them; empty without any
  std::vector<uint8_t> acting_;  // who acted in the step in progress
  std::vector<std::unique_ptr<Batch, BatchStore::Release>> apart_;  // rows by environment
};

}  // namespace pp::host
