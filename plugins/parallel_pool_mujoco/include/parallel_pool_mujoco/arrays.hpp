// parallel_pool_mujoco/arrays.hpp: mjData's arrays for Python to look into ("pp.arrays/1").
//
//   void arrays(pp::ArrayList& list) { pp::mujoco::list_arrays(sim_, list); }
//   void arrays_written() { sim_.forward(); }
//
// Every array of mjData's buffer under its own name and shape: "qpos" (nq,), "xpos" (nbody, 3).
// Writable are those that a simulation takes as input. Arrays of contacts and constraints have
// another size after every step and are left out. Besides: "time" (seconds), and for renderers
// "mjdata_buffer" (all of the above in one piece), "mjmodel_address" (the model's address; the
// model lives as long as the environment) and "mjmodel_edits" (the numbers that were edited in it).
#ifndef PARALLEL_POOL_MUJOCO_ARRAYS_HPP_
#define PARALLEL_POOL_MUJOCO_ARRAYS_HPP_

#include <cstdint>
#include <vector>

#include "parallel_pool/sdk/arrays.hpp"
#include "parallel_pool_mujoco/simulation.hpp"

namespace pp::mujoco {

inline void list_arrays(const Simulation& sim, ArrayList& list) {
  const Engine& engine = sim.model.engine;
  sim.model.array_layout(sim.raw).list(sim.raw, list);
  void* const data = sim.raw;
  list.value("time", engine.at<double>(data, "mjData.time"));
  list.array("mjdata_buffer", ArrayLayout::buffer(engine, sim.raw),
             {engine.at<int64_t>(data, "mjData.nbuffer")});
  list.value("mjmodel_address", sim.model.address);
  const std::vector<char>& edits = sim.edits.packed();
  list.array("mjmodel_edits", reinterpret_cast<const uint8_t*>(edits.data()),
             {static_cast<int64_t>(edits.size())});
}

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_ARRAYS_HPP_
