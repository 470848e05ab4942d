// Tells whether there are levels with some options. Chance decides what a level consists of, and
// levels that cannot be played are made again, which minigrid does for ever where none can be.
#ifndef PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_
#define PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_

#include <exception>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

// minigrid needs a minute for as many.
inline constexpr int patience = 20'000;
// At the end of an option's range, levels are easy to find where there are any.
inline constexpr int patience_at_ends = 1'000;

template <class Level>
bool has_levels(const typename Level::Options& options, int tries = patience) {
  try {
    Level level(options);
    level.most_tries = tries;
    pp::Rng rng(0);
    level.renew(rng);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// The value nearest to the option's at which there are levels, between it and `good`, where there
// are some.
template <class Level>
int64_t nearest(typename Level::Options options, int64_t Level::Options::* member, int64_t good) {
  int64_t bad = options.*member;
  while (good - bad > 1 || bad - good > 1) {
    const int64_t middle = bad + (good - bad) / 2;
    options.*member = middle;
    (has_levels<Level>(options) ? good : bad) = middle;
  }
  return good;
}

// Gives advice about one option: its value, and another one that would do.
template <class Level, class Declared>
void advise(const typename Level::Options& options, const Declared& declared, std::string& values,
            std::string& advice) {
  if constexpr (std::is_same_v<typename Declared::Type, int64_t> &&
                !std::is_same_v<typename Declared::Holder, CommonOptions>) {
    const pp_option told = declared.option();
    const std::string name = told.name;
    values += (values.empty() ? "" : ", ") + name + "=" + std::to_string(options.*declared.member);
    for (const double end : {told.low, told.high}) {
      typename Level::Options other = options;
      other.*declared.member = static_cast<int64_t>(end);
      if (!has_levels<Level>(other, patience_at_ends)) continue;
      const int64_t value = nearest<Level>(options, declared.member, static_cast<int64_t>(end));
      advice += (advice.empty() ? "" : ", or ") + name +
                (end == told.low ? " at most " : " at least ") + std::to_string(value);
    }
  }
}

// Throws if there is no level.
template <class Level>
void expect_levels(const typename Level::Options& options) {
  if (has_levels<Level>(options)) return;
  std::string values, advice;
  std::apply(
      [&](const auto&... declared) { (advise<Level>(options, declared, values, advice), ...); },
      Level::Options::declared.each);
  throw std::invalid_argument("no level was found in " + std::to_string(patience) + " tries with " +
                              values + (advice.empty() ? "" : "; make ") + advice);
}

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_POSSIBLE_HPP_
