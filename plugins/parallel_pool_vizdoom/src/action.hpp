// The forms of an action, which the options choose: a float64 for each button, a zero or one for
// each, or the number of a combination; and where some buttons take any number, a dict of both
// kinds, as ViZDoom's Gymnasium environments have it.
#ifndef PARALLEL_POOL_VIZDOOM_ACTION_HPP_
#define PARALLEL_POOL_VIZDOOM_ACTION_HPP_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "combined_actions.hpp"
#include "engine/shared_state.hpp"
#include "options.hpp"
#include "scenario_settings.hpp"

namespace doom {

// One field, whose elements describe() decides.
struct AnySpace {
  static constexpr size_t n_field = 1;
  using Value = const void*;
  using Ref = pp::ElementsRef<double>;
  static void describe(pp::Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_BOX, PP_FLOAT64, {pp::dynamic});
  }
  static Ref ref(const pp::detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const pp::detail::Row& row, size_t field) { return row.input(field); }
};

// Buttons that are pressed or not: a bit for each, or with max_buttons_pressed the number of a
// combination.
class Bits {
 public:
  static void describe(pp::Field& field, size_t count, const DoomOptions& options) {
    if (options.max_buttons_pressed > 0) {
      field.dtype = PP_INT32;
      field.discrete(static_cast<int64_t>(combinations(count, options).size()));
      return;
    }
    field.kind = PP_KIND_MULTI_BINARY;
    field.dtype = PP_INT8;
    field.shaped({static_cast<int64_t>(count)}).bounds(0, 1);
  }

  Bits(size_t count, const DoomOptions& options) : count_(count) {
    if (options.max_buttons_pressed > 0) combinations_ = combinations(count, options);
  }

  // Calls set(i, value) for each button.
  template <class Set>
  void read(const void* action, Set&& set) const {
    if (combinations_.empty()) {
      const auto* bits = static_cast<const int8_t*>(action);
      for (size_t i = 0; i < count_; ++i) set(i, bits[i]);
      return;
    }
    const auto number = static_cast<size_t>(*static_cast<const int32_t*>(action));
    const uint64_t pressed = combinations_[number];
    for (size_t i = 0; i < count_; ++i) {
      set(i, static_cast<double>(pressed >> (count_ - 1 - i) & 1));
    }
  }

 private:
  // The first button's bit is the highest: all numbers with few enough ones, ascending. ViZDoom's
  // Gymnasium environments count them so.
  static std::vector<uint64_t> combinations(size_t count, const DoomOptions& options) {
    constexpr size_t most = 20;
    if (count > most) {
      throw std::invalid_argument("max_buttons_pressed is for scenarios of at most 20 buttons");
    }
    std::vector<uint64_t> found;
    for (uint64_t bits = 0; bits < uint64_t{1} << count; ++bits) {
      if (__builtin_popcountll(bits) <= options.max_buttons_pressed) found.push_back(bits);
    }
    return found;
  }

  const size_t count_;
  std::vector<uint64_t> combinations_;
};

inline bool is_delta(int64_t button) {
  return button >= static_cast<int64_t>(binary_button_count);
}

// All buttons in one array.
class Buttons {
 public:
  static constexpr const char* id = "vizdoom/Game-v1";
  using Space = AnySpace;

  static void describe(pp::Spec& spec, const DoomOptions& options,
                       const ScenarioSettings& scenario) {
    check(options, scenario);
    if (options.use_combined_action) {
      spec.action().dtype = PP_INT32;
      spec.action().discrete(CombinedActions(options, scenario).count());
      return;
    }
    if (options.actions == ActionForm::binary) {
      Bits::describe(spec.action(), scenario.buttons.size(), options);
      return;
    }
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    std::vector<double> low;
    std::vector<double> high;
    for (const int64_t button : scenario.buttons) {
      low.push_back(is_delta(button) ? -unlimited : 0);
      high.push_back(is_delta(button) ? unlimited : 1);
    }
    spec.action().shaped({static_cast<int64_t>(scenario.buttons.size())}).bounds(low, high);
  }

  Buttons(const DoomOptions& options, const ScenarioSettings& scenario)
      : are_values_(options.actions == ActionForm::box),
        bits_(scenario.buttons.size(), options),
        value_(scenario.buttons.size()) {
    if (options.use_combined_action) combined_.emplace(options, scenario);
  }

  // A value for each button.
  const double* read(Space::Value action) {
    if (combined_) {
      combined_->read(*static_cast<const int32_t*>(action), value_);
      return value_.data();
    }
    if (are_values_) return static_cast<const double*>(action);
    bits_.read(action, [this](size_t i, double value) { value_[i] = value; });
    return value_.data();
  }

 private:
  static void check(const DoomOptions& options, const ScenarioSettings& scenario) {
    if (options.use_combined_action &&
        (options.actions == ActionForm::binary || options.max_buttons_pressed != 0)) {
      throw std::invalid_argument(
          "use_combined_action is for actions='box', without max_buttons_pressed");
    }
    if (options.actions == ActionForm::box) {
      if (options.max_buttons_pressed == 0) return;
      throw std::invalid_argument("max_buttons_pressed is for actions='binary'");
    }
    for (const int64_t button : scenario.buttons) {
      if (!is_delta(button)) continue;
      throw std::invalid_argument(
          "the scenario has buttons that take any number (..._DELTA): use actions='box', or "
          "leave them out with config={'available_buttons': [...]}");
    }
  }

  const bool are_values_;
  const Bits bits_;
  std::optional<CombinedActions> combined_;
  std::vector<double> value_;
};

PP_KEY(binary);
PP_KEY(continuous);

// Those that are pressed or not apart from those that take any number.
class MixedButtons {
 public:
  static constexpr const char* id = "vizdoom/Mixed-v1";
  using Space = pp::Dict<pp::At<binary, AnySpace>, pp::At<continuous, pp::Box<float, pp::dynamic>>>;

  static void describe(pp::Spec& spec, const DoomOptions& options,
                       const ScenarioSettings& scenario) {
    if (options.use_combined_action) {
      throw std::invalid_argument("use_combined_action is for ids of EnvPool's");
    }
    const MixedButtons buttons(options, scenario);
    if (buttons.binary_.empty() || buttons.continuous_.empty()) {
      throw std::invalid_argument(
          "this id is for scenarios with buttons of both kinds, of which some take any number "
          "(..._DELTA)");
    }
    Bits::describe(spec.action("binary"), buttons.binary_.size(), options);
    constexpr double most = std::numeric_limits<float>::max();
    spec.action("continuous")
        .shaped({static_cast<int64_t>(buttons.continuous_.size())})
        .bounds(-most, most);
  }

  MixedButtons(const DoomOptions& options, const ScenarioSettings& scenario)
      : binary_(numbers(scenario, false)),
        continuous_(numbers(scenario, true)),
        bits_(binary_.size(), options),
        value_(scenario.buttons.size()) {}

  const double* read(const Space::Value& action) {
    bits_.read(action.get<binary>(),
               [this](size_t i, double value) { value_[binary_[i]] = value; });
    const auto values = action.get<continuous>();
    for (size_t i = 0; i < continuous_.size(); ++i) value_[continuous_[i]] = values[i];
    return value_.data();
  }

 private:
  static std::vector<size_t> numbers(const ScenarioSettings& scenario, bool delta) {
    std::vector<size_t> found;
    for (size_t i = 0; i < scenario.buttons.size(); ++i) {
      if (is_delta(scenario.buttons[i]) == delta) found.push_back(i);
    }
    return found;
  }

  const std::vector<size_t> binary_;      // places of the buttons
  const std::vector<size_t> continuous_;  // places of the buttons
  const Bits bits_;
  std::vector<double> value_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ACTION_HPP_
