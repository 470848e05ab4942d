// parallel_pool/sdk/batch.hpp: one object per shard, for environments so cheap that a call per
// environment would cost more than the step: structure-of-arrays loops that a compiler vectorises.
//
//   struct CartPole {
//     static constexpr const char* id = "carts/CartPole-v1";
//     using Obs = pp::Box<float, 4>;
//     using Action = pp::Discrete<2>;
//     struct Options { double gravity; ... };               // see sdk/option_set.hpp
//     explicit CartPole(const std::vector<Options>& lanes); // the options of each lane
//     (pp::Options
//                                                           // where there are none)
//     void reset(const pp::Rows<CartPole>& rows);           // the selected rows only
//     void step(const pp::Rows<CartPole>& rows);            // all rows, or at least those
//   };
//
// Optional members are those of scalar environments; those of the extensions take the lane first:
// `void save(uint32_t lane, pp::StateWriter&) const`.
//
// Row i of `rows` is lane rows.first() + i. step() may compute rows that are not selected: they are
// reset before the rows are read. An exception fails every lane of the call.
#ifndef PARALLEL_POOL_SDK_BATCH_HPP_
#define PARALLEL_POOL_SDK_BATCH_HPP_

#include <type_traits>
#include <vector>

#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/checks/batch.hpp"
#include "parallel_pool/sdk/checks/plugin.hpp"
#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"

namespace pp {

namespace detail {
template <class K>
class BatchShard;

// The one leaf of a space, or the member `Name` of a Dict.
template <class Space, Key... Name>
struct Leaf {
  using type = Space;
  static constexpr size_t offset = 0;
};
template <class... Members, Key Name>
struct Leaf<Dict<Members...>, Name> : Find<Name, Members...> {};

// Costs nothing, where the types say all.
struct NotDescribed {
  explicit NotDescribed(const Described*) {}
};

}  // namespace detail

// One call's rows. Pointers are to the first row; rows follow each other without gaps.
template <class K>
class Rows {
  using L = detail::Layout<K>;

 public:
  uint32_t first() const { return lanes_.first; }
  uint32_t size() const { return lanes_.count; }
  bool all_selected() const { return lanes_.mask == nullptr; }
  // A byte for each row, 0 where it is not selected; NULL where all are.
  const uint8_t* mask() const { return lanes_.mask; }
  // In a step: the observations of rows whose episodes do not end in it are not read.
  bool unseen() const { return (lanes_.flags & PP_LANES_UNSEEN) != 0u; }
  // The rows are those of the last call in which this was true, and last as long as the kernel; a
  // step may write only what has changed since. Readers may have written there too.
  bool kept() const { return (lanes_.flags & PP_LANES_KEPT) != 0u; }
  bool selected(uint32_t row) const { return lanes_.mask == nullptr || lanes_.mask[row] != 0; }

  // Elements of the space, or of the member `Name` of a Dict. A pp::Fields gives its arrays of the
  // first row: rows.obs().get<double>(0).data().
  template <Key... Name>
  auto action() const {
    return column<typename L::Action, PP_ROLE_ACTION, Name...>(L::action);
  }
  template <Key... Name>
  auto obs() const {
    return column<typename L::Obs, PP_ROLE_OBS, Name...>(L::obs);
  }
  template <Key... Name>
  auto info() const {
    return column<typename L::Info, PP_ROLE_INFO, Name...>(L::info);
  }
  double* reward() const { return static_cast<double*>(lanes_.field[L::reward]); }
  uint8_t* terminated() const { return static_cast<uint8_t*>(lanes_.field[L::terminated]); }
  uint8_t* truncated() const { return static_cast<uint8_t*>(lanes_.field[L::truncated]); }
  double* discount() const {
    static_assert(L::has_discount, "declare `static constexpr bool has_discount = true`");
    return static_cast<double*>(lanes_.field[L::discount]);
  }
  // The members of pp::Score, in resets and steps.
  double* score() const { return static_cast<double*>(lanes_.field[L::score]); }
  uint8_t* continues() const { return static_cast<uint8_t*>(lanes_.field[L::continues]); }

  // The generator of a row's lane.
  Rng& rng(uint32_t row) const { return rng_[lanes_.first + row]; }

  // In a step: the seed that the next reset of row i will have, or NULL if none is known.
  const uint64_t* next_seed(uint32_t i) const {
    constexpr size_t known = offsetof(pp_lanes, has_next_seed) + sizeof lanes_.has_next_seed;
    if (lanes_.struct_size < known || lanes_.has_next_seed == nullptr) return nullptr;
    return lanes_.has_next_seed[i] == 0 ? nullptr : lanes_.next_seed + i;
  }

 private:
  friend class detail::BatchShard<K>;
  Rows(const pp_lanes& lanes, Rng* rng, const detail::Described* described)
      : lanes_(lanes), rng_(rng), described_(described) {}

  template <class Space, uint32_t Role, Key... Name>
  auto column(size_t first) const {
    using Leaf = detail::Leaf<Space, Name...>;
    if constexpr (std::is_same_v<typename Leaf::type, Fields>) {
      const detail::Described* described = described_ + (Role - PP_ROLE_OBS);
      const detail::Row row{lanes_.field, described->player_bytes, 0, nullptr, described};
      return std::conditional_t<Role == PP_ROLE_ACTION, Fields::Value, Fields::Ref>(row, 0);
    } else {
      using T = typename Leaf::type::Element;
      using Element = std::conditional_t<Role == PP_ROLE_ACTION, const T, T>;
      return static_cast<Element*>(lanes_.field[first + Leaf::offset]);
    }
  }

  const pp_lanes& lanes_;
  Rng* rng_;
  // By role; only a pp::Fields needs it.
  std::conditional_t<L::has_added, const detail::Described*, detail::NotDescribed> described_;
};

namespace detail {

template <class K>
class BatchShard {
  using L = Layout<K>;

 public:
  BatchShard(const pp_host* host, const pp_shard& shard)
      : host_(host), rng_(shard.count, Rng(0)), kernel_(options(shard)) {
    if constexpr (L::has_added) {
      roles_.set(L::make_spec(read_options<K>(shard.option[0])), L::n_field);
    }
  }

  static int32_t reset(void* self, const pp_lanes* lanes) noexcept {
    auto& shard = *static_cast<BatchShard*>(self);
    const Rows<K> rows(*lanes, shard.rng_.data(), shard.roles_.role.data());
    if (lanes->seed != nullptr) {
      for (uint32_t i = 0; i < lanes->count; ++i) {
        if (rows.selected(i)) rows.rng(i) = Rng(lanes->seed[i]);
      }
    }
    return shard.guard([&] { shard.kernel_.reset(rows); });
  }

  static int32_t step(void* self, const pp_lanes* lanes) noexcept {
    auto& shard = *static_cast<BatchShard*>(self);
    const Rows<K> rows(*lanes, shard.rng_.data(), shard.roles_.role.data());
    return shard.guard([&] { shard.kernel_.step(rows); });
  }

  static const void* get_extension(const char* id) noexcept {
    return find_extension<K, BatchShard>(id);
  }
  const pp_host* host() const { return host_; }
  Rng& rng(uint32_t lane) { return rng_[lane]; }
  void save(uint32_t lane, StateWriter& out) const { kernel_.save(lane, out); }
  void load(uint32_t lane, StateReader& in) { kernel_.load(lane, in); }
  void reseed(uint32_t lane, uint64_t seed) { kernel_.reseed(lane, seed); }
  void arrays(uint32_t lane, ArrayList& list) { kernel_.arrays(lane, list); }
  void arrays_written(uint32_t lane) {
    (void)lane;
    if constexpr (takes_arrays_written<K, uint32_t>) kernel_.arrays_written(lane);
  }
  FrameSize frame_size(uint32_t lane) const { return kernel_.frame_size(lane); }
  void draw(uint32_t lane, uint8_t* rgb) const { kernel_.draw(lane, rgb); }
  void set_reset_options(uint32_t lane, const ResetOptionsOf<K>& options) {
    kernel_.set_reset_options(lane, options);
  }

 private:
  [[gnu::cold]] static std::vector<OptionsOf<K>> options(const pp_shard& shard) {
    std::vector<OptionsOf<K>> lanes;
    for (uint32_t i = 0; i < shard.count; ++i) lanes.push_back(read_options<K>(shard.option[i]));
    return lanes;
  }
  template <class Work>
  int32_t guard(Work&& work) noexcept {
    return guarded(host_, PP_ALL_LANES, 1, [&] {
      work();
      return 0;
    });
  }

  const pp_host* host_;
  std::vector<Rng> rng_;
  DescribedRoles roles_;  // with L::has_added
  K kernel_;
};

}  // namespace detail

// The table of an environment written as a kernel over Lanes environments at a time.
template <class K, uint32_t Lanes>
constexpr const pp_env* batch() {
  if constexpr (detail::has_lanes<Lanes>() && detail::is_batch_environment<K>()) {
    return &detail::Table<K, detail::BatchShard<K>, Lanes>::value;
  } else {
    return &detail::refused_env;  // the compiler has said why
  }
}

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_BATCH_HPP_
