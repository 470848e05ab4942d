// `info`: one list of keys per generation of ids. A task computes what it knows and puts it under
// every name it has had; names that the generation lacks cost nothing.
#ifndef PARALLEL_POOL_MUJOCO_INFO_HPP_
#define PARALLEL_POOL_MUJOCO_INFO_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "parallel_pool/env.hpp"

namespace pp::mujoco {

// The two generations of Gymnasium's ids that are alive. EnvPool's v2 and v3 are v4 with options.
enum class Generation { kV4, kV5 };

PP_KEY(x_position);
PP_KEY(y_position);
PP_KEY(z_distance_from_origin);
PP_KEY(distance_from_origin);
PP_KEY(x_velocity);
PP_KEY(y_velocity);
PP_KEY(tendon_length);
PP_KEY(tendon_velocity);
PP_KEY(reward_forward);
PP_KEY(reward_run);
PP_KEY(reward_fwd);
PP_KEY(forward_reward);
PP_KEY(reward_linvel);
PP_KEY(reward_ctrl);
PP_KEY(reward_quadctrl);
PP_KEY(reward_contact);
PP_KEY(reward_impact);
PP_KEY(reward_survive);
PP_KEY(reward_alive);
PP_KEY(reward_linup);
PP_KEY(reward_dist);
PP_KEY(reward_near);
PP_KEY(distance_penalty);
PP_KEY(velocity_penalty);
PP_KEY(mujoco_warning);

template <class Key>
using Real = At<Key, Scalar<double>>;
// What Gymnasium computes from actions, which are float32.
template <class Key>
using Real32 = At<Key, Scalar<float>>;
template <class Key>
using Reals = At<Key, Box<double, dynamic>>;
// In every info: the number of simulation.hpp's Warning, 0 for none.
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

// Writes one row of an Info. What was not put stays zero on a reset; on a step, all keys are put.
template <class Info>
class InfoWriter {
 public:
  explicit InfoWriter(const typename Info::Ref& row) : row_(row) {}

  // Narrowed fields excepted: put_narrow() those.
  void zero() const { detail::Fill<Info>::zero(row_); }

  template <class Key, class T>
  void put(Key, T value) const {
    if constexpr (detail::HasKey<Key, Info>::value) {
      auto place = row_.template get<Key>();
      place = static_cast<std::decay_t<decltype(*place.data())>>(value);
    }
  }
  // Into a field that describe() has made float32.
  template <class Key>
  void put_narrow(Key, float value) const {
    *reinterpret_cast<float*>(row_.template get<Key>().data()) = value;
  }
  // `count` numbers, what the row has room for.
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
#endif  // PARALLEL_POOL_MUJOCO_INFO_HPP_
