// Random positions of joints, as dm_control's suite.utils.randomizers draws them.
#ifndef PARALLEL_POOL_DMC_RANDOMIZERS_HPP_
#define PARALLEL_POOL_DMC_RANDOMIZERS_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "physics.hpp"
#include "sdk_names.hpp"
#include "tolerance.hpp"

namespace suite {

class JointRandomizer {
 public:
  // `physics` must outlive this.
  explicit JointRandomizer(const Physics& physics)
      : physics_(physics),
        count_(physics.model.at<int64_t>("mjModel.njnt")),
        type_(physics.constant<int32_t>("mjModel.jnt_type")),
        limited_(physics.constant<uint8_t>("mjModel.jnt_limited")),
        range_(physics.constant<double>("mjModel.jnt_range")),
        address_(physics.constant<int32_t>("mjModel.jnt_qposadr")),
        hinge_(physics.model.engine.constant("mjJNT_HINGE")),
        slide_(physics.model.engine.constant("mjJNT_SLIDE")),
        ball_(physics.model.engine.constant("mjJNT_BALL")),
        free_(physics.model.engine.constant("mjJNT_FREE")),
        to_quaternion_(physics.model.engine.function<void(double*, const double*, double)>(
            "mju_axisAngle2Quat")) {}

  // Draws positions of joints with limits within these, angles of other hinges, and orientations of
  // ball and free joints. Places of free joints and of slides without limits stay.
  void randomize(RandomState& random) const {
    for (int64_t i = 0; i < count_; ++i) {
      double* const qpos = physics_.qpos + address_[i];
      const double low = range_[2 * i];
      const double high = range_[2 * i + 1];
      if (limited_[i] != 0) {
        if (type_[i] == hinge_ || type_[i] == slide_) {
          *qpos = random.uniform(low, high);
        } else if (type_[i] == ball_) {
          limited_quaternion(random, high, qpos);
        }
      } else if (type_[i] == hinge_) {
        *qpos = random.uniform(-pi, pi);
      } else if (type_[i] == ball_) {
        random.fill_standard_normal(qpos, 4);
        physics_.normalize(qpos, 4);
      } else if (type_[i] == free_) {
        random.fill_random(qpos + 3, 4);  // uniform numbers, as in dm_control
        physics_.normalize(qpos + 3, 4);
      }
    }
  }

 private:
  void limited_quaternion(RandomState& random, double limit, double* quaternion) const {
    double axis[3];
    random.fill_standard_normal(axis, 3);
    physics_.normalize(axis, 3);
    const double angle = random.random() * limit;
    to_quaternion_(quaternion, axis, angle);
  }

  const Physics& physics_;
  const int64_t count_;
  const int32_t* const type_;
  const uint8_t* const limited_;
  const double* const range_;  // [njnt][2]
  const int32_t* const address_;
  const int64_t hinge_, slide_, ball_, free_;
  void (*const to_quaternion_)(double* quaternion, const double* axis, double angle);
};

// Draws until nothing touches. Most originals never give up, and a reset of a model whose
// geometries always touch (model_overrides) would never return.
template <class Draw>
void draw_apart(Physics& physics, const char* domain, Draw&& draw, int attempts = 10000) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    draw();
    physics.forward_without_actuation();
    if (*physics.ncon == 0) return;
  }
  throw std::runtime_error(std::string("dmc/") + domain + ": no position without a contact in " +
                           std::to_string(attempts) + " attempts");
}

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_RANDOMIZERS_HPP_
