// The native part of the conformance kit's deep play: trajectories of thousands of steps, as one
// number per step, environment and field, so that two ways to play them are compared quickly.
#ifndef PARALLEL_POOL_SRC_CONFORMANCE_SHARD_PLAYER_HPP_
#define PARALLEL_POOL_SRC_CONFORMANCE_SHARD_PLAYER_HPP_

#include <pybind11/pybind11.h>

namespace pp::python {
void bind_shard_player(pybind11::module_& module);
}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_CONFORMANCE_SHARD_PLAYER_HPP_
