// EnvPool's combined actions: a number for each way of pressing buttons that makes sense. Of
// buttons that undo each other, and of those that select a weapon, one at most is pressed.
#ifndef PARALLEL_POOL_VIZDOOM_COMBINED_ACTIONS_HPP_
#define PARALLEL_POOL_VIZDOOM_COMBINED_ACTIONS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/shared_state.hpp"
#include "options.hpp"
#include "scenario_settings.hpp"

namespace doom {

class CombinedActions {
 public:
  CombinedActions(const DoomOptions& options, const ScenarioSettings& scenario)
      : buttons_(scenario.buttons) {
    for (size_t button = 0; button < binary_button_count;) button = add(button, options);
    for (const DeltaLevels& each : scenario.delta_levels) add_levels(each);
    for (const Group& group : groups_) {
      count_ *= group.size();
      if (count_ > most) {
        throw std::invalid_argument(
            "use_combined_action: these buttons can be combined in more "
            "than a million ways; leave some of them out");
      }
    }
  }

  int64_t count() const { return count_; }

  // A value for each button, in the order of the scenario.
  void read(int64_t number, std::vector<double>& values) const {
    std::fill(values.begin(), values.end(), 0.0);
    for (size_t i = groups_.size(); i-- > 0;) {  // the last one's choices follow each other
      const auto size = static_cast<int64_t>(groups_[i].size());
      const Choice& choice = groups_[i][static_cast<size_t>(number % size)];
      if (choice.place >= 0) values[static_cast<size_t>(choice.place)] = choice.value;
      number /= size;
    }
  }

 private:
  // A button that has a value; or none has, in place -1.
  struct Choice {
    int place;
    double value;
  };
  using Group = std::vector<Choice>;
  static constexpr int64_t most = 1000000;
  static constexpr size_t speed = 8;
  static constexpr size_t first_weapon = 21;
  static constexpr size_t last_weapon = 30;
  // The first of two that undo each other.
  static bool begins_pair(size_t button) {
    constexpr size_t firsts[] = {10, 12, 14, 16, 18, 31, 35};
    return std::find(std::begin(firsts), std::end(firsts), button) != std::end(firsts);
  }

  int place(size_t button) const {
    const auto found = std::find(buttons_.begin(), buttons_.end(), static_cast<int64_t>(button));
    return found == buttons_.end() ? -1 : static_cast<int>(found - buttons_.begin());
  }

  // The group that this button begins, if the scenario has it; the first button behind it.
  size_t add(size_t button, const DoomOptions& options) {
    size_t last = button;
    if (button == first_weapon) last = last_weapon;
    if (begins_pair(button) && place(button) >= 0 && place(button + 1) >= 0) last = button + 1;
    Group group{{-1, 0}};
    for (size_t i = button; i <= last; ++i) {
      if (place(i) >= 0) group.push_back({place(i), 1});
    }
    if (button == speed && options.force_speed && group.size() > 1) group.erase(group.begin());
    if (group.size() > 1 || group[0].place >= 0) groups_.push_back(std::move(group));
    return last + 1;
  }
  // Steps in single precision, as EnvPool takes them.
  void add_levels(const DeltaLevels& levels) {
    if (levels.count < 2) return;
    const auto least = static_cast<float>(levels.least);
    const float step =
        (static_cast<float>(levels.greatest) - least) / static_cast<float>(levels.count - 1);
    Group group;
    float value = least;
    for (int64_t i = 0; i < levels.count; ++i, value += step) {
      group.push_back({place(static_cast<size_t>(levels.button)), value});
    }
    groups_.push_back(std::move(group));
  }

  const std::vector<int64_t> buttons_;
  std::vector<Group> groups_;
  int64_t count_ = 1;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_COMBINED_ACTIONS_HPP_
