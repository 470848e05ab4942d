// The kernel of worlds in which a step is one lookup in a table of transitions.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "parallel_pool/env.hpp"
#include "toy_text/selected.hpp"
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
    int64_t* obs = rows.obs();
    double* probability = rows.template info<key::prob>();
    each_selected(rows, [=, &rows](uint32_t i) {
      const uint32_t lane = rows.first() + i;
      const World& world = *world_[lane];
      int32_t state = world.starts.first();
      if (world.random()) {
        pp::Rng& rng = rows.rng(i);
        if (world.starts.is_one()) {
          rng.next_uint64();  // drawn, and of no consequence
        } else {
          state = world.starts.pick(rng.random());
        }
      }
      state_[lane] = state;
      last_action_[lane] = -1;
      obs[i] = state;
      probability[i] = 1.0;
    });
  }

  template <class Env>
  void step(const pp::Rows<Env>& rows) {
    std::memset(rows.truncated(), 0, rows.size());
    const World& first = *world_[0];
    const auto only = [&first](uint32_t) -> const Transitions& { return first.transitions; };
    if (!same_) {
      const World* const* world = &world_[rows.first()];
      walk(
          rows, [world](uint32_t i) -> const Transitions& { return world[i]->transitions; },
          [world](uint32_t i, pp::Rng& rng) { return world[i]->random() ? rng.random() : 0.0; });
    } else if (first.transitions.random()) {
      walk(rows, only, [](uint32_t, pp::Rng& rng) { return rng.random(); });
    } else if (first.random()) {
      walk(rows, only, [](uint32_t, pp::Rng& rng) { return rng.next_uint64(), 0.0; });
    } else {
      walk(rows, only, [](uint32_t, pp::Rng&) { return 0.0; });
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
  template <class Env, class Table, class Draw>
  void walk(const pp::Rows<Env>& rows, Table&& table, Draw&& draw) {
    const int32_t* action = rows.action();
    int64_t* obs = rows.obs();
    double* reward = rows.reward();
    double* probability = rows.template info<key::prob>();
    uint8_t* terminated = rows.terminated();
    int32_t* state = &state_[rows.first()];
    int8_t* last_action = &last_action_[rows.first()];
    pp::Rng* rng = &rows.rng(0);
    each_selected(rows, [=](uint32_t i) {
      const Arrival arrival = table(i).arrive(state[i], action[i], draw(i, rng[i]));
      state[i] = arrival.state;
      last_action[i] = static_cast<int8_t>(action[i]);
      obs[i] = arrival.state;
      reward[i] = arrival.reward;
      terminated[i] = arrival.terminated;
      probability[i] = arrival.probability;
    });
  }

  std::vector<const World*> world_;  // by lane
  std::vector<std::shared_ptr<const World>> owned_;
  bool same_ = true;
  std::vector<int32_t> state_;
  std::vector<int8_t> last_action_;  // -1 before the first; for pictures
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
