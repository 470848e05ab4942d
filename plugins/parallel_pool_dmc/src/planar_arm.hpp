// The planar arm with a hand that manipulator and stacker have in common: how its joints are drawn
// and observed. As dm_control's suite.manipulator and suite.stacker have it.
#ifndef PARALLEL_POOL_DMC_PLANAR_ARM_HPP_
#define PARALLEL_POOL_DMC_PLANAR_ARM_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "physics.hpp"
#include "sdk_names.hpp"
#include "tolerance.hpp"

namespace suite {

class PlanarArm {
 public:
  static constexpr size_t count = 8;  // joints

  explicit PlanarArm(const Physics& physics) {
    static constexpr std::array<const char*, count> names = {
        "arm_root", "arm_shoulder", "arm_elbow", "arm_wrist",
        "finger",   "fingertip",    "thumb",     "thumbtip"};
    const auto* limited = physics.constant<uint8_t>("mjModel.jnt_limited");
    const auto* range = physics.constant<double>("mjModel.jnt_range");
    for (size_t i = 0; i < count; ++i) {
      const int64_t joint = physics.joint(names[i]);
      const bool bounded = limited[joint] != 0;
      joints_[i] = {physics.joint_qpos(names[i]), physics.joint_qvel(names[i]),
                    bounded ? range[2 * joint] : -pi, bounded ? range[2 * joint + 1] : pi};
    }
  }

  // The finger opens as far as the thumb does.
  void draw(RandomState& random) const {
    for (const Joint& joint : joints_) *joint.angle = random.uniform(joint.low, joint.high);
    *joints_[4].angle = *joints_[6].angle;
  }

  // [8][2], sine and cosine of each.
  void put_angles(double* out) const {
    double angles[count];
    double sines[count];
    double cosines[count];
    for (size_t i = 0; i < count; ++i) angles[i] = *joints_[i].angle;
    NumpyMath::sin(angles, sines, count);
    NumpyMath::cos(angles, cosines, count);
    for (size_t i = 0; i < count; ++i) {
      *out++ = sines[i];
      *out++ = cosines[i];
    }
  }
  void put_velocities(double* out) const {
    for (const Joint& joint : joints_) *out++ = *joint.velocity;
  }

 private:
  struct Joint {
    double* angle;
    const double* velocity;
    double low, high;
  };
  std::array<Joint, count> joints_{};
};

// The place of a body in the plane: x, z and, of its quaternion, w and y.
class PlanarPose {
 public:
  PlanarPose(const Physics& physics, const char* body)
      : position_(physics.body_xpos(body)),
        quaternion_(physics.data<double>("mjData.xquat") + 4 * physics.body(body)) {}

  void put_position(double* out) const {
    out[0] = position_[0];
    out[1] = position_[2];
  }
  void put(double* out) const {
    put_position(out);
    out[2] = quaternion_[0];
    out[3] = quaternion_[2];
  }

 private:
  const double* position_;
  const double* quaternion_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_PLANAR_ARM_HPP_
