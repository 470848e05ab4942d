// parallel_pool/host/step/refused_steps.hpp: environments that are asked to step and are not
// stepped.
//
// Their action was not fit to be carried out (a NaN, say), and the others are not to suffer for it:
// the episode is cut off where it is. The row repeats the environment's latest observation and
// info, with reward 0 and `truncated`, so that a learner bootstraps from a state that was really
// there. A reset follows as after any end. Repeating needs a copy of every row that goes out; pools
// that refuse no steps keep none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/rows.hpp"

namespace pp::host {

class RefusedSteps {
 public:
  bool enabled() const { return !state_.empty(); }

  // `repeated`: the columns of observations and info.
  void enable(uint32_t num_envs, std::vector<Column> repeated) {
    state_.assign(num_envs, none);
    actions_.assign(num_envs, 0);
    elapsed_.assign(num_envs, 0);
    reason_.resize(num_envs);
    columns_ = std::move(repeated);
    for (const Column& column : columns_) {
      latest_.emplace_back(column.row_bytes * num_envs);
    }
  }

  // The step that is about to be submitted, of a chunk the one with these Rows::actions, is not for
  // this environment. The earliest that is refused counts.
  void refuse(uint32_t env, std::string reason, size_t actions) {
    if (state_[env] == asked && actions_[env] < actions) return;
    actions_[env] = actions;
    reason_[env] = std::move(reason);
    state_[env] = asked;
  }

  // Takes refused environments out of the step_mask of these rows; returns how many. `elapsed`: of
  // all environments. Those that reset anyway, whatever their action, just do.
  uint32_t take_out(const Rows& rows, const int32_t* elapsed) {
    uint8_t* step_mask = rows.shard->step_mask.data();
    uint32_t n = 0;
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      if (state_[env] != asked || actions_[env] != rows.actions) continue;
      state_[env] = step_mask[i] != 0 ? refused : none;
      if (state_[env] == none) continue;
      step_mask[i] = 0;
      elapsed_[env] = elapsed[env];
      ++n;
    }
    return n;
  }

  // Does to that mask what take_out() will do, and nothing else. Whether that is anything.
  bool leave_out(const Rows& rows) const {
    uint8_t* step_mask = rows.shard->step_mask.data();
    bool any = false;
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      if (state_[env] != asked || actions_[env] != rows.actions || step_mask[i] == 0) continue;
      step_mask[i] = 0;
      any = true;
    }
    return any;
  }

  // Returns true if the row in progress is that of a refused step.
  bool is_refused(uint32_t env) const { return state_[env] == refused; }

  // Writes the latest observation and info; returns the number of steps that the episode had.
  int32_t repeat(uint32_t env, Batch* batch, uint32_t row) const {
    for (size_t c = 0; c < columns_.size(); ++c) {
      const size_t bytes = columns_[c].row_bytes;
      std::memcpy(batch->columns[columns_[c].number] + row * bytes, latest_[c].data() + env * bytes,
                  bytes);
    }
    return elapsed_[env];
  }
  // Says why, in the answer; the environment is like any other again.
  std::string dismiss(uint32_t env) {
    state_[env] = none;
    return std::move(reason_[env]);
  }

  // Returns how many steps from the one with these actions on come before one that is refused, and
  // at least 1; `most` if there is none. `num_envs`: actions of steps are so far apart.
  uint32_t steps_before(uint32_t env, size_t actions, size_t num_envs, uint32_t most) const {
    if (state_[env] != asked || actions_[env] <= actions) return most;
    return static_cast<uint32_t>((actions_[env] - actions) / num_envs);
  }

  // Steps that were refused and not reached, because an earlier step of the chunk was the last.
  void forget(uint32_t env0, uint32_t count) { std::fill_n(state_.begin() + env0, count, none); }

  // Keeps what these rows say, for the next time.
  void remember(uint32_t env0, uint32_t count, const Batch* batch, uint32_t row) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      const size_t bytes = columns_[c].row_bytes;
      std::memcpy(latest_[c].data() + env0 * bytes,
                  batch->columns[columns_[c].number] + row * bytes, count * bytes);
    }
  }

 private:
  enum State : uint8_t { none, asked, refused };
  std::vector<State> state_;     // by environment, as all that follow; empty: not enabled
  std::vector<size_t> actions_;  // the place of the step in the chunk
  std::vector<int32_t> elapsed_;
  std::vector<std::string> reason_;
  std::vector<Column> columns_;
  std::vector<std::vector<char>> latest_;  // by column
};

}  // namespace pp::host
