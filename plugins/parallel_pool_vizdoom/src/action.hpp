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
#include <vector>

#include "combined_actions.hpp"
#include "engine/shared_state.hpp"
#include "options.hpp"
#include "scenario_settings.hpp"

namespace doom {

using Action = pp::Fields;

// Buttons that are pressed or not: a bit for each, or with max_buttons_pressed the number of a
// combination. It is the first array of an action.
class Bits {
 public:
  static void describe(pp::Spec& spec, const char* name, size_t count, const DoomOptions& options) {
    if (options.max_buttons_pressed > 0) {
      const size_t ways = combinations(count, options).size();
      spec.add(PP_ROLE_ACTION, name, PP_KIND_DISCRETE, PP_INT32)
          .discrete(static_cast<int64_t>(ways));
      return;
    }
    spec.add(PP_ROLE_ACTION, name, PP_KIND_MULTI_BINARY, PP_INT8, {static_cast<int64_t>(count)})
        .bounds(0, 1);
  }

  Bits(size_t count, const DoomOptions& options) : count_(count) {
    if (options.max_buttons_pressed > 0) combinations_ = combinations(count, options);
  }

  // Calls set(i, value) for each button.
  template <class Set>
  void read(const Action::Value& action, Set&& set) const {
    if (combinations_.empty()) {
      const auto bits = action.get<int8_t>(0);
      for (size_t i = 0; i < count_; ++i) set(i, bits[i]);
      return;
    }
    const auto number = static_cast<size_t>(action.get<int32_t>(0)[0]);
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
  static void describe(pp::Spec& spec, const DoomOptions& options,
                       const ScenarioSettings& scenario) {
    check(options, scenario);
    if (options.use_combined_action) {
      spec.add(PP_ROLE_ACTION, "", PP_KIND_DISCRETE, PP_INT32)
          .discrete(CombinedActions(options, scenario).count());
      return;
    }
    if (options.actions == ActionForm::binary) {
      Bits::describe(spec, "", scenario.buttons.size(), options);
      return;
    }
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    std::vector<double> low;
    std::vector<double> high;
    for (const int64_t button : scenario.buttons) {
      low.push_back(is_delta(button) ? -unlimited : 0);
      high.push_back(is_delta(button) ? unlimited : 1);
    }
    spec.add(PP_ROLE_ACTION, "", PP_KIND_BOX, PP_FLOAT64, {static_cast<int64_t>(low.size())})
        .bounds(low, high);
  }

  Buttons(const DoomOptions& options, const ScenarioSettings& scenario)
      : are_values_(options.actions == ActionForm::box),
        bits_(scenario.buttons.size(), options),
        value_(scenario.buttons.size()) {
    if (options.use_combined_action) combined_.emplace(options, scenario);
  }

  // A value for each button.
  const double* read(const Action::Value& action) {
    if (combined_) {
      combined_->read(action.get<int32_t>(0)[0], value_);
      return value_.data();
    }
    if (are_values_) return action.get<double>(0).data();
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

// Buttons that are pressed or not, apart from those that take any number.
class MixedButtons {
 public:
  static constexpr const char* id = "vizdoom/Mixed-v1";
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
    Bits::describe(spec, "binary", buttons.binary_.size(), options);
    constexpr double most = std::numeric_limits<float>::max();
    spec.add(PP_ROLE_ACTION, "continuous", PP_KIND_BOX, PP_FLOAT32,
             {static_cast<int64_t>(buttons.continuous_.size())})
        .bounds(-most, most);
  }

  MixedButtons(const DoomOptions& options, const ScenarioSettings& scenario)
      : binary_(numbers(scenario, false)),
        continuous_(numbers(scenario, true)),
        bits_(binary_.size(), options),
        value_(scenario.buttons.size()) {}

  const double* read(const Action::Value& action) {
    bits_.read(action, [this](size_t i, double value) { value_[binary_[i]] = value; });
    const auto values = action.get<float>(1);
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
