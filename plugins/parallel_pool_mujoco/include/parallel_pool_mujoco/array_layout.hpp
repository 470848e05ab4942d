// parallel_pool_mujoco/array_layout.hpp: which arrays mjData has in its buffer, with what
// shapes.
//
// That follows from the model, so it is found out once for all environments that share one; where
// an array begins is looked up in each mjData. Arrays of contacts and constraints have another size
// after every step and are left out.
#ifndef PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_
#define PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/sdk/arrays.hpp"
#include "parallel_pool_mujoco/engine.hpp"

namespace pp::mujoco {

// Where an array lies in mjData's buffer, in bytes. No bytes: there is no such array.
struct ArrayPlace {
  size_t first = 0;
  size_t bytes = 0;
};

// The arrays that each mjData of one model has.
class ArrayLayout {
 public:
  // `data`: any of the model's.
  ArrayLayout(const Engine& engine, const RawModel* model, const RawData* data) {
    constexpr std::string_view prefix = "mjData.";
    const uint8_t* begin = buffer(engine, data);
    const uint8_t* end =
        begin + engine.at<int64_t>(static_cast<const void*>(data), "mjData.nbuffer");
    for (const pp_mujoco_symbol& symbol : engine) {
      if (std::string_view(symbol.name).substr(0, prefix.size()) != prefix) continue;
      Array array{symbol.name + prefix.size(), symbol.value, {}, 0, nullptr, {}};
      array.add = adder(symbol.type, is_input(array.name));
      if (array.add == nullptr) continue;
      const uint8_t* first = at(data, array.offset);
      if (first < begin || first >= end) continue;
      if (!read_extents(engine, model, symbol.extents, array)) continue;
      array.place = {static_cast<size_t>(first - begin), item_size(symbol.type)};
      for (size_t d = 0; d < array.ndim; ++d) {
        array.place.bytes *= static_cast<size_t>(array.shape[d]);
      }
      arrays_.push_back(array);
    }
  }

  // Those of `data`, which is of the same model.
  void list(RawData* data, ArrayList& list) const {
    for (const Array& array : arrays_) array.add(list, array, at(data, array.offset));
  }

  ArrayPlace place(std::string_view name) const {
    for (const Array& array : arrays_) {
      if (name == array.name) return array.place;
    }
    return {};
  }
  // Those of float64.
  std::vector<ArrayPlace> numbers() const {
    std::vector<ArrayPlace> places;
    for (const Array& array : arrays_) {
      const bool number = array.add == &add<double> || array.add == &add<const double>;
      if (number) places.push_back(array.place);
    }
    return places;
  }

  // Where all of them are.
  static const uint8_t* buffer(const Engine& engine, const RawData* data) {
    return at(data, engine.member("mjData.buffer").value);
  }

 private:
  struct Array {
    const char* name;
    size_t offset;  // of the pointer in mjData
    int64_t shape[PP_MAX_DIMS];
    size_t ndim;
    void (*add)(ArrayList& list, const Array& array, uint8_t* first);
    ArrayPlace place;
  };

  // What the pointer at that offset points to.
  static uint8_t* at(const RawData* data, size_t offset) {
    return *reinterpret_cast<uint8_t* const*>(reinterpret_cast<const char*>(data) + offset);
  }

  // What a simulation takes as input, and Python may write.
  static bool is_input(std::string_view name) {
    for (const char* each :
         {"qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
          "userdata", "eq_active", "qacc_warmstart"}) {
      if (name == each) return true;
    }
    return false;
  }

  template <class T>
  static void add(ArrayList& list, const Array& array, uint8_t* first) {
    list.array(array.name, reinterpret_cast<T*>(first), array.shape, array.ndim);
  }
  template <class T>
  static auto adder_of(bool input) {
    return input ? &add<T> : &add<const T>;
  }
  // NULL for a member that is no pointer to numbers.
  static decltype(Array::add) adder(std::string_view type, bool input) {
    if (type.size() < 2 || type.substr(type.size() - 2) != " *") return nullptr;
    const std::string_view element = type.substr(0, type.size() - 2);
    if (detail::is_declared<double>(element)) return adder_of<double>(input);
    if (detail::is_declared<int32_t>(element)) return adder_of<int32_t>(input);
    if (detail::is_declared<uint8_t>(element)) return adder_of<uint8_t>(input);
    return nullptr;
  }

  static size_t item_size(std::string_view type) {
    const std::string_view element = type.substr(0, type.size() - 2);
    if (detail::is_declared<double>(element)) return sizeof(double);
    return detail::is_declared<int32_t>(element) ? sizeof(int32_t) : sizeof(uint8_t);
  }

  // The shape that `extents` says, "nbody 3". False if one of them is no number and no member of
  // mjModel.
  static bool read_extents(const Engine& engine, const RawModel* model, std::string_view extents,
                           Array& array) {
    while (!extents.empty()) {
      if (array.ndim == PP_MAX_DIMS) return false;
      const size_t blank = extents.find(' ');
      const std::string extent(extents.substr(0, blank));
      extents.remove_prefix(blank == std::string_view::npos ? extents.size() : blank + 1);
      int64_t& size = array.shape[array.ndim++];
      if (extent.find_first_not_of("0123456789") == std::string::npos) {
        size = std::atoll(extent.c_str());
        continue;
      }
      const std::string name = "mjModel." + extent;
      const pp_mujoco_symbol* symbol = engine.find(name.c_str());
      if (symbol == nullptr || std::string_view(symbol->type) != "mjtSize") return false;
      size = engine.at<int64_t>(static_cast<const void*>(model), name.c_str());
    }
    return array.ndim > 0;
  }

  std::vector<Array> arrays_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_
