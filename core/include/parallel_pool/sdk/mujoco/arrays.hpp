// parallel_pool/sdk/mujoco/arrays.hpp: mjData's arrays for Python to look into ("pp.arrays/1").
//
//   void arrays(pp::ArrayList& list) { pp::mujoco::list_arrays(sim_, list); }
//   void arrays_written() { sim_.forward(); }
//
// Every array of mjData's buffer under its own name and shape: "qpos" (nq,), "xpos" (nbody, 3).
// Writable are those that a simulation takes as input. Arrays of contacts and constraints have
// another size after every step and are left out. Besides: "time" (seconds), and for renderers
// "mjdata_buffer" (all of the above in one piece), "mjmodel_address" (of the model, which lives as
// long as the environment) and "mjmodel_edits" (what was edited in it).
#ifndef PARALLEL_POOL_SDK_MUJOCO_ARRAYS_HPP_
#define PARALLEL_POOL_SDK_MUJOCO_ARRAYS_HPP_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/sdk/arrays.hpp"
#include "parallel_pool/sdk/mujoco/simulation.hpp"

namespace pp::mujoco {

namespace detail {

inline constexpr const char* inputs[] = {
    "qpos",      "qvel",       "act",      "ctrl",      "qfrc_applied",  "xfrc_applied",
    "mocap_pos", "mocap_quat", "userdata", "eq_active", "qacc_warmstart"};

// The sizes in `extents`, "nbody 3". False if one of them is no number and no member of mjModel.
inline bool read_extents(const Model& model, std::string_view extents, int64_t* shape,
                         size_t* count) {
  *count = 0;
  while (!extents.empty()) {
    if (*count == PP_MAX_DIMS) return false;
    const size_t blank = extents.find(' ');
    const std::string extent(extents.substr(0, blank));
    extents.remove_prefix(blank == std::string_view::npos ? extents.size() : blank + 1);
    if (extent.find_first_not_of("0123456789") == std::string::npos) {
      shape[(*count)++] = std::atoll(extent.c_str());
      continue;
    }
    const std::string name = "mjModel." + extent;
    const pp_mujoco_symbol* symbol = model.engine.find(name.c_str());
    if (symbol == nullptr || std::string_view(symbol->type) != "mjtSize") return false;
    shape[(*count)++] = model.at<int64_t>(name.c_str());
  }
  return *count > 0;
}

template <class T>
void list_array(ArrayList& list, const char* name, T* first, const int64_t* shape, size_t count) {
  bool input = false;
  for (const char* each : inputs) input |= std::string_view(name) == each;
  // The list takes shapes of a fixed length.
  const auto add = [&](auto* data) {
    if (count == 1) {
      list.array(name, data, {shape[0]});
    } else if (count == 2) {
      list.array(name, data, {shape[0], shape[1]});
    } else if (count == 3) {
      list.array(name, data, {shape[0], shape[1], shape[2]});
    }
  };
  if (input) {
    add(first);
  } else {
    add(static_cast<const T*>(first));
  }
}

}  // namespace detail

inline void list_arrays(const Simulation& sim, ArrayList& list) {
  constexpr std::string_view prefix = "mjData.";
  const Engine& engine = sim.model.engine;
  auto* data = reinterpret_cast<char*>(sim.raw);
  auto* buffer = *reinterpret_cast<char**>(data + engine.member("mjData.buffer").value);
  const auto size = static_cast<size_t>(engine.at<int64_t>(data, "mjData.nbuffer"));
  for (const pp_mujoco_symbol& symbol : engine) {
    const std::string_view type = symbol.type;
    if (std::string_view(symbol.name).substr(0, prefix.size()) != prefix) continue;
    if (type.size() < 2 || type.substr(type.size() - 2) != " *") continue;
    char* first = *reinterpret_cast<char**>(data + symbol.value);
    if (first < buffer || first >= buffer + size) continue;
    int64_t shape[PP_MAX_DIMS];
    size_t count = 0;
    if (!detail::read_extents(sim.model, symbol.extents, shape, &count)) continue;
    const char* name = symbol.name + prefix.size();
    const std::string_view element = type.substr(0, type.size() - 2);
    if (detail::is_declared<double>(element)) {
      detail::list_array(list, name, reinterpret_cast<double*>(first), shape, count);
    } else if (detail::is_declared<int32_t>(element)) {
      detail::list_array(list, name, reinterpret_cast<int32_t*>(first), shape, count);
    } else if (detail::is_declared<uint8_t>(element)) {
      detail::list_array(list, name, reinterpret_cast<uint8_t*>(first), shape, count);
    }
  }
  list.value("time", engine.at<double>(data, "mjData.time"));
  list.array("mjdata_buffer", reinterpret_cast<const uint8_t*>(buffer),
             {static_cast<int64_t>(size)});
  list.value("mjmodel_address", sim.model.address);
  const std::vector<char>& edits = sim.edits.packed();
  list.array("mjmodel_edits", reinterpret_cast<const uint8_t*>(edits.data()),
             {static_cast<int64_t>(edits.size())});
}

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_SDK_MUJOCO_ARRAYS_HPP_
