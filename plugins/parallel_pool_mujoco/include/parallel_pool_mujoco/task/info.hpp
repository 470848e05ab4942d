// parallel_pool_mujoco/task/info.hpp: `info` of a task whose ids differ in their keys.
//
//   using Info = pp::Dict<pp::mujoco::Real<"x_position">, pp::mujoco::WarningKey>;
//   const pp::mujoco::InfoWriter<Info> info(row);
//   put<"x_position">(info, sim_.qpos[0]);
//   put<"x_velocity">(info, velocity);  // this Info has no such key: costs nothing
//
// A task computes what it knows and puts it under every name that it has had in some version.
#ifndef PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "parallel_pool/sdk/space.hpp"

namespace pp::mujoco {

// A key with one float64, with one float32, and with as many float64 as describe() says.
template <Key Name>
using Real = At<Name, double>;
template <Key Name>
using Real32 = At<Name, float>;
template <Key Name>
using Reals = At<Name, double, dynamic>;
// Task::outcome() writes the number of simulation.hpp's Warning under this key, 0 for none.
using WarningKey = At<"mujoco_warning", int32_t>;

// One row of an Info, for put(), put_narrow() and put_all(). Keys that a reset does not put stay
// zero; a step puts all keys.
template <class Info>
class InfoWriter;
template <class... Members>
class InfoWriter<Dict<Members...>> {
 public:
  using Ref = typename Dict<Members...>::Ref;
  explicit InfoWriter(const Ref& row) : row(row) {}

  // Writes zeros into all fields but narrowed ones: put_narrow() those.
  void zero() const {
    const auto fill = [](const auto& each) { std::fill(each.begin(), each.end(), 0); };
    (fill(row.template get<Members::key>()), ...);
  }
  template <Key Name>
  static constexpr bool has = (false || ... || (Members::key.view() == Name.view()));

  const Ref& row;
};

template <Key Name, class Info, class T>
void put(const InfoWriter<Info>& info, T value) {
  if constexpr (InfoWriter<Info>::template has<Name>) {
    auto place = info.row.template get<Name>();
    place = static_cast<std::decay_t<decltype(*place.data())>>(value);
  }
}
// Writes into a field that describe() has made float32.
template <Key Name, class Info>
void put_narrow(const InfoWriter<Info>& info, float value) {
  *reinterpret_cast<float*>(info.row.template get<Name>().data()) = value;
}
// Writes an array, of which the row says the size.
template <Key Name, class Info>
void put_all(const InfoWriter<Info>& info, const double* values) {
  if constexpr (InfoWriter<Info>::template has<Name>) {
    auto place = info.row.template get<Name>();
    std::copy(values, values + place.size(), place.data());
  }
}

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_INFO_HPP_
