// parallel_pool/host/config/pool_config.hpp: what whoever makes a pool decides about it.
#ifndef PARALLEL_POOL_HOST_CONFIG_POOL_CONFIG_HPP_
#define PARALLEL_POOL_HOST_CONFIG_POOL_CONFIG_HPP_

#include <cstdint>
#include <memory>
#include <vector>

#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/threads/placement.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

enum class Autoreset : uint8_t {
  next_step,  // the step after the end resets: reward 0, no flags, action ignored
  same_step,  // the step that ends an episode also begins the next; what ended is in the final
              // columns
  disabled,   // stepping an ended environment is an error; the caller resets
};

struct PoolConfig {
  uint32_t num_envs = 1;
  uint32_t batch_size = 0;   // 0: num_envs, a synchronous pool
  uint32_t num_threads = 0;  // 0: as many as can run, at most batch_size
  Placement placement;       // of the pool's own threads
  // Not NULL: threads shared with other pools; then num_threads and placement are theirs.
  std::shared_ptr<ThreadPool> threads;
  int64_t max_episode_steps = -1;  // -1: the environment's own; 0: no limit
  Autoreset autoreset = Autoreset::next_step;
  std::vector<uint64_t> seeds;  // one per environment
  bool reward32 = false;        // fill the float32 reward column
  bool dm_columns = false;      // fill the discount and step_type columns
  bool statistics = false;      // fill the episode columns
  bool refuse_steps = false;    // refuse_step() will be called
  double step_timeout = 0.0;    // seconds after which a step counts as hung; 0: never
  bool flat_players = false;    // hand per-player columns out as [players present][...], not padded
  Backend* backend = nullptr;   // where shards live, if not here; outlives the pool
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_CONFIG_POOL_CONFIG_HPP_
