// The native part of the conformance kit (parallel_pool.testing): plugins between guard bytes, and
// built and destroyed many times.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/python_lock.hpp"
#include "conformance/guarded_shard.hpp"
#include "conformance/memory_fill.hpp"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/rng.hpp"

namespace pp::python {

namespace py = pybind11;

namespace {

// Everything that a host may ask of a shard.
class ShardChecker final : public GuardedShard {
 public:
  using GuardedShard::GuardedShard;

  // Makes calls of all kinds, with the actions again and again: `calls` steps, or fewer where they
  // take more than `seconds`, but each of the actions once. Returns the number of steps. Runs
  // without the GIL.
  size_t run(size_t calls, double seconds) {
    size_t step = 0;
    if (create()) step = play(std::max(calls, steps_), seconds);
    destroy();
    return step;
  }

  // Restores `times` damaged states and steps on from those that the environment takes: they lead
  // to situations that play reaches late or never. Returns how many were taken, or -1 where there
  // are no states.
  int64_t restore_damaged(size_t times, size_t steps, double seconds) {
    const auto* extension = host::find_extension<pp_state>(env_, PP_EXT_STATE);
    if (extension == nullptr || !create()) return -1;
    const std::vector<uint64_t> seeds(lanes_, 7);
    if (!call(Op::reset, 0, lanes_, nullptr, seeds.data(), 0)) return -1;
    for (size_t step = 0; step < steps_ / 2; ++step) {
      if (!go_on(step)) return -1;
    }
    const int64_t size = extension->size(self_, 0);
    if (size <= 0) return -1;
    std::vector<unsigned char> state(static_cast<size_t>(size));
    if (extension->save(self_, 0, state.data(), state.size()) != size) return -1;
    const auto start = std::chrono::steady_clock::now();
    Rng rng(20240229);
    int64_t taken = 0;
    for (size_t time = 0; time < times; ++time) {
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
          seconds) {
        break;
      }
      std::vector<unsigned char> damaged = state;
      for (int64_t count = rng.integers(1, 9); count > 0; --count) {
        const auto place = static_cast<size_t>(rng.integers(0, size));
        damaged[place] = static_cast<unsigned char>(rng.integers(0, 256));
      }
      bool whole = true;
      {
        const host::ErrorSink sink;
        whole = extension->load(self_, 0, damaged.data(), damaged.size()) == 0 && sink.empty();
      }
      taken += whole ? 1 : 0;
      may_fail_ = true;
      for (size_t step = 0; whole && step < steps; ++step) {
        whole = go_on(step);
      }
      may_fail_ = false;
      const host::ErrorSink sink;
      if (extension->load(self_, 0, state.data(), state.size()) != 0) {
        find("a sound state is refused after a damaged one: " + sink.text());
        break;
      }
    }
    return taken;
  }

  // Returns true if the environment reads this option: it is handed over as a kind that does not
  // exist.
  bool reads_option(size_t option) {
    std::vector<pp_value> values(values_->data(), values_->data() + env_.n_option);
    values.at(option).kind = 0xffffffffu;
    const std::vector<const pp_value*> lanes(lanes_, values.data());
    const pp_shard shard{sizeof(pp_shard), lanes_, lanes.data()};
    const host::ErrorSink sink;
    const pp_spec* described = env_.describe(&host::host_table(), values.data());
    if (described == nullptr) return true;
    env_.release_spec(described);
    self_ = env_.create(&host::host_table(), &shard);
    const bool reads = self_ == nullptr;
    destroy();
    return reads;
  }

  // Builds, resets, steps and destroys.
  void live() {
    if (!create()) return;
    std::vector<uint64_t> seeds(lanes_, 7);
    if (call(Op::reset, 0, lanes_, nullptr, seeds.data(), 0) && steps_ > 0) {
      call(Op::step, 0, lanes_, nullptr, nullptr, 0);
    }
    destroy();
  }

 private:
  // Returns how many steps there were before it was done, or there was no point in going on.
  size_t play(size_t calls, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    const auto late = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
             seconds;
    };
    std::vector<uint64_t> seeds(lanes_);
    for (uint32_t i = 0; i < lanes_; ++i) seeds[i] = 1000 + i;
    if (!call(Op::reset, 0, lanes_, nullptr, seeds.data(), 0)) return 0;
    std::vector<uint8_t> kept(lanes_);
    std::vector<uint8_t> mask(lanes_);
    size_t step = 0;
    for (; step < calls && (step < steps_ || !late()); ++step) {
      // In turn: all lanes, those in the middle, and both with one that is about to be reset.
      const bool middle = step % 2 == 1 && lanes_ > 2;
      const bool without_last = step % 4 >= 2;
      const uint32_t first = middle ? 1 : 0;
      const uint32_t count = lanes_ - 2 * first;
      std::fill(kept.begin(), kept.end(), uint8_t{1});
      kept[count - 1] = 0;
      if (!call(Op::step, first, count, without_last ? kept.data() : nullptr, nullptr, step)) {
        return step;
      }
      bool any = false;
      for (uint32_t i = 0; i < count; ++i) {
        // Every other lane is not reset before its episode is over, however long that is.
        mask[i] = flag(PP_ROLE_TERMINATED, first + i) || flag(PP_ROLE_TRUNCATED, first + i) ||
                  (without_last && i == count - 1) || (step % 16 == 15 && (first + i) % 2 == 1);
        any = any || mask[i] != 0;
      }
      const uint64_t* fresh = without_last ? seeds.data() : nullptr;
      if (any && !call(Op::reset, first, count, mask.data(), fresh, step)) return step;
    }
    for (const uint32_t lane : {0u, lanes_ - 1}) {
      draw(lane);
      save(lane);
    }
    return step;
  }

  // One step of the first lane, and a reset where its episode is over: no host steps on from there.
  bool go_on(size_t step) {
    if (!call(Op::step, 0, 1, nullptr, nullptr, step)) return false;
    const bool over = flag(PP_ROLE_TERMINATED, 0) || flag(PP_ROLE_TRUNCATED, 0);
    return !over || call(Op::reset, 0, 1, nullptr, nullptr, step);
  }

  // Other checks find an extension that does not work at all.
  void draw(uint32_t lane) {
    const auto* extension = host::find_extension<pp_render>(env_, PP_EXT_RENDER);
    uint32_t size[2] = {0, 0};
    const host::ErrorSink sink;
    if (extension == nullptr || extension->size(self_, lane, &size[0], &size[1]) != 0) return;
    const size_t bytes = size_t{3} * size[0] * size[1];
    const std::string announced = std::to_string(size[0]) + " rows of " + std::to_string(size[1]);
    const auto write = [&](void* rgb) {
      return extension->draw(self_, lane, static_cast<uint8_t*>(rgb)) == 0 ? int64_t{0} : -1;
    };
    if (!stays_within(bytes, write)) {
      find("draw writes outside of the picture: " + announced +
           " pixels of 3 bytes are what the size of the frame announces");
    }
  }

  void save(uint32_t lane) {
    const auto* extension = host::find_extension<pp_state>(env_, PP_EXT_STATE);
    const host::ErrorSink sink;
    const int64_t bytes = extension == nullptr ? -1 : extension->size(self_, lane);
    if (bytes < 0) return;
    const auto write = [&](void* to) {
      return extension->save(self_, lane, to, static_cast<uint64_t>(bytes));
    };
    if (!stays_within(static_cast<size_t>(bytes), write)) {
      find("save writes more than the " + std::to_string(bytes) +
           " bytes that size announces, or says that it did");
    }
  }
};

}  // namespace

void bind_shard_checker(py::module_& module) {
  module.def(
      "_check_rows",
      [](const Plugin& plugin, const std::string& env_id, const py::dict& options, uint32_t lanes,
         const std::vector<py::array>& actions, size_t calls, double seconds) {
        ShardChecker checker(plugin, env_id, options, lanes, actions);
        size_t steps = 0;
        {
          const Unlocked unlocked;
          steps = checker.run(calls, seconds);
        }
        return std::make_pair(steps, checker.findings());
      },
      py::arg("plugin"), py::arg("env_id"), py::arg("options"), py::arg("lanes"),
      py::arg("actions"), py::arg("calls") = 0, py::arg("seconds") = 0.0,
      "How many steps one shard took, and what it does beyond its rows, one sentence each.");
  module.def(
      "_check_damaged",
      [](const Plugin& plugin, const std::string& env_id, const py::dict& options,
         const std::vector<py::array>& actions, size_t times, size_t steps, double seconds) {
        ShardChecker checker(plugin, env_id, options, 2, actions);
        int64_t taken = 0;
        {
          const Unlocked unlocked;
          taken = checker.restore_damaged(times, steps, seconds);
        }
        return std::make_pair(taken, checker.findings());
      },
      py::arg("plugin"), py::arg("env_id"), py::arg("options"), py::arg("actions"),
      py::arg("times"), py::arg("steps"), py::arg("seconds"),
      "How many damaged states were taken (-1: there are no states), and what came of it.");
  module.def(
      "_reads_option",
      [](const Plugin& plugin, const std::string& env_id, const py::dict& options, size_t option) {
        return ShardChecker(plugin, env_id, options, 1, {}, false).reads_option(option);
      },
      py::arg("plugin"), py::arg("env_id"), py::arg("options"), py::arg("option"),
      "Whether an environment minds that this option is of a kind that there is not.");
  module.def(
      "_check_lifetime",
      [](const Plugin& plugin, const std::string& env_id, const py::dict& options, uint32_t lanes,
         const std::vector<py::array>& actions, uint32_t times) {
        for (uint32_t i = 0; i < times; ++i) {
          ShardChecker checker(plugin, env_id, options, lanes, actions);
          checker.live();
          if (!checker.findings().empty()) return checker.findings();
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        }
        return std::vector<std::string>();
      },
      py::arg("plugin"), py::arg("env_id"), py::arg("options"), py::arg("lanes"),
      py::arg("actions"), py::arg("times"), "Builds, resets, steps and destroys a shard.");
  module.def("_allocated_bytes", &allocated_bytes);
}

}  // namespace pp::python
