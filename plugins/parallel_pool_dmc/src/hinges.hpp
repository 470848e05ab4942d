// The hinges of a model: the joints of an animal, without the free joints of its root and of balls.
#ifndef PARALLEL_POOL_DMC_HINGES_HPP_
#define PARALLEL_POOL_DMC_HINGES_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sdk_names.hpp"

namespace suite {

class Hinges {
 public:
  explicit Hinges(const Model& model) {
    const auto* types = model.at<const int32_t*>("mjModel.jnt_type");
    const auto* positions = model.at<const int32_t*>("mjModel.jnt_qposadr");
    const auto* velocities = model.at<const int32_t*>("mjModel.jnt_dofadr");
    const int64_t hinge = model.engine.constant("mjJNT_HINGE");
    for (int64_t joint = 0; joint < model.at<int64_t>("mjModel.njnt"); ++joint) {
      if (types[joint] != hinge) continue;
      position_.push_back(positions[joint]);
      velocity_.push_back(velocities[joint]);
    }
  }

  int64_t count() const { return static_cast<int64_t>(position_.size()); }

  // Each returns the end of the numbers that it writes.
  double* put_angles(const double* qpos, double* out) const {
    for (const int32_t place : position_) *out++ = qpos[place];
    return out;
  }
  double* put_velocities(const double* qvel, double* out) const {
    for (const int32_t place : velocity_) *out++ = qvel[place];
    return out;
  }

 private:
  std::vector<int32_t> position_;  // in qpos
  std::vector<int32_t> velocity_;  // in qvel
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_HINGES_HPP_
