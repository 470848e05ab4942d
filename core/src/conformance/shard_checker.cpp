// The native part of the conformance kit. Long, because it is one state: every buffer with its
// guards, and what each call may have done to them.
#include "conformance/shard_checker.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/python_lock.hpp"
#include "conformance/heap.hpp"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/rng.hpp"
#include "plugin/plugin_object.hpp"

namespace pp::python {

namespace py = pybind11;

namespace {

// One shard of a plugin, driven by hand: every buffer it may write lies between guard bytes, and
// every row it must not write is looked at afterwards. Findings are sentences that begin with the
// call; each is kept once.
class ShardChecker {
 public:
  // `actions`: per action field an array of shape (steps, lanes, ...) in the field's dtype. None
  // where it is not going to play.
  ShardChecker(const Plugin& plugin, const std::string& env_id, const py::dict& options,
               uint32_t lanes, const std::vector<py::array>& actions, bool plays = true)
      : env_(plugin.library().env(env_id)),
        values_(parse_options(env_, options)),
        spec_(describe_env(env_, *values_)),
        lanes_(lanes),
        late_((env_.flags & PP_ENV_LATE_ROWS) != 0u),
        fields_(spec_.fields.size()),
        pointers_(spec_.fields.size()) {
    size_t next = 0;
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      const host::FieldSpec& field = spec_.fields[f];
      fields_[f].bytes.resize(2 * guard + lanes * field.row_bytes);
      if (field.role != PP_ROLE_ACTION || !plays) continue;
      if (next >= actions.size()) throw py::value_error("an action field has no actions");
      const py::array& given = actions[next++];
      if (given.ndim() < 2 || given.shape(1) != lanes ||
          static_cast<size_t>(given.nbytes()) !=
              static_cast<size_t>(given.shape(0)) * lanes * field.row_bytes ||
          (given.flags() & py::array::c_style) == 0) {
        throw py::value_error("actions have the wrong shape or dtype");
      }
      fields_[f].action = static_cast<const char*>(given.data());
      steps_ = static_cast<size_t>(given.shape(0));
    }
  }
  ~ShardChecker() { destroy(); }
  ShardChecker(const ShardChecker&) = delete;
  ShardChecker& operator=(const ShardChecker&) = delete;

  // Everything that a host may ask of a shard, with the actions again and again: `calls` steps, or
  // fewer where they take more than so many seconds, but each of the actions once. The number of
  // steps. Runs without the GIL.
  size_t run(size_t calls, double seconds) {
    size_t step = 0;
    if (create()) step = play(std::max(calls, steps_), seconds);
    destroy();
    return step;
  }

  // Restores damaged states, so many, and goes on from those that are taken: what play comes to
  // late or never. How many were taken, or -1 where there are no states.
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

  // Whether the environment looks at this option: it is handed over as a kind that there is not.
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

  const std::vector<std::string>& findings() const { return findings_; }

 private:
  // Wide, because what is written a whole array too far is to be found here, and not in a crash.
  static constexpr size_t guard = size_t{1} << 16;
  static constexpr unsigned char untouched = 0xa5;
  enum class Op { reset, step };

  struct Buffer {
    std::vector<unsigned char> bytes;
    const char* action = nullptr;
    unsigned char* rows() { return bytes.data() + guard; }
  };

  // How many steps there were before it was done, or there was no point in going on.
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

  bool create() {
    const std::vector<const pp_value*> values(lanes_, values_->data());
    const pp_shard shard{sizeof(pp_shard), lanes_, values.data()};
    const host::ErrorSink sink;
    self_ = env_.create(&host::host_table(), &shard);
    if (self_ == nullptr) find("create fails: " + sink.text());
    return self_ != nullptr;
  }
  void destroy() {
    if (self_ != nullptr) env_.destroy(self_);
    self_ = nullptr;
  }

  void find(const std::string& what) {
    if (findings_.size() < 20 && known_.insert(what).second) findings_.push_back(what);
  }

  // Each byte is compared with the one after it, which is quick.
  static bool touched(const unsigned char* from, const unsigned char* to) {
    return from < to && (*from != untouched ||
                         std::memcmp(from, from + 1, static_cast<size_t>(to - from) - 1) != 0);
  }

  bool flag(uint32_t role, uint32_t lane) {
    const int f = spec_.find(role);
    if (f < 0) return false;
    Buffer& buffer = fields_[static_cast<size_t>(f)];
    const size_t row = spec_.fields[static_cast<size_t>(f)].row_bytes;
    return std::any_of(buffer.rows() + lane * row, buffer.rows() + (lane + 1) * row,
                       [](unsigned char byte) { return byte != 0; });
  }

  static void claim(const pp_lanes* lanes) {
    auto& checker = *static_cast<ShardChecker*>(lanes->host_data);
    if (!checker.claimed_) checker.point(lanes->first, checker.stepping_);
    checker.claimed_ = true;
  }

  void point(uint32_t first, bool step) {
    for (size_t f = 0; f < fields_.size(); ++f) {
      const bool action = spec_.fields[f].role == PP_ROLE_ACTION;
      pointers_[f] =
          action && !step ? nullptr : fields_[f].rows() + first * spec_.fields[f].row_bytes;
    }
  }

  // False: there is no point in going on.
  bool call(Op op, uint32_t first, uint32_t count, const uint8_t* mask, const uint64_t* seeds,
            size_t step) {
    bool fine = true;
    if (late_) {  // one lane a call, as hosts do
      for (uint32_t i = 0; i < count && fine; ++i) {
        if (op == Op::reset && mask != nullptr && mask[i] == 0) continue;
        fine = call_once(op, first + i, 1, nullptr, seeds == nullptr ? nullptr : seeds + i, step);
      }
      return fine;
    }
    return call_once(op, first, count, mask, seeds, step);
  }

  bool call_once(Op op, uint32_t first, uint32_t count, const uint8_t* mask, const uint64_t* seeds,
                 size_t step) {
    for (size_t f = 0; f < fields_.size(); ++f) {
      Buffer& buffer = fields_[f];
      std::fill(buffer.bytes.begin(), buffer.bytes.end(), untouched);
      const size_t bytes = lanes_ * spec_.fields[f].row_bytes;
      if (buffer.action != nullptr && bytes > 0)
        std::memcpy(buffer.rows(), buffer.action + step % steps_ * bytes, bytes);
    }
    stepping_ = op == Op::step;
    claimed_ = !late_;
    if (claimed_) {
      point(first, stepping_);
    } else {
      for (size_t f = 0; f < fields_.size(); ++f) {
        const bool action = spec_.fields[f].role == PP_ROLE_ACTION;
        pointers_[f] =
            action && stepping_ ? fields_[f].rows() + first * spec_.fields[f].row_bytes : nullptr;
      }
    }
    const pp_lanes lanes{sizeof(pp_lanes), first,  count, 0u, mask, seeds,
                         pointers_.data(), &claim, this};
    const host::ErrorSink sink;
    const int32_t status = stepping_ ? env_.step(self_, &lanes) : env_.reset(self_, &lanes);
    const std::string name = stepping_ ? "step" : "reset";
    if (may_fail_ && status != 0) return false;
    if (status != 0 && sink.empty()) {
      find(name + " returns " + std::to_string(status) +
           " and does not say why: call host->set_error before you return");
    }
    if (status != 0 || !sink.empty()) {
      find(name + " fails with valid actions: " + sink.text() +
           (sink.silent() ? ": give the exception that you throw a text" : ""));
      return false;
    }
    for (size_t f = 0; f < fields_.size(); ++f) {
      inspect(f, name, first, count, mask, step);
    }
    return true;
  }

  // What does not work at all is found by other checks.
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

  // Whether write(buffer), which gives how many bytes it wrote, wrote to these bytes only.
  template <class Write>
  static bool stays_within(size_t bytes, Write&& write) {
    std::vector<unsigned char> buffer(2 * guard + bytes, untouched);
    const int64_t written = write(buffer.data() + guard);
    return written <= static_cast<int64_t>(bytes) &&
           !touched(buffer.data(), buffer.data() + guard) &&
           !touched(buffer.data() + guard + bytes, buffer.data() + buffer.size());
  }

  std::string label(size_t f) const {
    const host::FieldSpec& field = spec_.fields[f];
    return std::string(host::role_name(field.role)) +
           (field.name.empty() ? "" : " '" + field.name + "'");
  }

  void inspect(size_t f, const std::string& name, uint32_t first, uint32_t count,
               const uint8_t* mask, size_t step) {
    const host::FieldSpec& field = spec_.fields[f];
    Buffer& buffer = fields_[f];
    const size_t row = field.row_bytes;
    if (field.role == PP_ROLE_ACTION) {
      const size_t bytes = lanes_ * row;
      const bool same =
          bytes == 0 ||
          std::memcmp(buffer.rows(), buffer.action + step % steps_ * bytes, bytes) == 0;
      if (!same) find(name + " writes into the actions (" + label(f) + "), which are read-only");
      return;
    }
    const unsigned char* rows = buffer.rows();
    if (touched(buffer.bytes.data(), rows + first * row) ||
        touched(rows + (first + count) * row, buffer.bytes.data() + buffer.bytes.size())) {
      find(name + " of lanes " + std::to_string(first) + " .. " +
           std::to_string(first + count - 1) + " of " + std::to_string(lanes_) + " writes " +
           label(f) +
           " outside of their rows: rows of a call are counted from lanes->first, and there are "
           "lanes->count of them");
      return;
    }
    for (uint32_t i = 0; i < count; ++i) {
      const unsigned char* from = rows + (first + i) * row;
      const bool wanted = mask == nullptr || mask[i] != 0;
      // A step may write rows that are left out: their lanes are reset before anyone looks.
      if (!wanted && name == "reset" && touched(from, from + row)) {
        find("reset writes the " + label(f) +
             " of a lane that its mask leaves out: those rows belong to results already made");
        return;
      }
      // Fields of one or two bytes may be equal to the pattern by chance.
      const bool readable = row >= 4 || field.dtype == PP_BOOL;
      const bool needed = name == "step" || field.role == PP_ROLE_OBS || field.role == PP_ROLE_INFO;
      if (wanted && needed && readable && row > 0 && !touched(from, from + row)) {
        find(name + " leaves the " + label(f) +
             " of a row unwritten: what an earlier batch left there would be handed out");
        return;
      }
      if (wanted && needed && field.dtype == PP_BOOL &&
          std::any_of(from, from + row, [](unsigned char byte) { return byte > 1; })) {
        find(name + " writes a bool of " + label(f) + " that is neither 0 nor 1");
        return;
      }
    }
  }

  const pp_env& env_;
  std::unique_ptr<host::OptionValues> values_;
  const host::EnvSpec spec_;
  uint32_t lanes_;
  bool late_;
  size_t steps_ = 0;
  void* self_ = nullptr;
  std::vector<Buffer> fields_;
  std::vector<void*> pointers_;
  bool claimed_ = false;
  bool stepping_ = false;
  bool may_fail_ = false;  // an error is no finding, as from a state that cannot be
  std::vector<std::string> findings_;
  std::set<std::string> known_;
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
