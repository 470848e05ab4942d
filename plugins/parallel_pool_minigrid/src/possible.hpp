// Tells whether there are levels with some options. Chance decides what a level consists of, and
// levels that cannot be played are made again, which minigrid does for ever where none can be.
#ifndef PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_
#define PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "options.hpp"
#include "task_kind.hpp"

namespace minigrid {

// minigrid needs a minute for as many.
inline constexpr int patience = 20'000;
// At the end of an option's range, levels are easy to find where there are any.
inline constexpr int patience_at_ends = 1'000;

bool has_levels(const TaskKind& kind, const CommonOptions& options, int tries = patience);

// An option that decides whether there are levels: its value, in options that may be changed.
struct Size {
  pp_option told;
  int64_t* value;
};

// Throws std::invalid_argument, which says with which values of `sizes` there are no levels, and
// for each of them another one that would do. `sizes` point into `options`.
[[noreturn]] void refuse_options(const TaskKind& kind, const CommonOptions& options,
                                 const std::vector<Size>& sizes);

template <class Declared, class Options>
void add_size(std::vector<Size>& sizes, const Declared& declared, Options& options) {
  if constexpr (std::is_same_v<typename Declared::Type, int64_t> &&
                !std::is_same_v<typename Declared::Holder, CommonOptions>) {
    sizes.push_back({declared.option(), &(options.*declared.member)});
  }
}

// Throws if there is no level.
template <class Level>
void expect_levels(typename Level::Options options) {
  if (has_levels(kind_of<Level>, options)) return;
  std::vector<Size> sizes;
  std::apply([&](const auto&... declared) { (add_size(sizes, declared, options), ...); },
             Level::Options::declared.each);
  refuse_options(kind_of<Level>, options, sizes);
}

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_
