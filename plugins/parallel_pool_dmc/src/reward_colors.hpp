// The option visualize_reward: the greater the reward is, the nearer the materials `self`,
// `effector` and `target` are to their highlights. As dm_control's suite.base has it.
#ifndef PARALLEL_POOL_DMC_REWARD_COLORS_HPP_
#define PARALLEL_POOL_DMC_REWARD_COLORS_HPP_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "physics.hpp"
#include "sdk_names.hpp"

namespace suite {

class RewardColors {
 public:
  // Without `shown`, show() does nothing. Throws std::invalid_argument if the model lacks one of
  // the materials.
  RewardColors(Physics& physics, bool shown) {
    if (!shown) return;
    const auto count = physics.model.at<int64_t>("mjModel.nmat");
    const char* const names[] = {"self", "effector", "target"};
    for (size_t i = 0; i < n_material; ++i) {
      const std::string name = names[i];
      color_[i] = physics.edit_row<float>("mjModel.mat_rgba", 4, count, physics.material(name),
                                          {0, 1, 2, 3});
      const auto* rgba = physics.constant<float>("mjModel.mat_rgba");
      usual_[i] = rgba + 4 * physics.material(name + "_default");
      highlight_[i] = rgba + 4 * physics.material(name + "_highlight");
    }
    shown_ = true;
  }

  void show(double reward) const {
    if (!shown_) return;
    const double blend = std::pow(clipped(reward, 0.0, 1.0), 4.0);
    for (size_t i = 0; i < n_material; ++i) {
      for (size_t c = 0; c < 4; ++c) {
        const double usual = (1.0 - blend) * static_cast<double>(usual_[i][c]);
        color_[i][c] = static_cast<float>(blend * static_cast<double>(highlight_[i][c]) + usual);
      }
    }
  }
  bool shown() const { return shown_; }

 private:
  static constexpr size_t n_material = 3;
  bool shown_ = false;
  float* color_[n_material] = {};
  const float* usual_[n_material] = {};
  const float* highlight_[n_material] = {};
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_REWARD_COLORS_HPP_
