// parallel_pool/host/step/players.hpp: what a step means for environments with several players.
//
// A row of such an environment has max_players slots; a player keeps its slot as long as it is
// there. Words, for one row:
//  - present: in the observation of this row. Says the field PP_ROLE_PLAYERS: a number n (slots
//    0 .. n - 1), or with PP_FIELD_PER_PLAYER one number per slot (not 0: present). Without the
//    field all are present after a reset, and after a step those that acted in it.
//  - ended: terminated or truncated by this step; by flags of its own where the environment has
//    flags per player, with all others where it has one flag for all or the time limit strikes.
//  - acting: present, and not ended or playing on; the next step uses its action.
//  - playing on: ended by PP_PLAYS_ON, while the episode goes on. This row is the last of the
//    player's part of the episode and the first of its next.
//  - shown: has a row of its own when rows are made flat. Present; and in SAME_STEP mode, where one
//    row has the end of an episode and the beginning of the next, present in either.
// With flags per player an episode ends when all present have ended and none plays on; when none is
// present, if the flags of all slots are set.
//
// Slots that are not shown are zeros. An action batch has one row for each shown player, whether it
// acts or not, so that what a policy gives goes in: FlatPlayers and shown() agree.
//
// Pools of single-player environments have no Players and pay one test of a pointer per call: what
// is called stays out of line, so that the host's loops stay as small as if this file were not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/noinline.hpp"
#include "parallel_pool/host/batch/player_layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/state/player_table.hpp"

namespace pp::host {

class Players {
 public:
  // Both outlive it.
  Players(const PlayerLayout& layout, PlayerTable& table)
      : layout_(layout), table_(table), capacity_(layout.capacity()) {}

  // Is called first. Finds the players present, and returns flags of whole episodes, which are
  // valid until the next call for this shard: 1 where all players have ended and one of them in
  // this way.
  struct Flags {
    const uint8_t* terminated;  // NULL: the environment has one flag for all
    const uint8_t* truncated;
  };
  PP_NOINLINE Flags look(const Rows& rows) {
    Shard& shard = *rows.shard;
    shard.player_flags.assign(2 * size_t{rows.count}, 0);
    uint8_t* all_terminated = shard.player_flags.data();
    uint8_t* all_truncated = all_terminated + rows.count;
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      uint8_t* present = layout_.slots<uint8_t>(rows, player_present, i);
      find_present(rows, i, present);
      std::memcpy(table_.shown(env), present, capacity_);
      if (rows.stepped()[i] != 0 && (layout_.own_terminated() || layout_.own_truncated())) {
        compute_all_done(rows, i, present, all_terminated + i, all_truncated + i);
      }
      if (std::memchr(present, 0, capacity_) != nullptr) clear_absent(rows, i, present, false);
    }
    return {layout_.own_terminated() ? all_terminated : nullptr,
            layout_.own_truncated() ? all_truncated : nullptr};
  }

  // Then, once terminated and truncated of the environments stand: the same for each player.
  // `elapsed` and `time_limit`: whether the limit struck.
  PP_NOINLINE void compute_dones(const Rows& rows, const uint8_t* terminated,
                                 const uint8_t* truncated, const int32_t* elapsed,
                                 int32_t time_limit) {
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0() + i;
      const uint8_t* present = table_.shown(env);
      const uint8_t* own_terminated = layout_.own_terminated(rows, i);
      const uint8_t* own_truncated = layout_.own_truncated(rows, i);
      const bool stepped = rows.stepped()[i] != 0;
      const uint8_t late = stepped && elapsed[i] >= time_limit ? 1 : 0;
      const uint8_t all = terminated[i] | truncated[i];  // the episode ends, and nobody plays on
      uint8_t* acts = table_.acting(env);
      auto* env_id = layout_.slots<int32_t>(rows, player_env_id, i);
      auto* id = layout_.slots<int32_t>(rows, player_id, i);
      auto* acting = layout_.slots<uint8_t>(rows, player_acting, i);
      auto* over = layout_.slots<uint8_t>(rows, player_terminated, i);
      auto* cut = layout_.slots<uint8_t>(rows, player_truncated, i);
      auto* ended = layout_.slots<uint8_t>(rows, player_ended, i);
      for (uint32_t k = 0; k < capacity_; ++k) {
        const uint8_t counts = stepped ? present[k] : uint8_t{0};
        env_id[k] = static_cast<int32_t>(env);
        id[k] = static_cast<int32_t>(k);
        over[k] = is_set(own_terminated, k, terminated[i]) & counts;
        cut[k] = (is_set(own_truncated, k, truncated[i]) | late) & counts;
        ended[k] = over[k] | cut[k];
        const uint8_t out = all | is_out(own_terminated, k) | is_out(own_truncated, k);
        acts[k] = present[k] & static_cast<uint8_t>((out & counts) ^ 1);
      }
      std::memcpy(acting, acts, capacity_);
      std::memset(layout_.slots<uint8_t>(rows, player_final, i), 0, capacity_);
    }
  }

  // A step that resets has no rewards.
  PP_NOINLINE void clear_rewards(const Rows& rows) const {
    for (uint32_t i = 0; i < rows.count; ++i) {
      if (rows.stepped()[i] == 0)
        std::fill_n(layout_.field<double>(rows, layout_.reward_field(), i), capacity_, 0.0);
    }
  }

  // Discounts per player: the environment's own, or 1 - terminated.
  PP_NOINLINE void discount(const Rows& rows, int discount_field, size_t column) const {
    for (uint32_t i = 0; i < rows.count; ++i) {
      double* to = layout_.at<double>(rows, column, i);
      const uint8_t* terminated = layout_.slots<uint8_t>(rows, player_terminated, i);
      for (uint32_t k = 0; k < capacity_; ++k) to[k] = terminated[k] != 0 ? 0.0 : 1.0;
      if (discount_field < 0 || rows.stepped()[i] == 0) continue;
      const bool own = layout_.spec().fields[static_cast<size_t>(discount_field)].per_player;
      const double* from = layout_.field<double>(rows, static_cast<size_t>(discount_field), i);
      for (uint32_t k = 0; k < capacity_; ++k) to[k] = own ? from[k] : *from;
    }
  }

  // The rewards of all players together, by environment; valid until the next call for this shard.
  // Counts each player's own on the way.
  PP_NOINLINE const double* count_rewards(const Rows& rows) {
    Shard& shard = *rows.shard;
    const bool own_rewards = layout_.own_rewards();
    shard.reward.assign(rows.count, 0.0);
    for (uint32_t i = 0; i < rows.count; ++i) {
      const double* reward = layout_.field<double>(rows, layout_.reward_field(), i);
      double* sum = table_.returns(rows.env0() + i);
      double* reported = layout_.slots<double>(rows, player_return, i);
      const uint8_t* ended = layout_.slots<uint8_t>(rows, player_ended, i);
      if (!own_rewards) shard.reward[i] = *reward;
      for (uint32_t k = 0; k < capacity_; ++k) {
        const double own = own_rewards ? reward[k] : *reward;
        if (own_rewards) shard.reward[i] += own;  // an absent player has 0
        const uint8_t present = table_.shown(rows.env0() + i)[k];
        // A player that comes, or comes again, begins at 0.
        sum[k] = present != 0 && rows.stepped()[i] != 0 ? sum[k] + own : 0.0;
        reported[k] = ended[k] != 0 ? sum[k] : 0.0;
        if (ended[k] != 0) sum[k] = 0.0;
      }
    }
    return shard.reward.data();
  }

  // SAME_STEP: environment i of these rows has begun a new episode in the row of the last one's
  // end.
  PP_NOINLINE void begin_episode(const Rows& rows, uint32_t i) {
    const uint32_t env = rows.env0() + i;
    uint8_t* present = layout_.slots<uint8_t>(rows, player_present, i);
    uint8_t* shown = table_.shown(env);
    std::memcpy(layout_.slots<uint8_t>(rows, player_final, i), shown, capacity_);
    find_present_after_reset(rows, i, present);
    clear_absent(rows, i, present, true);
    std::memcpy(table_.acting(env), present, capacity_);
    std::memcpy(layout_.slots<uint8_t>(rows, player_acting, i), present, capacity_);
    for (uint32_t k = 0; k < capacity_; ++k) {
      shown[k] |= present[k];
      if (table_.statistics()) table_.returns(env)[k] = 0.0;
    }
  }

 private:
  // Returns 1 or 0: the player's own flag, or `all` where one flag is there for all players.
  static uint8_t is_set(const uint8_t* own, uint32_t k, uint8_t all) {
    return own == nullptr ? all : static_cast<uint8_t>(own[k] != 0);
  }
  // Returns 1 if the flags of the players say that this one ended and does not play on.
  static uint8_t is_out(const uint8_t* flags, uint32_t k) {
    return flags != nullptr && flags[k] != 0 && flags[k] != PP_PLAYS_ON ? 1 : 0;
  }

  // Computes whether all players are out, and how. In an empty environment all slots count.
  void compute_all_done(const Rows& rows, uint32_t i, const uint8_t* present,
                        uint8_t* all_terminated, uint8_t* all_truncated) const {
    const uint8_t* terminated = layout_.own_terminated(rows, i);
    const uint8_t* truncated = layout_.own_truncated(rows, i);
    const bool none = std::memchr(present, 1, capacity_) == nullptr;
    uint8_t any_terminated = 0;
    uint8_t any_truncated = 0;
    for (uint32_t k = 0; k < capacity_; ++k) {
      if (present[k] == 0 && !none) continue;
      if ((is_out(terminated, k) | is_out(truncated, k)) == 0) return;
      any_terminated |= is_set(terminated, k, 0);
      any_truncated |= is_set(truncated, k, 0);
    }
    *all_terminated = any_terminated;
    *all_truncated = any_truncated;
  }

  void find_present(const Rows& rows, uint32_t i, uint8_t* present) const {
    if (rows.stepped()[i] != 0 && layout_.players_field() < 0) {
      std::memcpy(present, table_.acting(rows.env0() + i), capacity_);
    } else {
      find_present_after_reset(rows, i, present);
    }
  }

  void find_present_after_reset(const Rows& rows, uint32_t i, uint8_t* present) const {
    if (layout_.players_field() < 0) {
      std::memset(present, 1, capacity_);
      return;
    }
    const int32_t* said =
        layout_.field<int32_t>(rows, static_cast<size_t>(layout_.players_field()), i);
    if (layout_.own_present()) {
      for (uint32_t k = 0; k < capacity_; ++k) present[k] = said[k] != 0 ? 1 : 0;
      return;
    }
    const int32_t most = static_cast<int32_t>(capacity_);
    if (*said < 0 || *said > most) {
      const std::string message = "the plugin says that " + std::to_string(*said) +
                                  " players are present, and max_players is " +
                                  std::to_string(most);
      ErrorSink::set_error(nullptr, rows.first + i, message.c_str());
    }
    const int32_t number = std::clamp(*said, 0, most);
    for (int32_t k = 0; k < most; ++k) present[k] = k < number ? 1 : 0;
  }

  // Zeros in the slots of the absent, in all that a step writes or only in what a reset does too:
  // rewards and flags belong to the step before.
  void clear_absent(const Rows& rows, uint32_t i, const uint8_t* present, bool of_resets) const {
    for (size_t f = 0; f < layout_.spec().fields.size(); ++f) {
      const FieldSpec& spec = layout_.spec().fields[f];
      if (!spec.per_player || spec.role == PP_ROLE_ACTION || spec.role == PP_ROLE_PLAYERS) continue;
      if (of_resets && !is_of_resets(spec.role)) continue;
      const size_t bytes = spec.row_bytes / capacity_;
      char* row = layout_.field<char>(rows, f, i);
      for (uint32_t k = 0; k < capacity_; ++k) {
        if (present[k] == 0) std::memset(row + k * bytes, 0, bytes);
      }
    }
  }

  const PlayerLayout& layout_;
  PlayerTable& table_;
  const uint32_t capacity_;
};

}  // namespace pp::host
