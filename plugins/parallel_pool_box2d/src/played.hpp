// The actions of an environment with numbers or keys, and those of the episode so far: a state has
// them, and is restored by playing them again.
#ifndef PARALLEL_POOL_BOX2D_PLAYED_HPP_
#define PARALLEL_POOL_BOX2D_PLAYED_HPP_

#include <cmath>
#include <parallel_pool/env.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace box2d {

// The two forms of an action: numbers with bounds, or a key of several.
struct ActionForms {
  std::vector<double> low;
  std::vector<double> high;
  int32_t keys;
};

class Played {
 public:
  using Action = pp::Fields;

  static void describe(pp::Spec& spec, const ActionForms& forms, bool continuous) {
    if (continuous) {
      const auto size = static_cast<int64_t>(forms.low.size());
      spec.add(PP_ROLE_ACTION, "", PP_KIND_BOX, PP_FLOAT32, {size}).bounds(forms.low, forms.high);
    } else {
      spec.add(PP_ROLE_ACTION, "", PP_KIND_DISCRETE, PP_INT32).discrete(forms.keys);
    }
  }

  // There is room for `steps` actions, before any is added.
  Played(const ActionForms& forms, bool continuous, size_t steps)
      : keys_(continuous ? 0 : forms.keys), width_(continuous ? forms.low.size() : 1) {
    numbers_.reserve(steps * width_);
  }

  // The number of actions.
  size_t size() const { return numbers_.size() / width_; }
  // The numbers of one of them, or its key.
  const float* operator[](size_t action) const { return &numbers_[action * width_]; }
  bool continuous() const { return keys_ == 0; }
  void clear() { numbers_.clear(); }
  // Adds an action, and returns it as operator[] does.
  const float* add(const Action::Value& action) {
    if (continuous()) {
      const auto numbers = action.get<float>(0);
      numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    } else {
      numbers_.push_back(static_cast<float>(action.get<int32_t>(0)[0]));
    }
    return &numbers_[numbers_.size() - width_];
  }

  // All of them in one piece, as a state has them.
  const std::vector<float>& numbers() const { return numbers_; }
  // Throws std::invalid_argument for numbers that no episode has, and changes nothing then.
  void set(std::vector<float> numbers) {
    if (numbers.size() % width_ != 0) throw std::invalid_argument("a part of an action");
    for (const float each : numbers) {
      if (!std::isfinite(each)) throw std::invalid_argument("an action that is no number");
      if (continuous()) continue;
      if (!(each >= 0 && each < static_cast<float>(keys_)) || each != std::floor(each)) {
        throw std::invalid_argument("action " + std::to_string(each) + " of " +
                                    std::to_string(keys_));
      }
    }
    numbers_ = std::move(numbers);
  }

 private:
  int32_t keys_;  // 0: actions are numbers
  size_t width_;  // numbers of one action
  std::vector<float> numbers_;
};

}  // namespace box2d
#endif
