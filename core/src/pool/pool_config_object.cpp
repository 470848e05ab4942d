#include "pool/pool_config_object.hpp"

#include <pybind11/stl.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pp::python {
namespace {

// The words of an enumeration, in the order of its values from 0 on.
using Words = std::vector<const char*>;
template <class Enum>
const Words words;
template <>
const Words words<host::Autoreset> = {"NextStep", "SameStep", "Disabled"};
template <>
const Words words<host::BatchOrder> = {"first", "oldest"};
template <>
const Words words<ActionPolicy::Nan> = {"raise", "clip", "truncate"};
template <>
const Words words<ActionPolicy::Bounds> = {"pass", "raise", "clip"};

template <class Enum>
std::string word(Enum value) {
  return words<Enum>[static_cast<size_t>(value)];
}
template <class Enum>
Enum value_of(const char* member, const std::string& word) {
  const Words& all = words<Enum>;
  for (size_t i = 0; i < all.size(); ++i) {
    if (word == all[i]) return static_cast<Enum>(i);
  }
  throw py::value_error(std::string(member) + " is '" + word + "'");
}

using Class = py::class_<PyPoolConfig>;

// A property that is a member of PyPoolConfig::pool.
template <class T>
void member(Class& config, const char* name, T host::PoolConfig::* where) {
  config.def_property(
      name, [where](const PyPoolConfig& self) -> T { return self.pool.*where; },
      [where](PyPoolConfig& self, T value) { self.pool.*where = std::move(value); });
}

// A property that is an enumeration, and a text to Python. `get`: gives a reference to it.
template <class Get>
void choice(Class& config, const char* name, Get get) {
  using Enum = std::remove_reference_t<decltype(get(std::declval<PyPoolConfig&>()))>;
  config.def_property(
      name, [get](PyPoolConfig& self) { return word(get(self)); },
      [get, name](PyPoolConfig& self, const std::string& text) {
        get(self) = value_of<Enum>(name, text);
      });
}

}  // namespace

void bind_pool_config(py::module_& module) {
  Class config(module, "PoolConfig",
               "What a pool is to be. Checked in Python (parallel_pool.config.arguments).");
  config.def(py::init<>());
  member(config, "num_envs", &host::PoolConfig::num_envs);
  member(config, "batch_size", &host::PoolConfig::batch_size);
  member(config, "num_threads", &host::PoolConfig::num_threads);
  member(config, "max_episode_steps", &host::PoolConfig::max_episode_steps);
  member(config, "seeds", &host::PoolConfig::seeds);
  member(config, "step_timeout", &host::PoolConfig::step_timeout);
  member(config, "reward32", &host::PoolConfig::reward32);
  member(config, "dm_columns", &host::PoolConfig::dm_columns);
  member(config, "statistics", &host::PoolConfig::statistics);
  member(config, "whole_games", &host::PoolConfig::whole_games);
  member(config, "action_chunk", &host::PoolConfig::action_chunk);
  member(config, "chunk_rewards", &host::PoolConfig::chunk_rewards);
  member(config, "chunk_trail", &host::PoolConfig::chunk_trail);
  member(config, "flat_players", &host::PoolConfig::flat_players);
  member(config, "step_begins", &host::PoolConfig::step_begins);
  member(config, "memory_check", &host::PoolConfig::memory_check);
  choice(config, "autoreset_mode", [](PyPoolConfig& self) -> auto& { return self.pool.autoreset; });
  choice(config, "batch_order", [](PyPoolConfig& self) -> auto& { return self.pool.order; });
  choice(config, "nan_action", [](PyPoolConfig& self) -> auto& { return self.policy.nan; });
  choice(config, "out_of_bounds_action",
         [](PyPoolConfig& self) -> auto& { return self.policy.bounds; });
  const auto episodes = [&config](const char* name, auto where) {
    using T = std::remove_reference_t<decltype(std::declval<host::EpisodeSeedsConfig&>().*where)>;
    config.def_property(
        name, [where](const PyPoolConfig& self) -> T { return self.pool.episode_seeds.*where; },
        [where](PyPoolConfig& self, T value) {
          self.pool.episode_seeds.*where = std::move(value);
        });
  };
  episodes("episode_seeds", &host::EpisodeSeedsConfig::list);
  episodes("episode_range", &host::EpisodeSeedsConfig::range);
  episodes("episodes_in_turns", &host::EpisodeSeedsConfig::turns);
  episodes("first_env", &host::EpisodeSeedsConfig::first_env);
  episodes("all_envs", &host::EpisodeSeedsConfig::all_envs);
  config.def_property(
      "thread_affinity_offset",
      [](const PyPoolConfig& self) { return self.thread_affinity_offset; },
      [](PyPoolConfig& self, int offset) {
        self.thread_affinity_offset = offset;
        self.pool.placement = host::Placement::from_offset(offset);
      });
  config.def_property(
      "cpus", [](const PyPoolConfig& self) { return self.pool.placement.cpus; },
      [](PyPoolConfig& self, std::vector<std::vector<int>> cpus) {
        self.pool.placement = host::Placement{std::move(cpus)};
      });
  config.def_property(
      "thread_pool", [](const PyPoolConfig& self) { return self.pool.threads != nullptr; },
      [](PyPoolConfig& self, std::shared_ptr<host::ThreadPool> threads) {
        self.pool.threads = std::move(threads);
      });
}

}  // namespace pp::python
