// parallel_pool_mujoco/extents.hpp: how many numbers members of mjModel and mjData have.
#ifndef PARALLEL_POOL_MUJOCO_EXTENTS_HPP_
#define PARALLEL_POOL_MUJOCO_EXTENTS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "parallel_pool/abi.h"
#include "parallel_pool_mujoco/engine.hpp"

namespace pp::mujoco {

// The shape of a member of mjModel or mjData, as the engine's symbols say it.
struct Extents {
  int64_t shape[PP_MAX_DIMS] = {};
  size_t ndim = 0;  // 0: MuJoCo does not say

  size_t count() const {
    size_t product = ndim > 0 ? 1 : 0;
    for (size_t d = 0; d < ndim; ++d) product *= static_cast<size_t>(shape[d]);
    return product;
  }

  // Reads a symbol's text, such as "nbody 3": numbers, constants, and members of mjModel.
  static Extents of(const Engine& engine, const RawModel* model, const pp_mujoco_symbol& symbol) {
    Extents result;
    std::string_view left = symbol.extents;
    if (const std::string_view type = symbol.type; type.back() != '*') {  // within the struct
      const size_t bracket = type.find('[');
      const bool one = bracket == std::string_view::npos;
      result.shape[result.ndim++] = one ? 1 : std::atoll(symbol.type + bracket + 1);
    }
    while (!left.empty()) {
      if (result.ndim == PP_MAX_DIMS) return {};
      const size_t blank = left.find(' ');
      const std::string extent(left.substr(0, blank));
      left.remove_prefix(blank == std::string_view::npos ? left.size() : blank + 1);
      int64_t& size = result.shape[result.ndim++];
      if (extent.find_first_not_of("0123456789") == std::string::npos) {
        size = std::atoll(extent.c_str());
        continue;
      }
      if (const pp_mujoco_symbol* const found = engine.find(extent.c_str());
          found != nullptr && std::string_view(found->type) == "constant") {
        size = static_cast<int64_t>(found->value);
        continue;
      }
      const std::string name = "mjModel." + extent;
      const pp_mujoco_symbol* found = engine.find(name.c_str());
      if (found == nullptr || std::string_view(found->type) != "mjtSize") return {};
      size = engine.at<int64_t>(static_cast<const void*>(model), name.c_str());
    }
    return result;
  }
};

inline bool is_array(const pp_mujoco_symbol& symbol) {
  return std::string_view(symbol.type).back() == '*';
}

// "mjtNum" of "mjtNum *", "mjtNum [3]" or "mjtNum".
inline std::string_view element_of(std::string_view type) {
  return type.substr(0, type.find(' '));
}

// The bytes of a number of that type; 0: it is no number.
inline size_t item_size(std::string_view type) {
  const std::string_view element = element_of(type);
  if (detail::is_declared<double>(element)) return sizeof(double);
  if (detail::is_declared<int64_t>(element)) return sizeof(int64_t);
  if (detail::is_declared<float>(element)) return sizeof(float);
  if (detail::is_declared<int32_t>(element)) return sizeof(int32_t);
  return detail::is_declared<uint8_t>(element) ? sizeof(uint8_t) : 0;
}

// Finds arrays of one mjModel by their names in C, without "mjModel.".
class ModelArrays {
 public:
  ModelArrays(const Engine& engine, const RawModel* model) : engine_(engine), model_(model) {}

  template <class T>
  T* get(const std::string& member) const {
    return engine_.at<T*>(static_cast<const void*>(model_), ("mjModel." + member).c_str());
  }
  // The count of numbers in the array.
  size_t count(const std::string& member) const {
    return Extents::of(engine_, model_, engine_.member(("mjModel." + member).c_str())).count();
  }

 private:
  const Engine& engine_;
  const RawModel* const model_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_EXTENTS_HPP_
