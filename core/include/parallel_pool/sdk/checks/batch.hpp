// parallel_pool/sdk/checks/batch.hpp: whether a type can be handed to pp::batch, and a sentence
// about what is wrong where it cannot. declarations.hpp says how the checks work.
#ifndef PARALLEL_POOL_SDK_CHECKS_BATCH_HPP_
#define PARALLEL_POOL_SDK_CHECKS_BATCH_HPP_

#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/sdk/checks/declarations.hpp"
#include "parallel_pool/sdk/checks/options.hpp"

namespace pp {
template <class K>
class Rows;
}  // namespace pp

namespace pp::detail {

template <class K>
constexpr bool has_one_player() {
  constexpr bool good = !Layout<K>::multi_player;
  static_assert(good, "multi-player environments are written one at a time, with pp::scalar");
  return good;
}

template <class K>
constexpr bool is_built_for_lanes() {
  constexpr bool good = std::is_constructible_v<K, const std::vector<OptionsOf<K>>&>;
  static_assert(good,
                "a batch kernel is built for many lanes at once, by a public constructor that "
                "takes the options of each, `const std::vector<Options>&` (pp::Options where there "
                "are none)");
  return good;
}

template <uint32_t Lanes>
constexpr bool has_lanes() {
  static_assert(Lanes > 0,
                "pp::batch<Kernel, lanes> steps that many environments at a time: 64 or more");
  return Lanes > 0;
}

template <class K>
constexpr bool resets_and_steps_rows() {
  constexpr bool reset = takes_reset<K, const Rows<K>&>;
  constexpr bool step = takes_step<K, const Rows<K>&>;
  constexpr bool other_reset = !reset && names_reset<K>;
  constexpr bool other_step = !step && names_step<K>;
  static_assert(reset || other_reset,
                "reset is missing: `void reset(const pp::Rows<Kernel>& rows)` begins an episode in "
                "the selected rows");
  static_assert(step || other_step,
                "step is missing: `void step(const pp::Rows<Kernel>& rows)` goes one step on in "
                "all rows");
  static_assert(!other_reset,
                "reset of a batch kernel is public and `void reset(const pp::Rows<Kernel>& rows)`");
  static_assert(!other_step,
                "step of a batch kernel is public and `void step(const pp::Rows<Kernel>& rows)`; "
                "rewards and endings go to rows.reward(), rows.terminated(), rows.truncated()");
  // This call makes the compiler show the author's line.
  if constexpr (other_reset) {
    using Shown [[maybe_unused]] =
        decltype(std::declval<K&>().reset(std::declval<const Rows<K>&>()));
  } else if constexpr (other_step) {
    using Shown [[maybe_unused]] =
        decltype(std::declval<K&>().step(std::declval<const Rows<K>&>()));
  }
  return reset && step;
}

template <class K>
constexpr bool is_batch_environment() {
  if constexpr (!declares_id<K>() || !declares_data<K>() || !declares_spaces<K>()) {
    return false;
  } else if constexpr (!has_one_player<K>()) {
    return false;
  } else if constexpr (!declares_options<K>() || !is_built_for_lanes<K>()) {
    return false;
  } else if constexpr (!resets_and_steps_rows<K>()) {
    return false;
  } else {
    return has_state<K, uint32_t>() && has_pictures<K, uint32_t>() && has_arguments<K, uint32_t>();
  }
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_BATCH_HPP_
