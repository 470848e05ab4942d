// The nodes of result trees that make observations and rewards ready for a learner: what the option
// `transform` asks for. Each replaces a wrapper of Gymnasium's and gives what that gives:
// NormalizeObservation, NormalizeReward, TransformReward by a factor, ClipReward.
//
// The discounted sum of an environment's rewards goes on over the end of an episode, as it does in
// Gymnasium's wrapper: only a reset that was asked for (the views see to that) and SAME_STEP begin
// it anew.
#ifndef PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_
#define PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_

#include "results/result_leaves.hpp"

namespace pp::python {

void register_learning_leaves(const RegisterKind& add);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_LEARNING_LEAVES_HPP_
