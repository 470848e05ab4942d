// parallel_pool/host/step/players.hpp: what a pool does for environments with several players.
//
// A row of such an environment has max_players slots; a player keeps its slot as long as it is
// there. Words, for one row:
//  - present: in the observation of this row. Says the field PP_ROLE_PLAYERS: a number n (slots
//    0 .. n - 1), or with PP_FIELD_PER_PLAYER one number per slot (not 0: present). Without the
//    field all are present after a reset, and after a step those who acted in it.
//  - ended: terminated or truncated by this step; by flags of its own where the environment has
//    flags per player, with everybody else where it has one flag for all or the time limit strikes.
//  - acting: present and not ended; the next step uses its action.
//  - shown: has a row of its own when rows are made flat. Present; and in SAME_STEP mode, where one
//    row has the end of an episode and the beginning of the next, present in either.
// With flags per player an episode ends when everybody present has ended; when nobody is present,
// if the flags of all slots are set.
//
// Slots that are not shown are zeros. An action batch has one row for each shown player, whether it
// acts or not, so that what comes out of a policy goes in: compact() and shown() agree.
//
// Pools of single-player environments have no Players and pay one test of a pointer per call.
#ifndef PARALLEL_POOL_HOST_STEP_PLAYERS_HPP_
#define PARALLEL_POOL_HOST_STEP_PLAYERS_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/shard.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

// Out of line: where there are no players, the host's loops stay as small as if this file were not.
#if defined(_MSC_VER)
#define PP_NOINLINE __declspec(noinline)
#else
#define PP_NOINLINE __attribute__((noinline))
#endif

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

class Players {
 public:
  // Throws if the environment describes its players in a way that cannot be stepped.
  Players(const EnvSpec& spec, const std::string& env_id, uint32_t num_envs, bool statistics)
      : spec_(spec), capacity_(spec.max_players), statistics_(statistics) {
    if (uint64_t{capacity_} * num_envs > uint64_t{1} << 31) {
      throw Error(ErrorKind::value, env_id + ": num_envs (" + std::to_string(num_envs) +
                                        ") times max_players (" + std::to_string(capacity_) +
                                        ") is more than 2^31");
    }
    const auto per_player = [&](int field) {
      return field >= 0 && spec_.fields[static_cast<size_t>(field)].per_player;
    };
    terminated_field_ = spec_.find(PP_ROLE_TERMINATED);
    truncated_field_ = spec_.find(PP_ROLE_TRUNCATED);
    players_field_ = spec_.find(PP_ROLE_PLAYERS);
    reward_field_ = static_cast<size_t>(spec_.find(PP_ROLE_REWARD));
    own_terminated_ = per_player(terminated_field_);
    own_truncated_ = per_player(truncated_field_);
    own_present_ = per_player(players_field_);
    own_rewards_ = per_player(static_cast<int>(reward_field_));
    fixed_ = players_field_ < 0 && !own_terminated_ && !own_truncated_;
    const size_t slots = size_t{capacity_} * num_envs;
    shown_.assign(slots, 0);
    acting_.assign(slots, 0);
    if (statistics_) return_.assign(slots, 0.0);
  }

  uint32_t capacity() const { return capacity_; }
  // Whether all slots are always taken: rows are flat as they are.
  bool fixed() const { return fixed_; }
  // Whether rewards (and so discounts) are one per player.
  bool own_rewards() const { return own_rewards_; }
  bool own_terminated() const { return own_terminated_; }
  bool own_truncated() const { return own_truncated_; }
  // One byte per slot: who was shown in the last row of this environment, and who acts next.
  const uint8_t* shown(uint32_t env) const { return shown_.data() + size_t{capacity_} * env; }
  const uint8_t* acting(uint32_t env) const { return acting_.data() + size_t{capacity_} * env; }
  uint32_t count_shown(uint32_t env) const {
    const uint8_t* one = shown(env);
    return static_cast<uint32_t>(std::count(one, one + capacity_, uint8_t{1}));
  }

  // ---- layout -------------------------------------------------------------------------------

  void add_columns(std::vector<Column>& columns) {
    first_column_ = columns.size();
    for (const uint32_t dtype :
         {PP_INT32, PP_INT32, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_BOOL, PP_FLOAT64}) {
      columns.push_back(Column{dtype, {capacity_}, item_size(dtype) * capacity_, 0, true});
    }
  }
  size_t column(PlayerColumn which) const { return first_column_ + which; }

  // Where the pool keeps things; set once the columns stand.
  void use(const std::vector<Column>& columns, const std::vector<size_t>& column_of_field) {
    columns_ = &columns;
    column_of_field_ = &column_of_field;
  }

  // ---- one call's rows ----------------------------------------------------------------------

  struct Rows {
    Batch* batch;
    uint32_t row;    // of the first environment
    uint32_t env0;   // the first environment
    uint32_t count;  // of environments
    const uint8_t* stepped;
  };

  // First: who is there, and what their own flags make of the episode. Gives flags per environment,
  // valid until the next call for this shard: 1 where everybody has ended and somebody so.
  struct Flags {
    const uint8_t* terminated;  // NULL: the environment has one flag for all
    const uint8_t* truncated;
  };
  PP_NOINLINE Flags look(Shard& shard, const Rows& rows) {
    shard.player_flags.assign(2 * size_t{rows.count}, 0);
    uint8_t* all_terminated = shard.player_flags.data();
    uint8_t* all_truncated = all_terminated + rows.count;
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0 + i;
      uint8_t* present = slots<uint8_t>(rows, player_present, i);
      find_present(rows, i, shard, present);
      std::memcpy(shown_of(env), present, capacity_);
      if (rows.stepped[i] != 0 && (own_terminated_ || own_truncated_)) {
        compute_all_done(rows, i, present, all_terminated + i, all_truncated + i);
      }
      if (std::memchr(present, 0, capacity_) != nullptr) clear_absent(rows, i, present);
    }
    return {own_terminated_ ? all_terminated : nullptr, own_truncated_ ? all_truncated : nullptr};
  }

  // Then, once terminated and truncated of the environments stand: the same for each player.
  // `elapsed` and `time_limit`: whether the limit struck.
  PP_NOINLINE void compute_dones(const Rows& rows, const uint8_t* terminated,
                                 const uint8_t* truncated, const int32_t* elapsed,
                                 int32_t time_limit) {
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t env = rows.env0 + i;
      const uint8_t* present = shown(env);
      const uint8_t* own_terminated = own_flags(rows, i, own_terminated_, terminated_field_);
      const uint8_t* own_truncated = own_flags(rows, i, own_truncated_, truncated_field_);
      const bool stepped = rows.stepped[i] != 0;
      const uint8_t late = stepped && elapsed[i] >= time_limit ? 1 : 0;
      uint8_t* acts = acting_of(env);
      auto* env_id = slots<int32_t>(rows, player_env_id, i);
      auto* id = slots<int32_t>(rows, player_id, i);
      auto* acting = slots<uint8_t>(rows, player_acting, i);
      auto* over = slots<uint8_t>(rows, player_terminated, i);
      auto* cut = slots<uint8_t>(rows, player_truncated, i);
      auto* ended = slots<uint8_t>(rows, player_ended, i);
      for (uint32_t k = 0; k < capacity_; ++k) {
        const uint8_t flag = own_terminated == nullptr
                                 ? terminated[i]
                                 : static_cast<uint8_t>(own_terminated[k] != 0);
        const uint8_t limit = own_truncated == nullptr
                                  ? truncated[i]
                                  : static_cast<uint8_t>((own_truncated[k] != 0) | late);
        const uint8_t counts = stepped ? present[k] : uint8_t{0};
        env_id[k] = static_cast<int32_t>(env);
        id[k] = static_cast<int32_t>(k);
        over[k] = flag & counts;
        cut[k] = limit & counts;
        ended[k] = over[k] | cut[k];
        acts[k] = present[k] & static_cast<uint8_t>(ended[k] ^ 1);
      }
      std::memcpy(acting, acts, capacity_);
      std::memset(slots<uint8_t>(rows, player_final, i), 0, capacity_);
    }
  }

  // A step that resets has no rewards.
  PP_NOINLINE void clear_rewards(const Rows& rows) const {
    for (uint32_t i = 0; i < rows.count; ++i) {
      if (rows.stepped[i] == 0) std::fill_n(field<double>(rows, reward_field_, i), capacity_, 0.0);
    }
  }

  // Discounts per player: the environment's own, or 1 - terminated.
  PP_NOINLINE void discount(const Rows& rows, int discount_field, size_t column) const {
    for (uint32_t i = 0; i < rows.count; ++i) {
      double* to = at<double>(rows, (*columns_)[column], i);
      const uint8_t* terminated = slots<uint8_t>(rows, player_terminated, i);
      for (uint32_t k = 0; k < capacity_; ++k) to[k] = terminated[k] != 0 ? 0.0 : 1.0;
      if (discount_field < 0 || rows.stepped[i] == 0) continue;
      const bool own = spec_.fields[static_cast<size_t>(discount_field)].per_player;
      const double* from = field<double>(rows, static_cast<size_t>(discount_field), i);
      for (uint32_t k = 0; k < capacity_; ++k) to[k] = own ? from[k] : *from;
    }
  }

  // The rewards of all players together, by environment; valid until the next call for this shard.
  // Counts each player's own on the way.
  PP_NOINLINE const double* count_rewards(Shard& shard, const Rows& rows) {
    shard.reward.assign(rows.count, 0.0);
    for (uint32_t i = 0; i < rows.count; ++i) {
      const double* reward = field<double>(rows, reward_field_, i);
      double* sum = return_.data() + size_t{capacity_} * (rows.env0 + i);
      double* reported = slots<double>(rows, player_return, i);
      const uint8_t* ended = slots<uint8_t>(rows, player_ended, i);
      if (!own_rewards_) shard.reward[i] = *reward;
      for (uint32_t k = 0; k < capacity_; ++k) {
        const double own = own_rewards_ ? reward[k] : *reward;
        if (own_rewards_) shard.reward[i] += own;  // that of an absent player is 0
        const uint8_t present = shown(rows.env0 + i)[k];
        // Whoever comes, or comes again, begins at 0.
        sum[k] = present != 0 && rows.stepped[i] != 0 ? sum[k] + own : 0.0;
        reported[k] = ended[k] != 0 ? sum[k] : 0.0;
        if (ended[k] != 0) sum[k] = 0.0;
      }
    }
    return shard.reward.data();
  }

  // SAME_STEP: environment i of these rows has begun a new episode in the row of the last one's
  // end.
  PP_NOINLINE void autoreset_same_step(Shard& shard, const Rows& rows, uint32_t i) {
    const uint32_t env = rows.env0 + i;
    uint8_t* present = slots<uint8_t>(rows, player_present, i);
    uint8_t* shown = shown_of(env);
    std::memcpy(slots<uint8_t>(rows, player_final, i), shown, capacity_);
    find_present_after_reset(rows, i, shard, present);
    clear_absent_outputs(rows, i, present);
    std::memcpy(acting_of(env), present, capacity_);
    std::memcpy(slots<uint8_t>(rows, player_acting, i), present, capacity_);
    for (uint32_t k = 0; k < capacity_; ++k) {
      shown[k] |= present[k];
      if (statistics_) return_[size_t{capacity_} * env + k] = 0.0;
    }
  }

  // An environment that failed has no players; its row was set to zeros.
  PP_NOINLINE void fail(uint32_t env) {
    std::memset(shown_of(env), 0, capacity_);
    std::memset(acting_of(env), 0, capacity_);
  }

  // ---- handing out --------------------------------------------------------------------------

  // Makes the rows of all per-player columns flat, in place: shown players only, in the order of
  // the batch and of their slots. Sets batch.player_rows. One thread at a time.
  void compact(Batch& batch) {
    const size_t slots = size_t{batch.rows} * capacity_;
    batch.player_rows = slots;
    if (fixed_ && batch.failures.empty()) return;
    const uint8_t* present = column_data(batch, player_present);
    const uint8_t* final = column_data(batch, player_final);
    size_t first_gap = 0;
    while (first_gap < slots && (present[first_gap] | final[first_gap]) != 0) ++first_gap;
    if (first_gap == slots) return;
    // The rows to keep, as stretches, because the two columns that say so are moved as well.
    std::vector<std::pair<size_t, size_t>>& stretches = stretches_;
    stretches.clear();
    size_t kept = first_gap;
    for (size_t slot = first_gap + 1; slot < slots; ++slot) {
      if ((present[slot] | final[slot]) == 0) continue;
      if (!stretches.empty() && stretches.back().first + stretches.back().second == slot) {
        ++stretches.back().second;
      } else {
        stretches.emplace_back(slot, 1);
      }
      ++kept;
    }
    for (const Column& column : *columns_) {
      if (!column.per_player) continue;
      const size_t bytes = column.row_bytes / capacity_;
      char* to = batch.data + column.offset + first_gap * bytes;
      for (const auto& [from, length] : stretches) {
        std::memmove(to, batch.data + column.offset + from * bytes, length * bytes);
        to += length * bytes;
      }
    }
    batch.player_rows = kept;
  }

  // ---- states -------------------------------------------------------------------------------

  // What is remembered of one environment's players, as bytes; load() takes them back.
  std::string save(uint32_t env) const {
    std::string bytes(state_bytes(), '\0');
    std::memcpy(&bytes[0], shown(env), capacity_);
    std::memcpy(&bytes[capacity_], acting(env), capacity_);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (uint32_t k = 0; k < capacity_; ++k) {
      const double sum = statistics_ ? return_[size_t{capacity_} * env + k] : unknown;
      std::memcpy(&bytes[2 * size_t{capacity_} + k * sizeof sum], &sum, sizeof sum);
    }
    return bytes;
  }
  size_t state_bytes() const { return capacity_ * (2 + sizeof(double)); }
  void load(uint32_t env, std::string_view bytes) {
    std::memcpy(shown_of(env), bytes.data(), capacity_);
    std::memcpy(acting_of(env), bytes.data() + capacity_, capacity_);
    if (!statistics_) return;
    std::memcpy(&return_[size_t{capacity_} * env], bytes.data() + 2 * size_t{capacity_},
                capacity_ * sizeof(double));
  }

 private:
  template <class T>
  T* at(const Rows& rows, const Column& column, uint32_t i) const {
    return reinterpret_cast<T*>(rows.batch->data + column.offset +
                                (size_t{rows.row} + i) * column.row_bytes);
  }
  template <class T>
  T* slots(const Rows& rows, PlayerColumn which, uint32_t i) const {
    return at<T>(rows, (*columns_)[column(which)], i);
  }
  template <class T>
  T* field(const Rows& rows, size_t f, uint32_t i) const {
    return at<T>(rows, (*columns_)[(*column_of_field_)[f]], i);
  }
  // NULL where the environment has no such flags per player.
  const uint8_t* own_flags(const Rows& rows, uint32_t i, bool own, int f) const {
    return own ? field<uint8_t>(rows, static_cast<size_t>(f), i) : nullptr;
  }
  const uint8_t* column_data(const Batch& batch, PlayerColumn which) const {
    return reinterpret_cast<const uint8_t*>(batch.data) + (*columns_)[column(which)].offset;
  }
  uint8_t* shown_of(uint32_t env) { return shown_.data() + size_t{capacity_} * env; }
  uint8_t* acting_of(uint32_t env) { return acting_.data() + size_t{capacity_} * env; }

  // Whether everybody has ended, and how. Of an empty environment all slots are asked.
  void compute_all_done(const Rows& rows, uint32_t i, const uint8_t* present,
                        uint8_t* all_terminated, uint8_t* all_truncated) const {
    const uint8_t* terminated = own_flags(rows, i, own_terminated_, terminated_field_);
    const uint8_t* truncated = own_flags(rows, i, own_truncated_, truncated_field_);
    const bool nobody = std::memchr(present, 1, capacity_) == nullptr;
    uint8_t any_terminated = 0;
    uint8_t any_truncated = 0;
    for (uint32_t k = 0; k < capacity_; ++k) {
      if (present[k] == 0 && !nobody) continue;
      const uint8_t over = terminated != nullptr && terminated[k] != 0 ? 1 : 0;
      const uint8_t cut = truncated != nullptr && truncated[k] != 0 ? 1 : 0;
      if ((over | cut) == 0) return;
      any_terminated |= over;
      any_truncated |= cut;
    }
    *all_terminated = any_terminated;
    *all_truncated = any_truncated;
  }

  void find_present(const Rows& rows, uint32_t i, Shard& shard, uint8_t* present) {
    if (rows.stepped[i] != 0 && players_field_ < 0) {
      std::memcpy(present, acting(rows.env0 + i), capacity_);
    } else {
      find_present_after_reset(rows, i, shard, present);
    }
  }

  void find_present_after_reset(const Rows& rows, uint32_t i, Shard& shard, uint8_t* present) {
    if (players_field_ < 0) {
      std::memset(present, 1, capacity_);
      return;
    }
    const int32_t* said = field<int32_t>(rows, static_cast<size_t>(players_field_), i);
    if (own_present_) {
      for (uint32_t k = 0; k < capacity_; ++k) present[k] = said[k] != 0 ? 1 : 0;
      return;
    }
    const int32_t most = static_cast<int32_t>(capacity_);
    if (*said < 0 || *said > most) {
      const std::string message = "the plugin says that " + std::to_string(*said) +
                                  " players are present, and max_players is " +
                                  std::to_string(most);
      ErrorSink::set_error(nullptr, rows.env0 + i - shard.base, message.c_str());
    }
    const int32_t number = std::clamp(*said, 0, most);
    for (int32_t k = 0; k < most; ++k) present[k] = k < number ? 1 : 0;
  }

  // Zeros in the slots of the absent, in everything that the environment wrote.
  void clear_absent(const Rows& rows, uint32_t i, const uint8_t* present) const {
    for (size_t f = 0; f < spec_.fields.size(); ++f) clear_field(f, rows, i, present);
  }
  // The same without the rewards and flags, which are of the step before.
  void clear_absent_outputs(const Rows& rows, uint32_t i, const uint8_t* present) const {
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      const uint32_t role = spec_.fields[f].role;
      if (role == PP_ROLE_OBS || role == PP_ROLE_INFO) clear_field(f, rows, i, present);
    }
  }
  void clear_field(size_t f, const Rows& rows, uint32_t i, const uint8_t* present) const {
    const FieldSpec& spec = spec_.fields[f];
    if (!spec.per_player || spec.role == PP_ROLE_ACTION || spec.role == PP_ROLE_PLAYERS) return;
    const size_t bytes = spec.row_bytes / capacity_;
    char* row = field<char>(rows, f, i);
    for (uint32_t k = 0; k < capacity_; ++k) {
      if (present[k] == 0) std::memset(row + k * bytes, 0, bytes);
    }
  }

  const EnvSpec& spec_;
  const uint32_t capacity_;
  const bool statistics_;
  int terminated_field_ = -1;
  int truncated_field_ = -1;
  int players_field_ = -1;
  size_t reward_field_ = 0;
  bool own_terminated_ = false;
  bool own_truncated_ = false;
  bool own_present_ = false;
  bool own_rewards_ = false;
  bool fixed_ = false;

  size_t first_column_ = 0;
  const std::vector<Column>* columns_ = nullptr;
  const std::vector<size_t>* column_of_field_ = nullptr;

  // By environment and slot; touched by the thread that has the environment's work in hand.
  std::vector<uint8_t> shown_;
  std::vector<uint8_t> acting_;
  std::vector<double> return_;  // of each player so far; only with statistics

  std::vector<std::pair<size_t, size_t>> stretches_;  // from, length; for compact() only
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_STEP_PLAYERS_HPP_
