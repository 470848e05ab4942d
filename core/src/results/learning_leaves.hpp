// The nodes of result trees that make observations and rewards ready for a learner: what the option
// `transform` asks for. Each replaces a wrapper of Gymnasium's and gives what that gives:
// NormalizeObservation, NormalizeReward, TransformReward by a factor, ClipReward.
//
// The discounted sum of an environment's rewards begins anew at the end of each episode, in every
// autoreset mode (Gymnasium's wrapper: in SAME_STEP), and at a reset that was asked for (the views
// see to that).
#ifndef PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_
#define PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_

#include "results/result_leaves.hpp"

namespace pp::python {

void register_learning_leaves(const RegisterKind& add);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_
