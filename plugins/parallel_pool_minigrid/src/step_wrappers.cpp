#include "step_wrappers.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "words.hpp"

namespace minigrid {
namespace {

constexpr int directions = 4;

uint32_t death_bits(const std::string& words) {
  if (words.empty()) return 0;
  uint32_t bits = 0;
  for (const Type type : meanings<Type>("no_death", words,
                                        {{"wall", Type::wall},
                                         {"floor", Type::floor},
                                         {"door", Type::door},
                                         {"key", Type::key},
                                         {"ball", Type::ball},
                                         {"box", Type::box},
                                         {"lava", Type::lava}})) {
    bits |= 1u << static_cast<int>(type);
  }
  return bits;
}

}  // namespace

StepWrappers::StepWrappers(const CommonOptions& options, const World& world, int actions)
    : actions_(actions),
      stochastic_(options.stochastic_actions),
      action_prob_(options.action_prob),
      random_action_(static_cast<int>(options.random_action)),
      deaths_(death_bits(options.no_death)),
      death_cost_(options.death_cost),
      position_bonus_(options.position_bonus),
      columns_(world.w) {
  if (random_action_ >= actions) {
    throw std::invalid_argument("random_action is " + std::to_string(random_action_) +
                                ", and this environment has the actions 0 .. " +
                                std::to_string(actions - 1));
  }
  if (!std::isfinite(death_cost_)) throw std::invalid_argument("death_cost has to be finite");
  if (!std::isfinite(position_bonus_)) {
    throw std::invalid_argument("position_bonus has to be finite");
  }
  const auto places = static_cast<size_t>(world.w * world.h);
  if (options.action_bonus) of_actions_.resize(places * static_cast<size_t>(directions * actions));
  if (position_bonus_ != 0) of_places_.resize(places);
}

bool StepWrappers::wanted(const CommonOptions& options) {
  return options.stochastic_actions || !options.no_death.empty() || options.action_bonus ||
         options.position_bonus != 0;
}

Act StepWrappers::chosen(pp::Rng& rng, Act given) const {
  if (!stochastic_ || rng.random() < action_prob_) return given;
  return static_cast<Act>(random_action_ >= 0 ? random_action_ : rng.integers(0, actions_));
}

double StepWrappers::bonus(uint32_t& count) {
  if (count < std::numeric_limits<uint32_t>::max()) ++count;
  return 1 / std::sqrt(static_cast<double>(count));
}

pp::Outcome StepWrappers::act(Task& task, Act action) {
  action = chosen(*task.rng, action);
  const bool to_death = action == Act::forward && deadly(task.get(task.front()));
  pp::Outcome out = task.act(action);
  if (out.terminated && (to_death || deadly(task.get(task.at)))) {
    out.terminated = false;
    out.reward += death_cost_;
  }
  const auto place = static_cast<size_t>(task.at.y * columns_ + task.at.x);
  if (!of_actions_.empty()) {
    const size_t turned = place * directions + static_cast<size_t>(task.dir);
    const size_t n = turned * static_cast<size_t>(actions_) + static_cast<size_t>(action);
    out.reward += bonus(of_actions_[n]);
  }
  if (!of_places_.empty()) out.reward += bonus(of_places_[place]) * position_bonus_;
  return out;
}

void StepWrappers::keep(Keeper& k, Counts& counts, const char* name) {
  Counts kept = counts;
  k(kept);
  if (kept.size() != counts.size()) {
    throw std::invalid_argument("the state is damaged or made up: it has another number of " +
                                std::string(name));
  }
  counts = std::move(kept);
}

void StepWrappers::keep(Keeper& k) {
  if (!of_actions_.empty()) keep(k, of_actions_, "counts of actions");
  if (!of_places_.empty()) keep(k, of_places_, "counts of places");
}

}  // namespace minigrid
