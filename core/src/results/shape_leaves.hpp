// The nodes of result trees that give observations another form: what the option `transform` asks
// for. They replace FrameStackObservation, FlattenObservation and DtypeObservation of Gymnasium's.
#ifndef PARALLEL_POOL_SRC_RESULTS_SHAPE_LEAVES_HPP_
#define PARALLEL_POOL_SRC_RESULTS_SHAPE_LEAVES_HPP_

#include "results/result_leaves.hpp"

namespace pp::python {

void register_shape_leaves(const RegisterKind& add);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_SHAPE_LEAVES_HPP_
