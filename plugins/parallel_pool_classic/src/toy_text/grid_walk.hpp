// The kernel of worlds in which a step is one lookup in a table of transitions.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "parallel_pool/env.hpp"
#include "selected.hpp"
#include "toy_text/arrivals.hpp"
#include "toy_text/transitions.hpp"

namespace classic {

namespace key {}

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
    draw_.push_back(0);
    found_.push_back(0);
    last_action_.push_back(-1);
  }

  template <class Env>
  void reset(const pp::Rows<Env>& rows) {
    int64_t* obs = rows.obs();
    double* probability = rows.template info<"prob">();
    uint8_t* terminated = rows.terminated();
    each_selected(rows, [=, this, &rows](uint32_t i) {
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
      terminated[i] = 0;  // belongs to an end that the step went beyond
    });
  }

  template <class Env>
  void step(const pp::Rows<Env>& rows) {
    std::memset(rows.truncated(), 0, rows.size());
    if (!same_) return walk_apart(rows);
    const World& world = *world_[0];
    const Lookup table = world.transitions.lookup();
    const uint32_t first = rows.first();
    uint64_t* draw = draw_.data();
    pp::Rng* rng = &rows.rng(0);
    // Rows that are not selected may walk too, but not draw.
    if (world.transitions.random()) {
      each_selected(rows, [=](uint32_t i) { draw[i] = draw_bits(rng[i]); });
    } else if (world.random()) {
      each_selected(rows, [=](uint32_t i) { rng[i].next_uint64(); });
    }
    arrive(rows.size(), table,
           {rows.action(), draw, found_.data(), &state_[first], &last_action_[first], rows.obs(),
            rows.reward(), rows.template info<"prob">(), rows.terminated()});
  }

  void save(uint32_t lane, pp::StateWriter& out) const { out(state_[lane], last_action_[lane]); }
  void load(uint32_t lane, pp::StateReader& in) {
    in.between(state_[lane], 0, world_[lane]->transitions.last(), "state");
    in.between(last_action_[lane], -1, 3, "last_action");
  }
  // Read-only: a state out of range would be out of the table.
  void arrays(uint32_t lane, pp::ArrayList& list) {
    list.value("state", std::as_const(state_[lane]));
    list.value("last_action", std::as_const(last_action_[lane]));
  }

 private:
  // Steps lanes that differ in their options.
  template <class Env>
  void walk_apart(const pp::Rows<Env>& rows) {
    const uint32_t first = rows.first();
    each_selected(rows, [=, this, &rows](uint32_t i) {
      const World& world = *world_[first + i];
      const int32_t action = rows.action()[i];
      const uint64_t draw = world.random() ? draw_bits(rows.rng(i)) : 0;
      const Arrival arrival = world.transitions.arrive(state_[first + i], action, draw);
      state_[first + i] = arrival.state;
      last_action_[first + i] = static_cast<int8_t>(action);
      rows.obs()[i] = arrival.state;
      rows.reward()[i] = arrival.reward;
      rows.terminated()[i] = arrival.terminated;
      rows.template info<"prob">()[i] = arrival.probability;
    });
  }

  std::vector<const World*> world_;  // by lane
  std::vector<std::shared_ptr<const World>> owned_;
  bool same_ = true;
  std::vector<int32_t> state_;
  std::vector<uint64_t> draw_;  // scratch of a step
  std::vector<uint32_t> found_;
  std::vector<int8_t> last_action_;  // -1 before the first; for pictures
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_GRID_WALK_HPP_
