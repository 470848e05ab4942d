// The kernel of worlds in which a step is one lookup in a table of transitions.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "parallel_pool/env.hpp"
#include "toy_text/transitions.hpp"

namespace classic {

namespace key {
PP_KEY(prob);
}

// A world that lanes with equal options share.
struct World {
  World(Starts where, Transitions how) : starts(std::move(where)), transitions(std::move(how)) {}
  Starts starts;
  Transitions transitions;
  bool random() const { return transitions.random() || !starts.is_one(); }
};

class GridWalk {
 public:
  // One lane after the other.
  void add(std::shared_ptr<const World> world) {
    same_ &= world_.empty() || world_[0] == world.get();
    world_.push_back(world.get());
    if (owned_.empty() || owned_.back() != world) owned_.push_back(std::move(world));
    state_.push_back(0);
    last_action_.push_back(-1);
  }

  template <class Env>
  void reset(const pp::Rows<Env>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      const World& world = *world_[lane];
      state_[lane] =
          world.random() ? world.starts.pick(rows.rng(i).random()) : world.starts.first();
      last_action_[lane] = -1;
      rows.obs()[i] = state_[lane];
      rows.template info<key::prob>()[i] = 1.0;
    }
  }

  template <class Env>
  void step(const pp::Rows<Env>& rows) {
    std::memset(rows.truncated(), 0, rows.size());
    if (same_ && !world_[0]->random()) {
      walk<true>(rows);
    } else {
      walk<false>(rows);
    }
  }

  void save(uint32_t lane, pp::StateWriter& out) const { out(state_[lane], last_action_[lane]); }
  void load(uint32_t lane, pp::StateReader& in) { in(state_[lane], last_action_[lane]); }
  // Read-only: a state out of range would be out of the table.
  void arrays(uint32_t lane, pp::ArrayList& list) {
    list.value("state", std::as_const(state_[lane]));
    list.value("last_action", std::as_const(last_action_[lane]));
  }

 private:
  template <bool certain, class Env>
  void walk(const pp::Rows<Env>& rows) {
    // Locals that say that nothing overlaps: a byte may alias anything otherwise.
    const int32_t* __restrict action = rows.action();
    int64_t* __restrict obs = rows.obs();
    double* __restrict reward = rows.reward();
    double* __restrict probability = rows.template info<key::prob>();
    uint8_t* __restrict terminated = rows.terminated();
    int32_t* __restrict state = &state_[rows.first()];
    int8_t* __restrict last_action = &last_action_[rows.first()];
    const World* const* world = &world_[rows.first()];
    const World& only = *world_[0];
    const uint32_t n = rows.size();
    for (uint32_t i = 0; i < n; ++i) {
      // A draw for a lane that is reset next would be one too many.
      if (!certain && !rows.selected(i)) continue;
      const World& mine = same_ ? only : *world[i];
      const double draw = certain || !mine.random() ? 0.0 : rows.rng(i).random();
      const Arrival arrival = mine.transitions.arrive(state[i], action[i], draw);
      state[i] = arrival.state;
      last_action[i] = static_cast<int8_t>(action[i]);
      obs[i] = arrival.state;
      reward[i] = arrival.reward;
      terminated[i] = arrival.terminated;
      probability[i] = arrival.probability;
    }
  }

  std::vector<const World*> world_;  // by lane
  std::vector<std::shared_ptr<const World>> owned_;
  bool same_ = true;
  std::vector<int32_t> state_;
  std::vector<int8_t> last_action_;  // -1 before the first; for pictures
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
