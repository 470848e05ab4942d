// parallel_pool/host/state/env_table.hpp: what the pool knows of each of its environments.
//
// Columns, not a struct an environment: loops over a shard's rows read them as vectors.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"

namespace pp::host {

enum class Op : uint8_t { step, reset };
static_assert(static_cast<uint8_t>(Op::step) == 0 && static_cast<uint8_t>(Op::reset) == 1 &&
                  sizeof(Op) == 1,
              "row_loops::choose reads them as bytes");

struct EnvTable {
  // `seeds`, `step_begins`: as in PoolConfig. `games`: an episode may go on with the game before
  // it. `listed`: there are EpisodeSeeds.
  EnvTable(uint32_t n, const std::vector<std::optional<uint64_t>>& seeds, bool step_begins,
           bool games, bool listed)
      : pending(n, 0),
        started(n, 0),
        op(n, Op::reset),
        ended(n, step_begins ? 1 : 0),  // 1 makes the next step a reset
        failed(n, 0),
        seed_pending(n, 0),
        seed(n, 0),
        continues(games ? n : 0, 0),
        episode(listed ? n : 0, 0),
        episode_seed(listed ? n : 0, unknown_seed),
        elapsed(n, 0),
        episode_return(n, 0.0),
        began(n, 0.0),
        game_steps(n, 0),
        first_steps(step_begins) {
    for (uint32_t env = 0; env < n; ++env) {
      seed_pending[env] = seeds[env].has_value() ? at_reset : 0;
      seed[env] = seeds[env].value_or(0);
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(pending.size()); }

  static double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  // The seed of the next reset, which then begins a new game; or of the next game.
  void set_seed(uint32_t env, uint64_t value) {
    seed[env] = value;
    seed_pending[env] = at_reset;
  }
  void forget_seed(uint32_t env) { seed_pending[env] = 0; }
  void set_next_seed(uint32_t env, uint64_t value) {
    seed[env] = value;
    seed_pending[env] = continues.empty() ? at_reset : at_game;
  }

  // A reset was asked for: what it was before is forgotten.
  void begin_reset(uint32_t env) {
    op[env] = Op::reset;
    start(env);
    if (failed[env] != 0) {
      failed[env] = 0;
      n_failed.fetch_sub(1);
    }
  }

  // It is about to be reset, by whatever op, or goes on from a state.
  void start(uint32_t env) {
    if (started[env] != 0) return;
    started[env] = 1;
    ++n_started;
  }

  // Return true if it, or all of them, were reset once, or will be by the step that is asked for.
  bool can_step(uint32_t env) const { return first_steps || started[env] != 0; }
  bool all_can_step() const { return first_steps || n_started == size(); }

  // From here on what ends is left as it is, whatever the mode; or no more, and all episodes end
  // here: each environment has to be reset before anything else.
  void set_apart(bool on) {
    apart = on;
    if (on) return;
    played = true;
    started.assign(size(), 0);
    n_started = 0;
  }
  const char* not_begun() const {
    return played ? " was played by episodes(), which has ended" : " was never reset";
  }

  // Throws unless it was reset and has not failed since: before that there is nothing in it to be
  // `verb` ("drawn").
  void expect_begun(uint32_t env, const char* verb) const {
    if (started[env] != 0 && failed[env] == 0) return;
    throw Error(ErrorKind::reset_needed, "environment " + std::to_string(env) +
                                             (failed[env] != 0 ? " failed earlier" : not_begun()) +
                                             ", so it cannot be " + verb + ": reset it first");
  }

  // It has to be reset before anything else.
  void fail(uint32_t env) {
    if (failed[env] == 0) n_failed.fetch_add(1);
    failed[env] = 1;
    ended[env] = 0;
  }

  // Guarded by the pool's state lock.
  static constexpr uint8_t sent = 1;  // and not received
  static constexpr uint8_t held = 2;  // by a call that has no row to come
  std::vector<uint8_t> pending;       // sent, held, or 0
  std::vector<uint8_t> started;       // was reset once, or is being so
  uint32_t n_started = 0;
  bool apart = false;   // set while nothing is in flight
  bool played = false;  // apart, and is no more

  // Touched by the thread that has the environment's work in hand.
  std::vector<Op> op;
  std::vector<uint8_t> ended;
  std::vector<uint8_t> failed;
  static constexpr uint8_t at_reset = 1;  // the next reset begins with `seed`
  static constexpr uint8_t at_game = 2;   // the next that begins a game does
  static constexpr uint8_t listed = 4;    // and it is that of EpisodeSeeds
  std::vector<uint8_t> seed_pending;      // one of the first two, or 0; and the third
  std::vector<uint64_t> seed;
  std::vector<uint8_t> continues;  // it ended, and its game goes on; empty without games
  // With EpisodeSeeds, else empty: which of its list is next, and the seed of the episode so far.
  static constexpr uint64_t unknown_seed = UINT64_MAX;  // a state of another pool has it
  std::vector<uint64_t> episode;
  std::vector<uint64_t> episode_seed;
  std::vector<int32_t> elapsed;
  // The episode so far, with PoolConfig::statistics; the game, with whole_games.
  std::vector<double> episode_return;
  std::vector<double> began;        // seconds_now() of the reset
  std::vector<int32_t> game_steps;  // only with whole_games
  std::atomic<uint32_t> n_failed{0};
  const bool first_steps;  // PoolConfig::step_begins
};

}  // namespace pp::host
