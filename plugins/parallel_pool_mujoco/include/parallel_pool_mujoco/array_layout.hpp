// parallel_pool_mujoco/array_layout.hpp: which arrays mjData has in its buffer, with what
// shapes.
//
// This follows from the model, so it is found out once for all environments that share one; the
// beginning of an array is looked up in each mjData. Arrays of contacts and constraints have
// another size after every step and are left out.
#ifndef PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_
#define PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/sdk/arrays.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/extents.hpp"

namespace pp::mujoco {

// The place of an array in mjData's buffer, in bytes. No bytes: there is no such array.
struct ArrayPlace {
  size_t first = 0;
  size_t bytes = 0;
};

// The arrays that each mjData of one model has.
class ArrayLayout {
 public:
  // `data` is any mjData of the model.
  ArrayLayout(const Engine& engine, const RawModel* model, const RawData* data) {
    constexpr std::string_view prefix = "mjData.";
    const uint8_t* begin = buffer(engine, data);
    const uint8_t* end =
        begin + engine.at<int64_t>(static_cast<const void*>(data), "mjData.nbuffer");
    for (const pp_mujoco_symbol& symbol : engine) {
      if (std::string_view(symbol.name).substr(0, prefix.size()) != prefix) continue;
      Array array{symbol.name + prefix.size(), symbol.value, {}, nullptr, {}};
      array.add = adder(symbol.type, is_input(array.name));
      if (array.add == nullptr) continue;
      const uint8_t* first = at(data, array.offset);
      if (first < begin || first >= end) continue;
      array.extents = Extents::of(engine, model, symbol);
      if (array.extents.ndim == 0) continue;
      array.place = {static_cast<size_t>(first - begin),
                     item_size(symbol.type) * array.extents.count()};
      arrays_.push_back(array);
    }
  }

  // Adds the arrays of `data`, which belongs to the same model.
  void list(RawData* data, ArrayList& list) const {
    for (const Array& array : arrays_) array.add(list, array, at(data, array.offset));
  }

  ArrayPlace place(std::string_view name) const {
    for (const Array& array : arrays_) {
      if (name == array.name) return array.place;
    }
    return {};
  }
  // The places of the arrays of float64.
  std::vector<ArrayPlace> numbers() const {
    std::vector<ArrayPlace> places;
    for (const Array& array : arrays_) {
      const bool number = array.add == &add<double> || array.add == &add<const double>;
      if (number) places.push_back(array.place);
    }
    return places;
  }

  // The beginning of the buffer that holds all arrays of `data`.
  static const uint8_t* buffer(const Engine& engine, const RawData* data) {
    return at(data, engine.member("mjData.buffer").value);
  }

 private:
  struct Array {
    const char* name;
    size_t offset;  // mjData has the pointer there
    Extents extents;
    void (*add)(ArrayList& list, const Array& array, uint8_t* first);
    ArrayPlace place;
  };

  // Follows the pointer at that offset of mjData.
  static uint8_t* at(const RawData* data, size_t offset) {
    return *reinterpret_cast<uint8_t* const*>(reinterpret_cast<const char*>(data) + offset);
  }

  // True for arrays that a simulation takes as input: Python may write them.
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
    list.array(array.name, reinterpret_cast<T*>(first), array.extents.shape, array.extents.ndim);
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

  std::vector<Array> arrays_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_ARRAY_LAYOUT_HPP_
