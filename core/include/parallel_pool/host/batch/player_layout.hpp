// parallel_pool/host/batch/player_layout.hpp: what a batch has for environments with several
// players.
//
// A row of such an environment has max_players slots; a player keeps its slot as long as it is
// there. What the columns mean is said in host/step/players.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host {

// Columns of pools with players, one element per slot.
enum PlayerColumn : uint32_t {
  player_env_id,      // int32
  player_id,          // int32: the slot
  player_present,     // bool
  player_acting,      // bool
  player_terminated,  // bool
  player_truncated,   // bool
  player_ended,       // bool: terminated or truncated
  player_final,       // bool: SAME_STEP: in the last row of an episode that ended here
  player_return,      // float64: the rewards of a player that ended, since the reset or its coming
  player_columns,
};
static_assert(std::string_view(player_names[player_ended]) == "ended" &&
                  std::string_view(player_names[player_return]) == "episode_return",
              "names are in the order of the columns");

class PlayerLayout {
 public:
  // Throws if the environment describes its players in a way that cannot be stepped. `spec`
  // outlives it.
  PlayerLayout(const EnvSpec& spec, const std::string& env_id, uint32_t num_envs)
      : spec_(spec), capacity_(spec.max_players) {
    if (uint64_t{capacity_} * num_envs > uint64_t{1} << 31) {
      throw Error(ErrorKind::value, env_id + ": num_envs (" + std::to_string(num_envs) +
                                        ") times max_players (" + std::to_string(capacity_) +
                                        ") is more than 2^31");
    }
  }

  const EnvSpec& spec() const { return spec_; }
  uint32_t capacity() const { return capacity_; }
  // Returns true if all slots are always taken, so that rows are flat as they are.
  bool fixed() const { return players_ < 0 && !own_terminated() && !own_truncated(); }
  // Return true if there is one reward (and discount), flag or presence for each player.
  bool own_rewards() const { return per_player(static_cast<int>(reward_)); }
  bool own_terminated() const { return per_player(terminated_); }
  bool own_truncated() const { return per_player(truncated_); }
  bool own_present() const { return per_player(players_); }
  // Field numbers; of the players, -1 where no field says which are there.
  size_t reward_field() const { return reward_; }
  int players_field() const { return players_; }

  // ---- columns ------------------------------------------------------------------------------

  void add_columns(std::vector<Column>& columns) {
    first_column_ = columns.size();
    for (const uint32_t dtype :
         {PP_INT32, PP_INT32, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_FLOAT64}) {
      columns.push_back(Column{dtype, {capacity_}, dtypes::item_size(dtype) * capacity_, 0, true});
    }
  }
  size_t column(PlayerColumn which) const { return first_column_ + which; }

  // Takes the pool's columns; called once they stand.
  void use(const std::vector<Column>& columns, const std::vector<size_t>& column_of_field) {
    columns_ = &columns;
    column_of_field_ = &column_of_field;
  }
  const std::vector<Column>& columns() const { return *columns_; }

  // ---- rows ---------------------------------------------------------------------------------

  // The i-th of these rows of a column, of a host's column, of a field.
  template <class T>
  T* at(const Rows& rows, size_t column, uint32_t i) const {
    return reinterpret_cast<T*>(rows.batch->columns[column] +
                                (size_t{rows.row} + i) * (*columns_)[column].row_bytes);
  }
  template <class T>
  T* slots(const Rows& rows, PlayerColumn which, uint32_t i) const {
    return at<T>(rows, column(which), i);
  }
  template <class T>
  T* field(const Rows& rows, size_t f, uint32_t i) const {
    return at<T>(rows, (*column_of_field_)[f], i);
  }
  // NULL where the environment has no such flags per player.
  const uint8_t* own_terminated(const Rows& rows, uint32_t i) const {
    return own_terminated() ? field<uint8_t>(rows, static_cast<size_t>(terminated_), i) : nullptr;
  }
  const uint8_t* own_truncated(const Rows& rows, uint32_t i) const {
    return own_truncated() ? field<uint8_t>(rows, static_cast<size_t>(truncated_), i) : nullptr;
  }

 private:
  bool per_player(int field) const {
    return field >= 0 && spec_.fields[static_cast<size_t>(field)].per_player;
  }

  const EnvSpec& spec_;
  const uint32_t capacity_;
  const int terminated_ = spec_.find(PP_ROLE_TERMINATED);
  const int truncated_ = spec_.find(PP_ROLE_TRUNCATED);
  const int players_ = spec_.find(PP_ROLE_PLAYERS);
  const size_t reward_ = static_cast<size_t>(spec_.find(PP_ROLE_REWARD));
  size_t first_column_ = 0;
  const std::vector<Column>* columns_ = nullptr;
  const std::vector<size_t>* column_of_field_ = nullptr;
};

}  // namespace pp::host
