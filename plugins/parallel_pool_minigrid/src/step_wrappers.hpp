// Does what minigrid's wrappers do around a step: StochasticActionWrapper, NoDeath, ActionBonus and
// PositionBonus, from the outermost to the innermost
// StochasticActionWrapper(PositionBonus(ActionBonus(NoDeath(env)))).
#ifndef PARALLEL_POOL_MINIGRID_STEP_WRAPPERS_HPP_
#define PARALLEL_POOL_MINIGRID_STEP_WRAPPERS_HPP_

#include <vector>

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

// The wrappers of one lane.
class StepWrappers {
 public:
  // Throws std::invalid_argument for what the task does not have. actions: how many it has.
  StepWrappers(const CommonOptions& options, const World& world, int actions);

  static bool wanted(const CommonOptions& options);
  // Returns true if they leave the generator alone.
  static bool draw_nothing(const CommonOptions& options) { return !options.stochastic_actions; }

  pp::Outcome act(Task& task, Act action);
  // Nothing where no option of the lane asks for it: others of the kernel may have wrappers.
  void keep(Keeper& k);

 private:
  using Counts = std::vector<uint32_t>;  // counts over all episodes

  bool deadly(Cell cell) const { return deaths_ >> static_cast<int>(type_of(cell)) & 1u; }
  Act chosen(pp::Rng& rng, Act given) const;
  static double bonus(uint32_t& count);
  static void keep(Keeper& k, Counts& counts, const char* name);

  int actions_;
  bool stochastic_;
  double action_prob_;
  int random_action_;
  uint32_t deaths_ = 0;  // a bit for each type of cell
  double death_cost_;
  double position_bonus_;
  int columns_;
  Counts of_actions_;  // by place, direction and action; empty where there is no bonus
  Counts of_places_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_STEP_WRAPPERS_HPP_
