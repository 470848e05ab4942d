#include "pool/pool_config_object.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pp::python {
namespace {

// Takes members that are given by name. One function for each type, not one for each member.
class Members {
 public:
  explicit Members(const py::kwargs& given) : given_(given), left_(given.size()) {}

  template <class T>
  void take(const char* name, T& member) {
    if (!given_.contains(name)) return;
    member = given_[name].cast<T>();
    --left_;
  }

  // words: of an enumeration, in the order of its values from 0 on.
  template <class Enum, size_t N>
  void take(const char* name, Enum& member, const std::array<const char*, N>& words) {
    std::string word = words[static_cast<size_t>(member)];
    take(name, word);
    size_t value = 0;
    while (value < N && word != words[value]) ++value;
    if (value == N) throw py::value_error(std::string(name) + " is '" + word + "'");
    member = static_cast<Enum>(value);
  }

  void expect_all_taken() const {
    if (left_ != 0)
      throw py::type_error("one of them is no member: " + std::string(py::str(given_)));
  }

 private:
  const py::kwargs& given_;
  size_t left_;
};

PyPoolConfig config_of(const py::kwargs& given) {
  PyPoolConfig config;
  host::PoolConfig& pool = config.pool;
  Members members(given);
  members.take("num_envs", pool.num_envs);
  members.take("batch_size", pool.batch_size);
  members.take("num_threads", pool.num_threads);
  members.take("max_episode_steps", pool.max_episode_steps);
  members.take("seeds", pool.seeds);
  members.take("step_timeout", pool.step_timeout);
  members.take("reward32", pool.reward32);
  members.take("dm_columns", pool.dm_columns);
  members.take("statistics", pool.statistics);
  members.take("whole_games", pool.whole_games);
  members.take("action_chunk", pool.action_chunk);
  members.take("chunk_rewards", pool.chunk_rewards);
  members.take("chunk_trail", pool.chunk_trail);
  members.take("flat_players", pool.flat_players);
  members.take("step_begins", pool.step_begins);
  members.take("memory_check", pool.memory_check);
  members.take("standing", pool.standing);
  members.take("autoreset_mode", pool.autoreset, std::array{"NextStep", "SameStep", "Disabled"});
  members.take("batch_order", pool.order, std::array{"first", "oldest"});
  members.take("nan_action", config.policy.nan, std::array{"raise", "clip", "truncate"});
  members.take("out_of_bounds_action", config.policy.bounds, std::array{"pass", "raise", "clip"});
  members.take("episode_seeds", pool.episode_seeds.list);
  members.take("episode_range", pool.episode_seeds.range);
  members.take("episodes_in_turns", pool.episode_seeds.turns);
  members.take("first_env", pool.episode_seeds.first_env);
  members.take("all_envs", pool.episode_seeds.all_envs);
  int offset = -1;
  members.take("thread_affinity_offset", offset);
  pool.placement = host::Placement::from_offset(offset);
  members.take("cpus", pool.placement.cpus);
  members.take("thread_pool", pool.threads);
  members.expect_all_taken();
  return config;
}

}  // namespace

void bind_pool_config(py::module_& module) {
  py::class_<PyPoolConfig>(
      module, "PoolConfig",
      "What a pool is to be. Checked in Python (parallel_pool.config.arguments).")
      .def(py::init(&config_of));
}

}  // namespace pp::python
