// parallel_pool/host/config/pool_config.hpp: what is decided about a pool when it is made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/threads/cpus.hpp"
#include "parallel_pool/host/threads/placement.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

enum class Autoreset : uint8_t {
  next_step,  // the step after the end resets: reward 0, no flags, action ignored
  same_step,  // the step that ends an episode also begins the next; what ended is in the final
              // columns
  disabled,   // stepping an ended environment is an error; the caller resets
};

enum class BatchOrder : uint8_t {
  first,   // rows of an asynchronous pool in the order in which environments are done
  oldest,  // in the order in which their actions were sent
};

// Seeds that episodes have. Environments are counted over the pools of all ranks.
struct EpisodeSeedsConfig {
  std::vector<uint64_t> list;
  std::array<uint64_t, 3> range{};  // without a list: start, step (both modulo 2^64) and length
  bool turns = false;  // environment i has number i, i + all_envs, ...; else drawn ones
  uint64_t first_env = 0;
  uint64_t all_envs = 0;

  // 0: generators go on; less than 2^32.
  uint64_t size() const { return list.empty() ? range[2] : list.size(); }
  uint64_t operator[](uint64_t i) const { return list.empty() ? range[0] + i * range[1] : list[i]; }
};

struct PoolConfig {
  uint32_t num_envs = 1;
  uint32_t batch_size = 0;   // 0: num_envs, a synchronous pool
  uint32_t num_threads = 0;  // 0: as many as can run, at most batch_size
  Placement placement;       // the CPUs of the pool's own threads
  // Not NULL: threads shared with other pools; then num_threads and placement are theirs.
  std::shared_ptr<ThreadPool> threads;
  int64_t max_episode_steps = -1;  // -1: the environment's own; 0: no limit
  Autoreset autoreset = Autoreset::next_step;
  BatchOrder order = BatchOrder::first;
  // One per environment; without one it begins as it was made.
  std::vector<std::optional<uint64_t>> seeds;
  EpisodeSeedsConfig episode_seeds;
  bool reward32 = false;       // fill the float32 reward column
  bool dm_columns = false;     // fill the discount and step_type columns
  bool statistics = false;     // fill the episode columns
  bool whole_games = false;    // with scores of games, where the environment has a score
  uint32_t action_chunk = 0;   // actions of an environment in one call; 0: one, without that axis
  bool chunk_rewards = false;  // fill the column of their rewards
  uint32_t chunk_trail = 0;    // observations that are kept of steps before the last
  bool refuse_steps = false;   // refuse_step() will be called
  double step_timeout = 0.0;   // seconds after which a step counts as hung; 0: never
  bool flat_players = false;   // hand per-player columns out as [players present][...], not padded
  bool memory_check = true;    // refuse a pool that does not fit in memory
  bool step_begins = false;    // the first step of an environment that was never reset resets it
  bool resets_itself = false;  // environments begin the next episode in the step that ends one
  bool standing = false;       // one batch for all whole answers, one after the other
  uint32_t waiting = 0;  // the flags of pp_env for calls that only the pool's own threads make

  // Returns true if answers come in the order of the questions, one for each. Once batch_size is
  // decided.
  bool synchronous() const { return batch_size == num_envs; }
  // Returns true if environments get their rows when they are sent, not when they are done.
  bool rows_at_once() const { return !synchronous() && order == BatchOrder::oldest; }
  // Returns how many callers count as threads that step. A synchronous one does; an asynchronous
  // one has better things to do while steps are long, and none may be the thread that hangs.
  uint32_t callers() const { return synchronous() && step_timeout == 0.0 && waiting == 0 ? 1 : 0; }
};

// Decides the values that were left open. flags: those of the environments.
inline PoolConfig decided(PoolConfig config, uint32_t flags, bool has_score) {
  config.whole_games = config.whole_games && config.statistics && has_score;
  config.resets_itself = (flags & PP_ENV_RESETS_ITSELF) != 0u;
  config.waiting = flags & (PP_ENV_RESETS_WAIT | PP_ENV_STEPS_WAIT);
  if (config.batch_size == 0) config.batch_size = config.num_envs;
  if (config.threads != nullptr) config.num_threads = config.threads->size() + config.callers();
  if (config.num_threads == 0) config.num_threads = std::min(config.batch_size, usable_cpus());
  config.num_threads = std::min(config.num_threads, config.num_envs);  // others would never work
  return config;
}

}  // namespace pp::host
