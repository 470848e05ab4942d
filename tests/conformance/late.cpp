// Mistakes that an environment makes late: after a hundred steps or more of an episode, which most
// trajectories do not have.
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <vector>

#include "parallel_pool/env.hpp"

namespace late {

PP_KEY(fuel);

struct World {
  double position = 0;
  double wind = 0;
  double drag = 0;
  int64_t steps = 0;
};

// A walk whose faults override moments of it. Sound is faultless.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of four hundred steps";
  static constexpr int64_t max_episode_steps = 1000;
  using Obs = pp::Box<double, 4>;
  using Action = pp::Discrete<3>;
  using Info = pp::Dict<pp::At<fuel, pp::Scalar<double>>>;

  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    world_ = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), 0};
    fault_.reset(world_);
    observe(obs, info);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    ++world_.steps;
    world_.position += 0.1 * (action - 1) + 0.01 * rng.random();
    world_.position += fault_.step(world_);
    observe(obs, info);
    const char* error = fault_.error(world_);
    return {world_.position, world_.steps >= 400, error != nullptr, 1, error};
  }
  void save(pp::StateWriter& out) const {
    out(world_.position, world_.steps);
    fault_.save(out, world_);
  }
  void load(pp::StateReader& in) {
    in(world_.position);
    in.between(world_.steps, 0, 1000, "steps");
    fault_.load(in, world_);
  }
  pp::FrameSize frame_size() const { return {2, 2}; }
  void draw(uint8_t* rgb) const {
    for (int i = 0; i < 12; ++i) rgb[i] = static_cast<uint8_t>(world_.steps + i);
    fault_.draw(world_, rgb);
  }

 private:
  void observe(Obs::Ref obs, Info::Ref info) {
    const double all[] = {world_.position, static_cast<double>(world_.steps), 0.5, 0.25};
    for (size_t i = 0; i < 4; ++i) {
      if (fault_.writes(world_, i)) obs[i] = all[i];
    }
    if (fault_.writes(world_, 4)) info.template get<fuel>() = fault_.fuel(world_);
    fault_.observe(world_, &obs[0]);
  }
  Fault fault_;
  mutable World world_;
};

struct None {
  void reset(World&) {}
  double step(World&) { return 0; }
  const char* error(const World&) { return nullptr; }
  bool writes(const World&, size_t) { return true; }
  double fuel(const World& world) { return 1.0 / static_cast<double>(1 + world.steps); }
  void observe(const World&, double*) {}
  void save(pp::StateWriter& out, const World& world) const { out(world.wind, world.drag); }
  void load(pp::StateReader& in, World& world) { in(world.wind, world.drag); }
  void draw(World&, uint8_t*) const {}
};
#define FAULT(name)                                        \
  struct name : None {                                     \
    static constexpr const char* id = "late/" #name "-v0"; \
    name() {}

FAULT(Sound)
};
FAULT(StaysTired)  // a flag that reset leaves as it is
double step(World& world) {
  if (world.steps == 150) tired = true;
  return tired ? -0.05 : 0;
}
bool tired = false;
}
;
FAULT(CountsOn)  // a counter of one episode that goes on in the next, where it says something
double step(World&) {
  return ++counted > 650 ? 0.01 : 0;
}
int64_t counted = 0;
}
;
FAULT(SavesGap)  // what is set at step 160 is not saved
void reset(World&) {
  gift = 0;
}
double step(World& world) {
  if (world.steps == 160) gift = world.wind;
  return gift;
}
double gift = 0;
}
;
FAULT(SkipsOnLoad)  // a member that only late steps use
double step(World& world) {
  return world.steps > 200 ? 0.01 * world.drag : 0;
}
void load(pp::StateReader& in, World& world) {
  double unused = 0;
  in(world.wind, unused);
}
}
;
FAULT(LoadsInAnotherOrder)
double step(World& world) {
  return world.steps > 120 ? world.wind - 0.5 * world.drag : 0;
}
void load(pp::StateReader& in, World& world) {
  in(world.drag, world.wind);
}
}
;
FAULT(SavesLate)  // the state of an episode's second half has another meaning
double step(World& world) {
  return world.steps > 120 ? 0.01 * world.wind : 0;
}
void save(pp::StateWriter& out, const World& world) const {
  out(world.steps > 200 ? 0.0 : world.wind, world.drag);
}
}
;
FAULT(ClockLate)
double step(World& world) {
  if (world.steps != 100) return 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return 1e-12 * static_cast<double>(now.count());
}
}
;
FAULT(ClockOfSeconds)
double step(World&) {
  return 1e-3 * static_cast<double>(std::time(nullptr) % 3600);
}
}
;
FAULT(WritesBefore)  // of its row
void observe(const World& world, double* obs) {
  volatile double* row = obs;
  if (world.steps == 230) row[-1] = 7;
}
}
;
FAULT(WritesBehind)
void observe(const World& world, double* obs) {
  volatile double* row = obs;
  if (world.steps == 190) row[4] = 7;
}
}
;
FAULT(StopsWriting)  // an element of the observation
bool writes(const World& world, size_t i) {
  return i != 2 || world.steps < 120;
}
}
;
FAULT(ReadsBack)
void observe(const World& world, double* obs) {
  if (world.steps > 120) obs[3] = last_value == nullptr ? 0 : *last_value;
  last_value = obs + 3;
}
void reset(World&) {
  last_value = nullptr;
}
const double* last_value = nullptr;  // the row of an earlier call
}
;
FAULT(StopsInforming)
bool writes(const World& world, size_t i) {
  return i != 4 || world.steps < 180;
}
}
;
FAULT(NanInfo)
double fuel(const World& world) {
  return std::sqrt(static_cast<double>(220 - world.steps));
}
}
;
FAULT(Throws)
double step(World& world) {
  return world.steps == 170 ? throw std::runtime_error("out of cheese") : 0.0;
}
}
;
FAULT(GivesUp)
const char* error(const World& world) {
  return world.steps == 350 ? "the simulator is tired" : nullptr;
}
}
;
FAULT(Infinite)  // as a reward
double step(World& world) {
  return world.steps == 260 ? std::numeric_limits<double>::infinity() : 0.0;
}
}
;
FAULT(Leaks)
double step(World& world) {
  if (world.steps > 100) static_cast<void>(*new volatile double[4]());
  return 0;
}
}
;
FAULT(MovesWhenDrawn)
void draw(World& world, uint8_t*) const {
  if (world.steps > 120) world.position += 1;
}
}
;
FAULT(FlickersLate)
void draw(World& world, uint8_t* rgb) const {
  if (world.steps > 120) rgb[3] = static_cast<uint8_t>(++drawn);
}
mutable int drawn = 0;
}
;
FAULT(LoopsLate)
double step(World& world) {
  for (volatile bool for_ever = world.steps == 250; for_ever;) {
  }
  return 0;
}
}
;
FAULT(LoopsInReset)  // of the third episode
void reset(World&) {
  for (volatile bool for_ever = ++resets == 3; for_ever;) {
  }
}
int resets = 0;
}
;
FAULT(LoopsInLoad)
void load(pp::StateReader& in, World& world) {
  in(world.wind, world.drag);
  for (volatile bool for_ever = true; for_ever;) {
  }
}
}
;
FAULT(LoopsInDraw)
void draw(World&, uint8_t*) const {
  for (volatile bool for_ever = true; for_ever;) {
  }
}
}
;
FAULT(LoopsAtTheEnd)  // in its destructor
~LoopsAtTheEnd() {
  for (volatile bool for_ever = true; for_ever;) {
  }
}
}
;
FAULT(ThrowsAtTheEnd)
~ThrowsAtTheEnd() noexcept(false) {
  throw std::runtime_error("not closed");
}
}
;
#undef FAULT

}  // namespace late

#define WALK(fault) pp::scalar<late::Walk<late::fault>>()
PP_PLUGIN("late", WALK(Sound), WALK(StaysTired), WALK(CountsOn), WALK(SavesGap), WALK(SkipsOnLoad),
          WALK(LoadsInAnotherOrder), WALK(SavesLate), WALK(ClockLate), WALK(ClockOfSeconds),
          WALK(WritesBefore), WALK(WritesBehind), WALK(StopsWriting), WALK(ReadsBack),
          WALK(StopsInforming), WALK(NanInfo), WALK(Throws), WALK(GivesUp), WALK(Infinite),
          WALK(Leaks), WALK(MovesWhenDrawn), WALK(FlickersLate), WALK(LoopsLate),
          WALK(LoopsInReset), WALK(LoopsInLoad), WALK(LoopsInDraw), WALK(LoopsAtTheEnd),
          WALK(ThrowsAtTheEnd));
