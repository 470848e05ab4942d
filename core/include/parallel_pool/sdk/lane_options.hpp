// parallel_pool/sdk/lane_options.hpp: what a batch kernel is built with: the options of all lanes
// of a shard, a std::vector of them where they are a struct (option_set.hpp).
#ifndef PARALLEL_POOL_SDK_LANE_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_LANE_OPTIONS_HPP_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/option_table.hpp"

namespace pp {

// The options of every lane of a shard, to be looked up by name; or just how many lanes there are.
class LaneOptions {
 public:
  LaneOptions(const pp_option* const* declared, uint32_t n_option, const pp_shard& shard)
      : declared_(declared), n_option_(n_option), shard_(shard) {}
  uint32_t size() const { return shard_.count; }
  Options operator[](uint32_t lane) const {
    return Options(declared_, n_option_, shard_.option[lane]);
  }

 private:
  const pp_option* const* declared_;
  uint32_t n_option_;
  const pp_shard& shard_;
};

namespace detail {

// What a kernel is built with.
template <class K>
using LaneOptionsOf =
    std::conditional_t<HasOptionSet<K>::value, std::vector<OptionsOf<K>>, LaneOptions>;
template <class K>
LaneOptionsOf<K> lane_options(const pp_shard& shard) {
  if constexpr (HasOptionSet<K>::value) {
    std::vector<OptionsOf<K>> options(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      options[i] = OptionTable<K>::read(shard.option[i]);
    }
    return options;
  } else {
    return LaneOptions(OptionTable<K>::pointers, OptionTable<K>::size, shard);
  }
}

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_LANE_OPTIONS_HPP_
