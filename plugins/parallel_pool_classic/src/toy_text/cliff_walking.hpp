// CliffWalking: Gymnasium's CliffWalkingEnv. For the same seed and actions every observation,
// reward, flag and `prob` is equal to Gymnasium's. Version 0 had no ice; the rules are the same.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_CLIFF_WALKING_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_CLIFF_WALKING_HPP_

#include "toy_text/grid_walk.hpp"

namespace classic {

class CliffWalking {
 public:
  static constexpr const char* id = "classic/CliffWalking-v1";
  static constexpr const char* summary = "Walk along a cliff to a goal";

  static constexpr uint32_t rows = 4;
  static constexpr uint32_t columns = 12;
  // row * columns + column.
  using Obs = pp::Discrete<rows * columns, int64_t>;
  // 0 up, 1 right, 2 down, 3 left.
  using Action = pp::Discrete<4>;
  // The probability of the transition that happened.
  using Info = pp::Dict<pp::At<"prob", double>>;

  struct Options {
    bool is_slippery;
    static constexpr auto declared = pp::options(
        pp::option(&Options::is_slippery, "is_slippery", false, "moves may slip to either side"));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit CliffWalking(const std::vector<Options>& options);
  void reset(const pp::Rows<CliffWalking>& rows) { walk_.reset(rows); }
  void step(const pp::Rows<CliffWalking>& rows) { walk_.step(rows); }
  void save(uint32_t lane, pp::StateWriter& out) const { walk_.save(lane, out); }
  void load(uint32_t lane, pp::StateReader& in) { walk_.load(lane, in); }
  void arrays(uint32_t lane, pp::ArrayList& list) { walk_.arrays(lane, list); }

 private:
  GridWalk walk_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_CLIFF_WALKING_HPP_
