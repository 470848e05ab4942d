// An environment's trajectory, whatever the threads, the shards and the batch size.
#include "test_envs.hpp"

namespace pp::test {
namespace {

constexpr uint32_t n = 40;
constexpr uint32_t steps = 30;

std::vector<uint64_t> alone(host::Autoreset mode) {
  PoolConfig config = sizes(n, n, 1);
  config.autoreset = mode;
  return play(*make_pool("Walk", config), steps);
}

PP_CASE(trajectories_do_not_depend_on_threads_or_batches) {
  const std::vector<uint64_t> golden = alone(host::Autoreset::next_step);
  for (const char* name : {"Walk", "WalkLanes", "WalkLate", "WalkExclusive", "WalkBatch"}) {
    for (const uint32_t threads : {2u, 8u}) {
      for (const uint32_t batch_size : {1u, 7u, 20u, n}) {
        PP_CHECK(play(*make_pool(name, sizes(n, batch_size, threads)), steps) == golden);
      }
    }
  }
}

PP_CASE(every_column_in_same_step_mode) {
  const std::vector<uint64_t> golden = alone(host::Autoreset::same_step);
  for (const char* name : {"WalkLanes", "WalkLate", "WalkBatch"}) {
    for (const uint32_t batch_size : {7u, n}) {
      PoolConfig config = sizes(n, batch_size, 4);
      config.autoreset = host::Autoreset::same_step;
      config.reward32 = config.dm_columns = config.statistics = true;
      config.max_episode_steps = 0;
      PP_CHECK(play(*make_pool(name, config), steps) == golden);
    }
  }
}

// Work that is slower than waking a thread, so that it is shared and not done at once by the
// caller.
PP_CASE(slow_steps_are_shared) {
  for (const char* name : {"Sleepy", "SleepyLate", "Exclusive"}) {
    for (const uint32_t batch_size : {3u, 12u}) {
      const auto pool = make_pool(name, sizes(12, batch_size, 4));
      ask_all(*pool, Op::reset);
      for (uint32_t turn = 0; turn < 40; ++turn) {
        const Held batch = wait(*pool);
        std::vector<uint32_t> ready(ids_of(*pool, *batch), ids_of(*pool, *batch) + batch->rows);
        for (const uint32_t env : ready) act(*pool, env, static_cast<int32_t>((env + turn) % 2));
        ask(*pool, ready, Op::step);
      }
    }
  }
}

// Parts of a synchronous pool, asked one after the other; and resets in between.
PP_CASE(parts_are_answered_in_order) {
  const auto pool = started_pool("WalkLanes", sizes(n, n, 4));
  for (uint32_t turn = 0; turn < 100; ++turn) {
    for (uint32_t part = 0; part < 4; ++part) {
      std::vector<uint32_t> ids;
      for (uint32_t env = part; env < n; env += 4) ids.push_back(env);
      for (const uint32_t env : ids) act(*pool, env, policy(env, turn));
      if (part == 0) pool->set_seed(ids[0], turn);
      ask(*pool, ids, (turn + part) % 5 == 0 ? Op::reset : Op::step);
    }
    for (uint32_t part = 0; part < 4; ++part) {
      const Held batch = wait(*pool);
      PP_CHECK(batch->rows == n / 4);
      PP_CHECK(ids_of(*pool, *batch)[1] == static_cast<int32_t>(part + 4));
    }
  }
}

}  // namespace
}  // namespace pp::test
