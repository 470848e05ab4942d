// parallel_pool/host/state/snapshots.hpp: saving and restoring environments of a pool.
//
// A snapshot is the plugin's bytes, what the host knows of the environment, and what it has to
// agree with (host/state/saved_state.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/env_tables.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/episode_seeds.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/state/saved_state.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

class Snapshots {
 public:
  // state_of(table): the extension of environments with this table, or NULL. `options`: one per
  // environment, or one for all. All but these outlive it; `seeds` and `players` may be NULL.
  template <class StateOf>
  Snapshots(const EnvTables& tables, const pp_plugin& plugin, const PoolConfig& config,
            EnvTable& envs, const EpisodeSeeds* seeds, PlayerTable* players, Shards& shards,
            StateOf&& state_of, const std::vector<const OptionValues*>& options)
      : tables_(tables),
        plugin_(plugin),
        config_(config),
        envs_(envs),
        seeds_(seeds),
        players_(players),
        shards_(shards) {
    for (uint32_t env = 0; env < options.size(); ++env) {
      const pp_env& table = tables_[env];
      identities_.push_back({state_of(table), {}});
      Identity& own = identities_.back();
      if (own.state == nullptr) continue;
      own.option_hashes = hash_options(table, options[env]->data(), *own.state);
    }
  }

  // All that decides the future of these environments, which are held; their shards may be at work
  // on others. Throws and changes nothing if one of them was never reset, has failed or cannot be
  // saved.
  std::vector<std::string> save(const EnvIds& envs) const {
    std::vector<std::string> states;
    states.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) states.push_back(save(envs[i]));
    return states;
  }

  // The next step of envs[i], which is held, is then what the next step after states[i] was. Throws
  // and changes nothing if a state does not fit. Recovers environments that failed. Where a plugin
  // refuses a state that passed all our checks, its environment counts as failed, and the others
  // are restored all the same. `state_lock`: of the pool.
  // `source`: an environment, held, that the plugin copies instead of reading bytes.
  void load(const EnvIds& envs, const std::vector<std::string_view>& states, SpinLock& state_lock,
            const uint32_t* source = nullptr) {
    std::vector<StateView> views;
    views.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      expect_offered(envs[i]);
      // One state for many environments is checked for damage once.
      const bool same = i > 0 && states[i].data() == states[i - 1].data() &&
                        states[i].size() == states[i - 1].size();
      views.push_back(same ? StateView(views.back()) : StateView(states[i]));
      check(views.back(), envs[i], "environment " + std::to_string(envs[i]));
    }
    std::string refused;
    for (uint32_t i = 0; i < envs.size(); ++i) {
      const std::string reason = restore(envs[i], views[i], nullptr, state_lock, source);
      if (reason.empty()) continue;
      refused += (refused.empty() ? "" : "; ") + ("environment " + std::to_string(envs[i])) +
                 " refused its state and has to be reset: " + reason;
    }
    if (!refused.empty()) throw Error(ErrorKind::state, refused);
  }

  // Loads what save() gives for `source`, which is held too, but without the plugin's bytes
  // where the plugin copies.
  void clone(uint32_t source, const EnvIds& targets, SpinLock& state_lock) {
    const uint32_t* const copied = copies(source) ? &source : nullptr;
    const std::string state = save(source, copied == nullptr);
    load(targets, std::vector<std::string_view>(targets.size(), state), state_lock, copied);
  }
  // Returns true if the plugin copies this environment to others without bytes.
  bool copies(uint32_t env) const {
    const pp_state* const offered = own(env).state;
    // Two shards of an exclusive library would wait for one lock while they hold their own.
    return offered != nullptr && offered->struct_size >= sizeof *offered &&
           offered->copy != nullptr && shards_.exclusive() == nullptr;
  }

  // Throws unless the random numbers of this environment can be chosen within an episode.
  void expect_reseeded(uint32_t env) const {
    const pp_state& extension = expect_offered(env);
    if (extension.struct_size > first_size<pp_state> && extension.load_seeded != nullptr) return;
    throw Error(ErrorKind::not_offered, std::string(tables_[env].id) +
                                            " has random numbers that no seed reaches within an "
                                            "episode: simulate without seeds");
  }

  // Does the same in two steps for one environment, so that a state is checked once and restored
  // often. Throws unless it fits the environment, which is `name` to the user.
  StateView checked(std::string_view state, uint32_t env, const std::string& name) const {
    expect_offered(env);
    StateView view(state);
    check(view, env, name);
    return view;
  }
  // Returns why the plugin refused a state that was checked, or nothing; then the environment
  // counts as failed. The random numbers that follow are those of the seed, if there is one
  // (expect_reseeded). `source`: as of load().
  std::string restore(uint32_t env, const StateView& state, const uint64_t* seed,
                      SpinLock& state_lock, const uint32_t* source = nullptr) {
    std::string reason;
    {
      Shard& shard = shards_.of(env);
      Shard& other = shards_.of(source == nullptr ? env : *source);
      const ErrorSink sink;
      // In their order: threads that wait for each other would do so for ever.
      const auto [first, last] = std::minmax({&shard, &other});
      const AttentiveShardLock lock(*first, shards_.exclusive());
      std::optional<AttentiveShardLock> second;
      if (last != first) second.emplace(*last, nullptr);
      const std::string_view bytes = state.plugin();
      try {
        const pp_state& extension = *own(env).state;
        const uint32_t lane = env - shard.base;
        const int32_t refused =
            source != nullptr ? extension.copy(shard.self, lane, other.self, *source - other.base)
            : seed == nullptr
                ? extension.load(shard.self, lane, bytes.data(), bytes.size())
                : extension.load_seeded(shard.self, lane, bytes.data(), bytes.size(), *seed);
        if (refused != 0) reason = sink.text();
      } catch (const Error&) {  // no caller waits any more, and what it has now is unknown
        const std::lock_guard<SpinLock> guard(state_lock);
        envs_.fail(env);
        throw;
      }
    }
    const HostState& host = state.host();
    const uint8_t failed = reason.empty() ? 0 : 1;
    envs_.elapsed[env] = host.elapsed;
    envs_.ended[env] = failed != 0 ? 0 : host.ended;
    uint8_t& pending = envs_.seed_pending[env];
    pending = host.seed_pending;
    if (envs_.continues.empty() && (pending & EnvTable::at_game) != 0) {  // in a made-up state
      pending ^= EnvTable::at_game;
      pending |= EnvTable::at_reset;
    }
    if (host.seed_pending != 0) envs_.seed[env] = host.seed;
    if (seeds_ != nullptr) {
      const bool listed = host.episode != 0;  // saved where seeds are from a list too
      envs_.episode_seed[env] = listed ? host.episode_seed : EnvTable::unknown_seed;
      if (listed) envs_.episode[env] = host.episode - 1;
      if ((pending & ~EnvTable::listed) == 0) seeds_->give_next(envs_, env);
    } else {
      pending &= static_cast<uint8_t>(~EnvTable::listed);
    }
    if (!envs_.continues.empty()) envs_.continues[env] = static_cast<uint8_t>(host.continues);
    const bool counted = (host.whole_games != 0) == config_.whole_games;
    envs_.episode_return[env] = counted ? host.episode_return : unknown;
    envs_.began[env] = EnvTable::seconds_now() - (counted ? host.episode_seconds : unknown);
    envs_.game_steps[env] = counted ? host.game_steps : host.elapsed;
    if (players_ != nullptr) {
      failed != 0 ? players_->forget(env) : players_->load(env, state.players());
    }
    const std::lock_guard<SpinLock> lock(state_lock);
    envs_.n_failed.fetch_add(static_cast<uint32_t>(failed - envs_.failed[env]));  // modulo 2^32
    envs_.failed[env] = failed;
    envs_.start(env);
    return reason;
  }

 private:
  static constexpr int64_t most_bytes = int64_t{1} << 40;  // the limit of one state
  // Stands for a sum that was not counted, or was over something else; sums of a pool that counts
  // stay NaN then.
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  // The identity of one environment, or of all.
  struct Identity {
    const pp_state* state;  // NULL: not offered
    std::vector<uint64_t> option_hashes;
  };

  // Throws unless the environment can be saved at all.
  const pp_state& expect_offered(uint32_t env) const {
    const pp_state* const offered = own(env).state;
    if (offered != nullptr) return *offered;
    throw Error(ErrorKind::state, std::string(tables_[env].id) +
                                      " cannot save or restore states: its plugin (" +
                                      plugin_.name + " " + plugin_.version +
                                      ") does not offer " PP_EXT_STATE " for it");
  }

  // whole: with the plugin's bytes.
  std::string save(uint32_t env, bool whole = true) const {
    const pp_state& extension = expect_offered(env);
    envs_.expect_begun(env, "saved");
    const std::string name = "environment " + std::to_string(env);
    const HostState host = host_state(env);
    Shard& shard = shards_.of(env);
    const uint32_t lane = env - shard.base;
    const ErrorSink sink;
    const AttentiveShardLock lock(shard, shards_.exclusive());
    const int64_t room = whole ? extension.size(shard.self, lane) : 0;
    if (room > most_bytes) {
      throw Error(ErrorKind::state, name + " could not be saved: its plugin (" + plugin_.name +
                                        ") says that the state has " + std::to_string(room) +
                                        " bytes");
    }
    char* bytes = nullptr;
    std::string state =
        make_state(identity(env), host, players_ == nullptr ? std::string() : players_->save(env),
                   room < 0 ? 0 : static_cast<uint64_t>(room), &bytes);
    const int64_t written =
        room < 0 || !whole ? room
                           : extension.save(shard.self, lane, bytes, static_cast<uint64_t>(room));
    if (written < 0 || written > room) {
      const bool lie = room >= 0 && written > room && sink.empty();
      const std::string said = "its plugin (" + std::string(plugin_.name) + ") wrote " +
                               std::to_string(written) + " bytes, and had room for " +
                               std::to_string(room);
      throw Error(ErrorKind::state, name + " could not be saved: " + (lie ? said : sink.text()));
    }
    seal_state(state, static_cast<uint64_t>(room), static_cast<uint64_t>(written));
    return state;
  }

  // Throws unless the state is one of this environment.
  void check(const StateView& state, uint32_t env, const std::string& name) const {
    state.check(identity(env), tables_[env], players_ == nullptr ? 0 : players_->state_bytes(),
                name);
    const std::string odd = players_ == nullptr ? "" : players_->find_out_of_range(state.players());
    if (!odd.empty()) throw Error(ErrorKind::state, "the state does not fit " + name + ": " + odd);
    if (state.host().ended != 0 && config_.autoreset == Autoreset::same_step) {
      throw Error(ErrorKind::state, "the state does not fit " + name +
                                        ": its episode has ended and waits for a reset, which "
                                        "never happens with SAME_STEP autoreset");
    }
  }

  HostState host_state(uint32_t env) const {
    HostState host;
    host.elapsed = envs_.elapsed[env];
    host.ended = envs_.ended[env];
    host.seed_pending = envs_.seed_pending[env];
    host.seed = host.seed_pending != 0 ? envs_.seed[env] : 0;
    const bool known = config_.statistics;
    host.whole_games = config_.whole_games ? 1 : 0;
    host.game_steps = envs_.game_steps[env];
    if (seeds_ != nullptr) {
      host.episode = envs_.episode[env] + 1;
      host.episode_seed = envs_.episode_seed[env];
    }
    host.continues = envs_.continues.empty() ? 0 : envs_.continues[env];
    host.episode_return = known ? envs_.episode_return[env] : unknown;
    host.episode_seconds = known ? EnvTable::seconds_now() - envs_.began[env] : unknown;
    return host;
  }

  const Identity& own(uint32_t env) const { return identities_[identities_.size() == 1 ? 0 : env]; }
  StateIdentity identity(uint32_t env) const {
    return {tables_[env].id, plugin_.version, &own(env).option_hashes};
  }

  const EnvTables& tables_;
  const pp_plugin& plugin_;
  const PoolConfig& config_;
  EnvTable& envs_;
  const EpisodeSeeds* seeds_;
  PlayerTable* players_;
  Shards& shards_;
  std::vector<Identity> identities_;  // one for all, or by environment
};

}  // namespace pp::host
