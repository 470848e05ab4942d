// parallel_pool/host/state/host_state.hpp: what the host itself keeps of an environment, in a saved
// state, and the range of each number.
//
// Anyone can make up a state with the right checksum. A flag of 2 would be counted as two, a
// negative number of steps would never reach a time limit: so a field without a range does not
// compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

namespace pp::host {

// The host's part of the state of an environment, without options.
struct HostState {
  double episode_return = 0;   // NaN: the pool kept no statistics
  double episode_seconds = 0;  // since its reset; NaN likewise
  uint64_t seed = 0;           // for the next reset or game, as seed_pending says
  int32_t elapsed = 0;
  uint8_t started = 1;  // environments that were never reset cannot be saved
  uint8_t ended = 0;
  uint8_t seed_pending = 0;  // EnvTable::at_reset, at_game or 0
  uint8_t whole_games = 0;   // return, seconds and steps are those of the game
  int32_t game_steps = 0;
  int32_t continues = 0;  // 1: it ended, and its game goes on
  uint64_t episode = 0;   // 1 more than in EnvTable; 0: the pool had no EpisodeSeeds
  uint64_t episode_seed = 0;
};

template <class T>
struct HostField {
  T HostState::* place;
  const char* name;
  T low;
  T high;
  bool may_be_nan = false;
};

// One for each member of HostState. The return has any value, because rewards have. The steps have
// no limit of this pool: the state may be of a pool with another one.
inline constexpr std::tuple host_fields{
    HostField<double>{&HostState::episode_return, "episode_return",
                      -std::numeric_limits<double>::infinity(),
                      std::numeric_limits<double>::infinity(), true},
    HostField<double>{&HostState::episode_seconds, "episode_seconds", 0.0,
                      std::numeric_limits<double>::max(), true},
    HostField<uint64_t>{&HostState::seed, "seed", 0, UINT64_MAX},
    HostField<int32_t>{&HostState::elapsed, "elapsed", 0, INT32_MAX},
    HostField<uint8_t>{&HostState::started, "started", 1, 1},
    HostField<uint8_t>{&HostState::ended, "ended", 0, 1},
    HostField<uint8_t>{&HostState::seed_pending, "seed_pending", 0, 6},
    HostField<uint8_t>{&HostState::whole_games, "whole_games", 0, 1},
    HostField<int32_t>{&HostState::game_steps, "game_steps", 0, INT32_MAX},
    HostField<int32_t>{&HostState::continues, "continues", 0, 1},
    HostField<uint64_t>{&HostState::episode, "episode", 0, UINT64_MAX},
    HostField<uint64_t>{&HostState::episode_seed, "episode_seed", 0, UINT64_MAX},
};

namespace detail {
template <class... T>
constexpr size_t bytes_of(const std::tuple<HostField<T>...>&) {
  return (size_t{0} + ... + sizeof(T));
}
template <class T>
std::string in_words(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {  // to_string would write out 300 digits
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
  }
}
}  // namespace detail
static_assert(std::is_trivially_copyable_v<HostState> &&
                  detail::bytes_of(host_fields) == sizeof(HostState),
              "no padding, and each member of HostState has its range");

// The first number that is outside of its range, in words; empty if there is none.
inline std::string find_out_of_range(const HostState& state) {
  std::string found;
  const auto look = [&](const auto& field) {
    const auto value = state.*field.place;
    if (!found.empty() || (value >= field.low && value <= field.high)) return;
    if (field.may_be_nan && value != value) return;
    found = std::string("its ") + field.name + " is " + detail::in_words(value) + ", expected " +
            detail::in_words(field.low) + " .. " + detail::in_words(field.high);
  };
  std::apply([&](const auto&... field) { (look(field), ...); }, host_fields);
  return found;
}

}  // namespace pp::host
