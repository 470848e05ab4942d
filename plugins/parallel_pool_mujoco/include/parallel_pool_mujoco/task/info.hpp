// parallel_pool_mujoco/task/info.hpp: `info` of a task whose ids differ in their keys.
//
//   using Info = pp::Dict<pp::mujoco::Real<x_position>, pp::mujoco::WarningKey>;
//   const pp::mujoco::InfoWriter<Info> info(row);
//   info.put(x_position{}, sim_.qpos[0]);
//   info.put(x_velocity{}, velocity);  // this Info has no such key: costs nothing
//
// A task computes what it knows and puts it under every name that it has had in some version.
#ifndef PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "parallel_pool/sdk/space.hpp"

namespace pp::mujoco {

PP_KEY(mujoco_warning);

// A key with one float64, with one float32, and with as many float64 as describe() says.
template <class Key>
using Real = At<Key, Scalar<double>>;
template <class Key>
using Real32 = At<Key, Scalar<float>>;
template <class Key>
using Reals = At<Key, Box<double, dynamic>>;
// Task::outcome() writes the number of simulation.hpp's Warning under this key, 0 for none.
using WarningKey = At<mujoco_warning, Scalar<int32_t>>;

namespace detail {
template <class Key, class Space>
struct HasKey;
template <class Key, class... Keys, class... Spaces>
struct HasKey<Key, Dict<At<Keys, Spaces>...>> : std::disjunction<std::is_same<Key, Keys>...> {};

template <class Space>
struct Fill;
template <class... Keys, class... Spaces>
struct Fill<Dict<At<Keys, Spaces>...>> {
  template <class Ref>
  static void zero(const Ref& info) {
    (zero_row(info.template get<Keys>()), ...);
  }
  template <class Row>
  static void zero_row(const Row& row) {
    std::fill(row.begin(), row.end(), 0);
  }
};
}  // namespace detail

// Writes one row of an Info. Keys that a reset does not put stay zero; a step puts all keys.
template <class Info>
class InfoWriter {
 public:
  explicit InfoWriter(const typename Info::Ref& row) : row_(row) {}

  // Writes zeros into all fields but narrowed ones: put_narrow() those.
  void zero() const { detail::Fill<Info>::zero(row_); }

  template <class Key, class T>
  void put(Key, T value) const {
    if constexpr (detail::HasKey<Key, Info>::value) {
      auto place = row_.template get<Key>();
      place = static_cast<std::decay_t<decltype(*place.data())>>(value);
    }
  }
  // Writes into a field that describe() has made float32.
  template <class Key>
  void put_narrow(Key, float value) const {
    *reinterpret_cast<float*>(row_.template get<Key>().data()) = value;
  }
  // Writes an array, of which the row says the size.
  template <class Key>
  void put_all(Key, const double* values) const {
    if constexpr (detail::HasKey<Key, Info>::value) {
      auto place = row_.template get<Key>();
      std::copy(values, values + place.size(), place.data());
    }
  }

 private:
  const typename Info::Ref& row_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_
