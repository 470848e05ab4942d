// Humanoid_CMU: stand, walk or run with the body of the CMU's motion capture. As dm_control's
// suite.humanoid_CMU has it.
#ifndef PARALLEL_POOL_DMC_HUMANOID_CMU_HPP_
#define PARALLEL_POOL_DMC_HUMANOID_CMU_HPP_

#include "humanoid.hpp"

namespace suite {

class HumanoidCMU : public HumanoidTask {
 public:
  static constexpr const char* id = "dmc/humanoid_CMU-v1";
  static constexpr const char* summary = "Walk on two legs with a body of 56 joints";
  using Options = HumanoidTaskOptions;
  static Entries observed(const Options&, const Model& model) { return entries({}, model); }

  HumanoidCMU(const Options& options, Physics& physics)
      : HumanoidTask(options, physics,
                     {"thorax", zy, "thorax_subtreelinvel", {"lhand", "lfoot", "rhand", "rfoot"}},
                     {}) {}
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_HUMANOID_CMU_HPP_
