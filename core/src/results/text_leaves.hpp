// The nodes of result trees that show bytes as texts.
#ifndef PARALLEL_POOL_SRC_RESULTS_TEXT_LEAVES_HPP_
#define PARALLEL_POOL_SRC_RESULTS_TEXT_LEAVES_HPP_

#include "results/result_leaves.hpp"

namespace pp::python {

void register_text_leaves(const RegisterKind& add);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_TEXT_LEAVES_HPP_
