// parallel_pool/host/batch/layout.hpp: which column of a batch holds what.
//
// The columns of a batch are, in this order: the environment's outputs; with SAME_STEP, the last
// observations and infos of episodes that ended; with chunk_trail, observations of steps before the
// last; what the host counts per player; what it counts
// per environment.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/player_layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host {

// Columns that the host adds after those of the spec's outputs.
enum HostColumn : uint32_t {
  column_env_id,          // int32
  column_elapsed_step,    // int32: steps in this episode, 0 after a reset
  column_terminated,      // bool
  column_truncated,       // bool: the environment's own or the time limit
  column_reward32,        // float32 copy of the reward
  column_discount,        // float64: the environment's, or 1 - terminated
  column_step_type,       // int32: 0 first, 1 mid, 2 last, as dm_env counts
  column_ended,           // bool: terminated or truncated
  column_episode_return,  // float64: the sum of the rewards of the episode that ends here, else 0
  column_episode_length,  // int32: its steps, else 0
  column_episode_time,    // float64: the seconds since its reset, else 0
  column_game_ended,      // bool: with whole_games, whether those three are of a game that ends
  column_final_step,      // int32: with SAME_STEP, the steps of the episode that ends, else 0
  column_episode_seed,    // uint64: with episode_seeds, the seed of the episode
  column_final_seed,      // uint64: and with SAME_STEP, that of the episode that ends, else 0
  column_chunk_steps,     // int32: with action_chunk, the steps of the row
  column_chunk_trail,     // int32: with chunk_trail, how many rows of trail columns are in use
  column_chunk_rewards,   // float64 (action_chunk): their rewards, then zeros; else nothing
  host_columns,
};

class Layout {
 public:
  static constexpr size_t none = SIZE_MAX;

  // `env_id` is for messages. Throws if the environment describes its players in a way that cannot
  // be stepped. `spec` outlives the layout.
  Layout(const EnvSpec& spec, const std::string& env_id, const PoolConfig& config) : spec_(spec) {
    check_size(env_id, config);
    if (spec.multi_player()) {
      players_ = std::make_unique<PlayerLayout>(spec, env_id, config.num_envs);
    }
    add_outputs();
    if (config.autoreset == Autoreset::same_step && !config.resets_itself) add_final_rows();
    if (config.chunk_trail > 0) add_trails(config.chunk_trail);
    if (players_ != nullptr) players_->add_columns(columns_);
    // The dtypes are in the order of HostColumn.
    for (const uint32_t dtype : {PP_INT32, PP_INT32, PP_BOOL, PP_BOOL, PP_FLOAT32, PP_FLOAT64,
                                 PP_INT32, PP_BOOL, PP_FLOAT64, PP_INT32, PP_FLOAT64, PP_BOOL,
                                 PP_INT32, PP_UINT64, PP_UINT64, PP_INT32, PP_INT32, PP_FLOAT64}) {
      columns_.push_back(Column{dtype, {}, dtypes::item_size(dtype), 0, false});
    }
    const int64_t chunk = config.chunk_rewards ? config.action_chunk : 0;
    Column& rewards = columns_[column_of(column_chunk_rewards)];
    rewards.shape = {chunk};
    rewards.row_bytes *= static_cast<size_t>(chunk);
    if (players_ != nullptr && players_->own_rewards()) widen_rewards();
    if (players_ != nullptr) players_->use(columns_, column_of_field_);
    store_ = std::make_shared<BatchStore>(columns_, config.batch_size);
    reward_ = column_of_field_[static_cast<size_t>(spec_.find(PP_ROLE_REWARD))];
    terminated_ = column_of_field_[static_cast<size_t>(spec_.find(PP_ROLE_TERMINATED))];
    truncated_ = column_of_optional(PP_ROLE_TRUNCATED);
    discount_ = column_of_optional(PP_ROLE_DISCOUNT);
    score_ = column_of_optional(PP_ROLE_SCORE);
    continues_ = column_of_optional(PP_ROLE_CONTINUES);
  }

  const EnvSpec& spec() const { return spec_; }
  // NULL unless the environment has fields per player.
  const PlayerLayout* players() const { return players_.get(); }
  size_t num_fields() const { return column_of_field_.size(); }
  const std::vector<Column>& columns() const { return columns_; }
  const Column& column(size_t which) const { return columns_[which]; }
  const std::shared_ptr<BatchStore>& store() const { return store_; }

  // `none` for actions.
  size_t column_of_field(size_t field) const { return column_of_field_[field]; }
  bool is_action(size_t field) const { return column_of_field_[field] == none; }
  size_t column_of(HostColumn which) const { return columns_.size() - host_columns + which; }
  // The column for the last row of an episode that ended; `none` but for observations and infos of
  // pools with SAME_STEP.
  size_t final_column_of_field(size_t field) const { return final_column_of_field_[field]; }
  // The column for observations of the steps before the last of a chunk, the oldest first; `none`
  // but for observations of pools with chunk_trail.
  size_t trail_column_of_field(size_t field) const { return trail_column_of_field_[field]; }
  // Rewards of one row: as many as players where each has its own, else 1.
  uint32_t reward_width() const { return reward_width_; }

  // Observations and infos, for rows that say them again.
  std::vector<Column> repeated_columns() const {
    std::vector<Column> repeated;
    for (size_t f = 0; f < num_fields(); ++f) {
      if (is_said_again(f)) repeated.push_back(columns_[column_of_field_[f]]);
    }
    return repeated;
  }
  bool is_said_again(size_t field) const {
    const uint32_t role = spec_.fields[field].role;
    return role == PP_ROLE_OBS || role == PP_ROLE_INFO;
  }

  // ---- rows of a batch ----------------------------------------------------------------------

  char* bytes(const Batch* batch, size_t column, uint32_t row) const {
    return batch->columns[column] + row * columns_[column].row_bytes;
  }
  // Returns a column that has one T for each row.
  template <class T>
  T* rows(const Batch* batch, size_t column, uint32_t row) const {
    return reinterpret_cast<T*>(batch->columns[column]) + row;
  }
  template <class T>
  T* rows(const Batch* batch, HostColumn which, uint32_t row) const {
    return rows<T>(batch, column_of(which), row);
  }
  template <class T>
  T* rows(const Rows& of, HostColumn which) const {
    return rows<T>(of.batch, which, of.row);
  }
  double* rewards(const Batch* batch, uint32_t row) const {
    return rows<double>(batch, reward_, row * reward_width_);
  }
  // Return the flags that the environment itself wrote, or NULL if it has no such field.
  const uint8_t* own_terminated(const Batch* batch, uint32_t row) const {
    return rows<uint8_t>(batch, terminated_, row);
  }
  const uint8_t* own_truncated(const Batch* batch, uint32_t row) const {
    return truncated_ == none ? nullptr : rows<uint8_t>(batch, truncated_, row);
  }
  const double* own_discount(const Batch* batch, uint32_t row) const {
    return discount_ == none ? nullptr : rows<double>(batch, discount_, row);
  }
  // These may be called only for environments that have the fields.
  bool has_score() const { return score_ != none; }
  double* score(const Rows& of) const { return rows<double>(of.batch, score_, of.row); }
  const uint8_t* continues(const Rows& of) const {
    return rows<uint8_t>(of.batch, continues_, of.row);
  }

 private:
  // So that no number of bytes is too large for its type: neither here nor where actions and
  // observations are kept.
  void check_size(const std::string& env_id, const PoolConfig& config) const {
    double bytes = 0;
    const double chunk = std::max(config.action_chunk, 1u);
    for (const FieldSpec& field : spec_.fields) {
      const double times = field.role == PP_ROLE_ACTION ? chunk : 1;
      bytes += static_cast<double>(field.row_bytes) * times;
    }
    if (chunk * config.num_envs * (spec_.multi_player() ? spec_.max_players : 1) > 0x1p31) {
      throw Error(ErrorKind::value, env_id + ": action_chunk (" +
                                        std::to_string(config.action_chunk) + ") times num_envs (" +
                                        std::to_string(config.num_envs) +
                                        "), times the players of one, is more than 2^31");
    }
    if (bytes * config.num_envs < 1e14) return;
    throw Error(ErrorKind::environment,
                env_id + ": actions and results of " + std::to_string(config.num_envs) +
                    " environments are more than 100 TB; one environment's field is too large");
  }

  void add_outputs() {
    column_of_field_.assign(spec_.fields.size(), none);
    final_column_of_field_.assign(spec_.fields.size(), none);
    trail_column_of_field_.assign(spec_.fields.size(), none);
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      const FieldSpec& field = spec_.fields[f];
      if (field.role == PP_ROLE_ACTION) continue;
      column_of_field_[f] = columns_.size();
      Column column;
      column.dtype = field.dtype;
      if (field.per_player) column.shape.push_back(spec_.max_players);
      column.shape.insert(column.shape.end(), field.shape.begin(), field.shape.end());
      column.row_bytes = field.row_bytes;
      column.per_player = field.per_player;
      columns_.push_back(std::move(column));
    }
  }

  void add_final_rows() {
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (!is_said_again(f)) continue;
      final_column_of_field_[f] = columns_.size();
      columns_.push_back(Column(columns_[column_of_field_[f]]));
    }
  }

  void add_trails(uint32_t length) {
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (spec_.fields[f].role != PP_ROLE_OBS) continue;
      trail_column_of_field_[f] = columns_.size();
      Column column = columns_[column_of_field_[f]];
      column.shape.insert(column.shape.begin(), length);
      column.row_bytes *= length;
      columns_.push_back(std::move(column));
    }
  }

  void widen_rewards() {
    reward_width_ = spec_.max_players;
    for (const HostColumn which : {column_reward32, column_discount, column_chunk_rewards}) {
      Column& column = columns_[column_of(which)];
      column.shape.insert(column.shape.begin(), spec_.max_players);
      column.row_bytes *= spec_.max_players;
      column.per_player = true;
    }
  }

  size_t column_of_optional(uint32_t role) const {
    const int field = spec_.find(role);
    return field < 0 ? none : column_of_field_[static_cast<size_t>(field)];
  }

  const EnvSpec& spec_;
  std::unique_ptr<PlayerLayout> players_;
  std::vector<Column> columns_;
  std::vector<size_t> column_of_field_;
  std::vector<size_t> final_column_of_field_;
  std::vector<size_t> trail_column_of_field_;
  std::shared_ptr<BatchStore> store_;
  size_t reward_ = none;
  size_t terminated_ = none;
  size_t truncated_ = none;
  size_t discount_ = none;
  size_t score_ = none;
  size_t continues_ = none;
  uint32_t reward_width_ = 1;
};

}  // namespace pp::host
