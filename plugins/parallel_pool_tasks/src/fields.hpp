// The arrays of mjData that a program reads and writes, found in one simulation: whether they are
// there, of numbers, as large as the program takes them to be, and may be written.
#ifndef PARALLEL_POOL_TASKS_FIELDS_HPP_
#define PARALLEL_POOL_TASKS_FIELDS_HPP_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool_mujoco/sdk.hpp"
#include "program.hpp"

namespace tasks {

// Inputs of a simulation. All else MuJoCo computes.
inline constexpr std::string_view written_fields[] = {
    "qpos",         "qvel",      "act",        "ctrl",           "qfrc_applied",
    "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart", "time"};

// The first number of each of the program's fields. Throws std::invalid_argument that names the
// author's line.
inline std::vector<double*> bound_fields(const Program& program,
                                         const pp::mujoco::Simulation& sim) {
  const pp::mujoco::Model& model = sim.model;
  std::vector<double*> first;
  std::vector<size_t> sizes;
  for (const std::string& field : program.fields) {
    const std::string name = "mjData." + field;
    const pp::mujoco::ArrayPlace place = model.array_layout(sim.raw).place(field);
    if (field == "time") {
      first.push_back(&model.engine.at<double>(static_cast<void*>(sim.raw), name.c_str()));
      sizes.push_back(1);
    } else if (place.bytes > 0) {
      first.push_back(sim.array<double>(name.c_str()));
      sizes.push_back(place.bytes / sizeof(double));
    } else {
      // Arrays of contacts are elsewhere in every step, and empty ones nowhere.
      first.push_back(nullptr);
      sizes.push_back(0);
    }
  }
  for (const auto* part : {&program.reset, &program.step}) {
    for (const Instruction& each : *part) {
      if (each.op != Op::load && each.op != Op::store) continue;
      const std::string& name = program.fields[each.place];
      if (each.first + size_t{each.count} > sizes[each.place]) {
        throw std::invalid_argument(
            program.where(each) + ": mjData." + name + " has " + std::to_string(sizes[each.place]) +
            " numbers in " + model.source + ", and the program takes " +
            std::to_string(each.count) + " from number " + std::to_string(each.first) + " on");
      }
      if (each.op == Op::load) continue;
      bool input = false;
      for (const std::string_view one : written_fields) input |= one == name;
      if (!input) {
        throw std::invalid_argument(program.where(each) + ": MuJoCo computes mjData." + name +
                                    ", so a task writes what it follows from, such as qpos");
      }
    }
  }
  return first;
}

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_FIELDS_HPP_
