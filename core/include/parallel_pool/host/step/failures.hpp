// parallel_pool/host/step/failures.hpp: rows that are not as the environment wrote them: of those
// that failed, that did not return in time, or that had a step refused.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/step/refused_steps.hpp"

namespace pp::host {

class Failures {
 public:
  // All of these outlive it; `players` may be NULL.
  Failures(const Layout& layout, EnvTable& envs, PlayerTable* players)
      : layout_(layout), envs_(envs), players_(players) {}

  // Environments that failed, by what the plugin said during the call; nothing: all of them.
  void record(const ErrorSink& sink, const Rows& rows) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (sink.failures().empty() || sink.forgot()) {
      const char* why = sink.forgot() ? "out of memory" : "the plugin gave no reason";
      for (uint32_t i = 0; i < rows.count; ++i) fail(rows, i, why);
      return;
    }
    for (const EnvFailure& failure : sink.failures()) {
      const bool one = failure.env >= rows.first && failure.env - rows.first < rows.count;
      for (uint32_t i = 0; i < rows.count; ++i) {
        if (!one || failure.env == rows.first + i) fail(rows, i, failure.message.c_str());
      }
    }
  }

  // One environment that does not return.
  void record_timeout(const Rows& row, const std::string& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    row.batch->timed_out = true;
    fail(row, 0, message.c_str());
  }

  // Takes what was recorded of one environment out of the batch; nothing: there was no memory for
  // it.
  std::string take(Batch& batch, uint32_t env) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string said;
    for (size_t i = batch.failures.size(); i-- > 0;) {
      if (batch.failures[i].env != env) continue;
      said = batch.failures[i].message + (said.empty() ? "" : "; ") + said;
      batch.failures.erase(batch.failures.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return said;
  }

  // Puts one row with all that was said of it into another batch.
  void move(const Rows& from, const Rows& to) {
    for (size_t c = 0; c < layout_.columns().size(); ++c) {
      std::memcpy(layout_.bytes(to.batch, c, to.row), layout_.bytes(from.batch, c, from.row),
                  layout_.column(c).row_bytes);
    }
    if (*layout_.rows<uint8_t>(to, column_ended) != 0) {
      to.batch->any_ended.store(true, std::memory_order_relaxed);
    }
    if (!any_.load(std::memory_order_relaxed)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    move(from.batch->failures, to.batch->failures, &EnvFailure::env, from.env0(), from.env0());
    move(from.batch->notes, to.batch->notes, &RowNote::row, from.row, to.row);
  }

  // Passes on the plugin's notes about rows that count.
  void pass_on_notes(const ErrorSink& sink, const Rows& rows) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const RowNote& note : sink.notes()) {
      if (note.row < rows.first || note.row - rows.first >= rows.count) continue;
      keep(rows.batch->notes, rows.row + note.row - rows.first, note.message.c_str());
    }
  }

  // Environments that were not stepped: what they said last, and the end of the episode.
  void answer_refused(RefusedSteps& refused, const Rows& rows) {
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      if (!refused.is_refused(env)) continue;
      envs_.elapsed[env] = refused.repeat(env, rows.batch, rows.row + i);
      envs_.ended[env] = 1;
      layout_.rows<int32_t>(rows, column_elapsed_step)[i] = envs_.elapsed[env];
      layout_.rows<uint8_t>(rows, column_truncated)[i] = 1;
      layout_.rows<uint8_t>(rows, column_ended)[i] = 1;
      layout_.rows<int32_t>(rows, column_step_type)[i] = 2;
      const std::lock_guard<std::mutex> lock(mutex_);
      keep(rows.batch->notes, rows.row + i, refused.dismiss(env).c_str());
    }
  }

 private:
  // Zeros and `truncated`, so that no learner uses half a step. With mutex_ held.
  void fail(const Rows& rows, uint32_t i, const char* message) {
    const uint32_t env = rows.env0() + i;
    for (size_t c = 0; c < layout_.columns().size(); ++c) {
      std::memset(layout_.bytes(rows.batch, c, rows.row + i), 0, layout_.column(c).row_bytes);
    }
    layout_.rows<int32_t>(rows, column_env_id)[i] = static_cast<int32_t>(env);
    layout_.rows<uint8_t>(rows, column_truncated)[i] = 1;
    layout_.rows<int32_t>(rows, column_step_type)[i] = 2;
    if (!envs_.episode_seed.empty()) {
      layout_.rows<uint64_t>(rows, column_episode_seed)[i] = envs_.episode_seed[env];
    }
    envs_.fail(env);
    if (players_ != nullptr) players_->forget(env);
    keep(rows.batch->failures, env, message);
  }

  // The entries of this number, which is another there. With mutex_ held.
  template <class Entry>
  void move(std::vector<Entry>& from, std::vector<Entry>& to, uint32_t Entry::* number,
            uint32_t old, uint32_t now) {
    const auto is_old = [&](const Entry& entry) { return entry.*number == old; };
    for (const Entry& entry : from) {
      if (is_old(entry)) keep(to, now, entry.message.c_str());
    }
    from.erase(std::remove_if(from.begin(), from.end(), is_old), from.end());
  }

  // No caller of this thread takes an exception. Without memory even for the short text the row is
  // zeros and `truncated` all the same, and the next step asks for a reset.
  template <class Entry>
  void keep(std::vector<Entry>& list, uint32_t number, const char* message) noexcept {
    any_.store(true, std::memory_order_relaxed);
    try {
      list.push_back({number, message});
    } catch (const std::bad_alloc&) {
      try {
        list.push_back({number, "out of memory"});
      } catch (const std::bad_alloc&) {
      }
    }
  }

  const Layout& layout_;
  EnvTable& envs_;
  PlayerTable* players_;
  std::mutex mutex_;              // guards the messages of batches
  std::atomic<bool> any_{false};  // there was one, ever
};

}  // namespace pp::host
