// parallel_pool/host/step/stepper.hpp: one step of some lanes of a shard, from actions to finished
// rows.
//
// The order of things within a step is here and nowhere else: which lanes step and which reset, the
// calls of the plugin, the host's part of the rows, refused steps, statistics, SAME_STEP, failures.
// Each of them has a file of its own in this folder.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/step/action_chunks.hpp"
#include "parallel_pool/host/step/action_rows.hpp"
#include "parallel_pool/host/step/episode_bookkeeping.hpp"
#include "parallel_pool/host/step/episode_statistics.hpp"
#include "parallel_pool/host/step/failures.hpp"
#include "parallel_pool/host/step/field_pointers.hpp"
#include "parallel_pool/host/step/lane_call.hpp"
#include "parallel_pool/host/step/lane_resets.hpp"
#include "parallel_pool/host/step/players.hpp"
#include "parallel_pool/host/step/refused_steps.hpp"
#include "parallel_pool/host/step/row_loops.hpp"
#include "parallel_pool/host/step/same_step.hpp"

namespace pp::host {

// A step that ends on the thread that began it. It costs nothing; another one is in
// handed_off_runs.hpp.
struct NoHandOff {
  // Before anything changes: whether the thread takes the step. `more()`: whether there is more to
  // it than one call of the plugin's step.
  template <class More>
  static bool takes(More&&) {
    return true;
  }
  // Takes back the messages of the step before.
  static void recall(ErrorSink&) {}
  // Returns true if a step with this status is not over, and keeps its messages so far.
  static bool leaves(int32_t, ErrorSink&) { return false; }
};

// Watches over the plugin's calls of a step. This one does nothing, and costs nothing.
struct Unwatched : NoHandOff {
  // Rows may be claimed when all is done.
  static constexpr bool claims_late = true;
  // The rows that the plugin writes to.
  static const Rows& target(const Rows& rows) { return rows; }
  // Before the first call, and after the last: false if no caller waits for the rows any more.
  static void begin(const Rows&) {}
  static bool end(const Rows&) { return true; }
  // The rows that were asked for, as the plugin wrote them.
  static Rows answer(LaneCall& call, const Rows&) {
    call.claim();  // a plugin that failed early wrote nothing
    return call.rows();
  }
  // Around the reset of SAME_STEP, in rows that were answered already. False as above.
  static bool begin_again(const Rows&) { return true; }
  static bool end_again(const Rows&) { return true; }
};

// Called by the thread that holds the shard.
class Stepper {
 public:
  // `list`, `offered`, `early`: of LaneResets; `closed`: of ActionChunks. All of these outlive it;
  // `players` may be NULL.
  Stepper(const Layout& layout, const PoolConfig& config, EnvTable& envs, const EpisodeSeeds* list,
          PlayerTable* players, BatchQueue& batches, const pp_reset_options* offered,
          const pp_early_resets* early, const std::atomic<bool>& closed)
      : layout_(layout),
        config_(config),
        envs_(envs),
        batches_(batches),
        players_(players == nullptr ? nullptr
                                    : std::make_unique<Players>(*layout.players(), *players)),
        actions_(layout, size_t{config.num_envs} * std::max(config.action_chunk, 1u)),
        pointers_(layout, actions_),
        resets_(layout, envs, list, offered, early),
        bookkeeping_(layout, envs, config, players_.get()),
        statistics_(layout, envs, players_.get(), config.whole_games),
        same_step_(layout, envs, resets_, players_.get(),
                   config.statistics ? &statistics_ : nullptr, config.resets_itself),
        failures_(layout, envs, players) {
    if (config.refuse_steps) refused_.enable(config.num_envs, layout.repeated_columns());
    if (config.action_chunk == 0) return;
    chunks_ = std::make_unique<ActionChunks>(layout, config, envs, players, batches, refused_,
                                             failures_, bookkeeping_.time_limit(), closed);
  }

  ActionRows& actions() { return actions_; }
  ResetOptions& reset_options() { return resets_.options(); }
  const ResetOptions& reset_options() const { return resets_.options(); }
  RefusedSteps& refused() { return refused_; }
  Failures& failures() { return failures_; }

  // Steps or resets these lanes and finishes their rows, which the caller then completes; without a
  // batch they are claimed late. Gives the rows, or none if no caller waits for them any more or
  // the step was left: then nothing has changed, and it is called again.
  template <class Watch>
  Rows step(const Rows& asked, const Watch& watch) {
    if (chunks_ == nullptr) return step_once(asked, watch);
    return chunks_->play(asked, watch, [&](const Rows& rows) { return step_once(rows, watch); });
  }

  // This row was answered in place of the step in progress, which did not return.
  void note_lost(const Rows& row) {
    if (chunks_ != nullptr) chunks_->finish(row);
    bookkeeping_.note_ended(row);
  }

  // Sets masks, seeds, arguments of resets and actions in the shard as step() of these rows will,
  // for workers that may begin at once. True if rows that neither step nor reset are among them.
  bool prepare(const Rows& rows) {
    Shard& shard = *rows.shard;
    choose(rows);
    resets_.choose_seeds(rows);
    if (reset_options().waiting()) {
      const ErrorSink sink;  // the call that begins the resets reports the errors once more
      reset_options().set(shard, rows.first, rows.count, shard.reset_mask.data());
    }
    pointers_.forget_outputs(shard);
    pointers_.point_at_actions(rows);
    if (chunks_ != nullptr) chunks_->look_ahead(rows);
    return refused_.enabled() && refused_.leave_out(rows);
  }

 private:
  template <class Watch>
  Rows step_once(const Rows& asked, const Watch& watch) {
    Shard& shard = *asked.shard;
    const uint32_t count = asked.count;
    choose(asked);
    const uint32_t n_reset = row_loops::count(count, shard.reset_mask.data());
    const uint32_t n_seed = n_reset > 0 ? resets_.choose_seeds(asked) : 0;
    const auto more = [&] {
      return n_reset > 0 || (refused_.enabled() && refused_.leave_out(asked));
    };
    if (!watch.takes(more)) return {};
    const uint32_t n_refused =
        refused_.enabled() ? refused_.take_out(asked, envs_.elapsed.data()) : 0;

    LaneCall call(pointers_, batches_, envs_, watch.target(asked));
    watch.begin(asked);
    ErrorSink sink;
    watch.recall(sink);
    int32_t status = 0;
    if (n_refused > 0 && n_reset + n_refused < count) {
      status |= call.step_one_by_one(layout_, shard.step_mask.data());
    } else if (n_reset + n_refused < count) {
      if (n_reset > 0) resets_.begin(call, n_reset, n_seed);
      const uint32_t more = chunks_ == nullptr ? 0 : chunks_->steps_left(asked) - 1;
      const bool hides = more > 0 && chunks_->hides_steps();
      const bool passes = Watch::claims_late && more > 0 && n_reset + n_refused == 0 &&
                          chunks_->passes_steps(asked);
      uint32_t passed = 0;
      bool goes_on = true;
      for (; goes_on; ++passed) {
        status |=
            call.step(n_reset == 0 ? nullptr : shard.step_mask.data(), hides && passed < more);
        goes_on = !watch.leaves(status, sink);
        if (!goes_on || !passes || passed == more || status != 0 || !sink.empty() ||
            !sink.notes().empty() || !bookkeeping_.all_go_on(asked)) {
          break;
        }
        if (config_.statistics) bookkeeping_.add_return(asked);
        goes_on = chunks_->pass(asked, passed);
        call.advance(envs_.size());
      }
      if (passed > 0) {
        row_loops::add_each(count, static_cast<int32_t>(passed),
                            envs_.elapsed.data() + asked.env0());
        chunks_->count(asked, passed);
      }
      if (!goes_on) return {};
    }
    if (n_reset > 0) status |= resets_.reset(call, n_reset, n_seed);
    if (!watch.end(asked)) return {};
    const Rows rows = watch.answer(call, asked);

    bookkeeping_.fill(rows, n_reset + n_refused);
    if (n_refused > 0) failures_.answer_refused(refused_, rows);
    if (!sink.notes().empty()) failures_.pass_on_notes(sink, rows);
    if (config_.statistics) statistics_.count(rows);
    // A kernel that failed without saying where may have failed everywhere: then nothing is reset.
    if (config_.autoreset == Autoreset::same_step && (status == 0 || !sink.empty()) &&
        !same_step_.autoreset(call, rows, sink, watch, &status)) {
      return {};
    }
    if (status != 0 || !sink.empty()) failures_.record(sink, rows);
    // After record(): a failed environment has not ended.
    if (bookkeeping_.note_ended(rows)) resets_.note_games(rows);
    if (!envs_.episode_seed.empty()) {
      std::memcpy(layout_.rows<uint64_t>(rows, column_episode_seed),
                  envs_.episode_seed.data() + rows.env0(), count * sizeof(uint64_t));
    }
    if (refused_.enabled()) refused_.remember(rows.env0(), count, rows.batch, rows.row);
    return rows;
  }

  // Chooses which of these environments are stepped, and which are reset.
  void choose(const Rows& rows) const {
    Shard& shard = *rows.shard;
    const uint32_t env0 = rows.env0();
    row_loops::choose(rows.count, reinterpret_cast<const uint8_t*>(envs_.op.data()) + env0,
                      envs_.ended.data() + env0, shard.step_mask.data(), shard.reset_mask.data());
  }

  const Layout& layout_;
  const PoolConfig& config_;
  EnvTable& envs_;
  BatchQueue& batches_;
  std::unique_ptr<Players> players_;  // NULL unless the environment has fields per player
  ActionRows actions_;
  FieldPointers pointers_;
  LaneResets resets_;
  RefusedSteps refused_;
  EpisodeBookkeeping bookkeeping_;
  EpisodeStatistics statistics_;
  SameStep same_step_;
  Failures failures_;
  std::unique_ptr<ActionChunks> chunks_;  // NULL: a call has one action
};

}  // namespace pp::host
