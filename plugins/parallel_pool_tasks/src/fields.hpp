// The arrays of mjData that a program reads and writes, found in one simulation: whether they are
// there, of such numbers, as large as the program takes them to be, and may be written.
#ifndef PARALLEL_POOL_TASKS_FIELDS_HPP_
#define PARALLEL_POOL_TASKS_FIELDS_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool_mujoco/sdk.hpp"
#include "program.hpp"

namespace tasks {

// Inputs of a simulation. All else MuJoCo computes.
inline constexpr std::string_view written_fields[] = {
    "qpos",      "qvel",       "act",       "ctrl", "qfrc_applied",  "xfrc_applied",
    "mocap_pos", "mocap_quat", "eq_active", "time", "qacc_warmstart"};

// The bytes of one number of the arrays that an operation reads or writes; 0: it does neither.
inline size_t width_of(Op op) {
  if (op == Op::load || op == Op::store) return sizeof(double);
  if (op == Op::load_int) return sizeof(int32_t);
  return op == Op::load_bool || op == Op::store_bool ? 1 : 0;
}

// Returns the beginning of each of the program's fields. Throws std::invalid_argument that names
// the author's line.
inline std::vector<uint8_t*> bound_fields(const Program& program,
                                          const pp::mujoco::Simulation& sim) {
  const pp::mujoco::Model& model = sim.model;
  std::vector<uint8_t*> first;
  std::vector<size_t> bytes;
  std::vector<size_t> widths;
  for (const std::string& field : program.fields) {
    const std::string name = "mjData." + field;
    // Arrays of contacts are elsewhere in every step, and empty ones nowhere.
    const pp::mujoco::ArrayPlace place = model.array_layout(sim.raw).place(field);
    const bool time = field == "time";
    auto* const raw = static_cast<void*>(sim.raw);
    first.push_back(time ? reinterpret_cast<uint8_t*>(&model.engine.at<double>(raw, name.c_str()))
                         : sim.buffer() + place.first);
    bytes.push_back(time ? sizeof(double) : place.bytes);
    const bool there = bytes.back() > 0;
    widths.push_back(there ? pp::mujoco::item_size(model.engine.member(name.c_str()).type) : 0);
  }
  for (const auto* part : {&program.reset, &program.step}) {
    for (const Instruction& each : *part) {
      const size_t width = width_of(each.op);
      if (width == 0) continue;
      const std::string& name = program.fields[each.place];
      if (widths[each.place] != width && bytes[each.place] > 0) {
        throw std::invalid_argument(program.where(each) + ": mjData." + name +
                                    " has numbers of another type than the program takes");
      }
      if (each.first + size_t{each.count} > bytes[each.place] / width) {
        throw std::invalid_argument(program.where(each) + ": mjData." + name + " has " +
                                    std::to_string(bytes[each.place] / width) + " numbers in " +
                                    model.source + ", and the program takes " +
                                    std::to_string(each.count) + " from number " +
                                    std::to_string(each.first) + " on");
      }
      if (each.op != Op::store && each.op != Op::store_bool) continue;
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
