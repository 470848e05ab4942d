// parallel_pool._core._play: several shards played, one after the other or at once.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/python_lock.hpp"
#include "conformance/memory_fill.hpp"
#include "conformance/shard_player.hpp"

namespace pp::python {
namespace {

using PlayRecord = std::pair<py::array_t<uint64_t>, std::vector<std::string>>;

}  // namespace

void bind_play(py::module_& module) {
  module.def(
      "_play",
      [](const Plugin& plugin, const std::string& env_id, const py::dict& options,
         const std::vector<py::array>& actions, const std::vector<std::vector<uint32_t>>& roles,
         size_t calls, double seconds, int64_t limit, bool one_by_one, int memory, int stack,
         uint8_t fill, size_t times, size_t cut, size_t look) {
        std::vector<std::unique_ptr<ShardPlayer>> players;
        for (const std::vector<uint32_t>& each : roles) {
          players.push_back(std::make_unique<ShardPlayer>(
              plugin, env_id, options, actions,
              PlayMode{each, calls, seconds, limit, one_by_one, stack, fill, times, cut, look}));
        }
        {
          const Unlocked unlocked;
          if (memory >= 0) fill_new_memory(static_cast<uint8_t>(memory));
          if (players.size() == 1) {
            players[0]->run();
          } else {
            // All begin at once: what one does to another is seen while both play.
            std::atomic<size_t> ready{0};
            std::vector<std::thread> threads;
            for (const auto& player : players) {
              threads.emplace_back([&ready, &players, &player] {
                ready.fetch_add(1);
                while (ready.load() < players.size()) std::this_thread::yield();
                player->run();
              });
            }
            for (std::thread& thread : threads) thread.join();
          }
          if (memory >= 0) fill_new_memory(0xFF);
        }
        std::vector<PlayRecord> told;
        for (const auto& player : players) {
          told.emplace_back(player->record(), player->findings());
        }
        return told;
      },
      py::arg("plugin"), py::arg("env_id"), py::arg("options"), py::arg("actions"),
      py::arg("roles"), py::arg("calls"), py::arg("seconds"), py::arg("limit"),
      py::arg("one_by_one"), py::arg("memory"), py::arg("stack"), py::arg("fill"), py::arg("times"),
      py::arg("cut"), py::arg("look"),
      "Plays shards, each in a thread where there are several: per shard what its environments "
      "did, a\n"
      "number per step, environment and field, and what it does beyond its rows.");
}

}  // namespace pp::python
