// Mistakes that an environment makes late: after a hundred steps or more of an episode, which most
// trajectories do not have.
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <stdexcept>

#include "walk.hpp"

namespace late {

using walk::Long;
using walk::World;

void loop_for_ever() {
  for (volatile bool for_ever = true; for_ever;) {
  }
}

struct Sound : Long {};
struct StaysTired : Long {  // a flag that reset leaves as it is
  void step(World& world) {
    if (world.steps == 150) tired = true;
    if (tired) world.position -= 0.05;
  }
  bool tired = false;
};
struct CountsOn : Long {  // in the next episode, where the number says something
  void step(World& world) {
    if (++counted > 650) world.position += 0.01;
  }
  int counted = 0;
};
struct SavesGap : Long {  // what is set at step 160 is not saved
  void reset(World&, pp::Rng&) { gift = 0; }
  void step(World& world) {
    if (world.steps == 160) gift = world.force;
    world.position += gift;
  }
  double gift = 0;
};
struct SkipsOnLoad : Long {  // a member that only late steps use
  void step(World& world) {
    if (world.steps > 200) world.position += 0.01 * world.drag;
  }
  void load(pp::StateReader& in, World& world) {
    double unused = 0;
    in(world.force, unused);
  }
};
struct LoadsInAnotherOrder : Long {
  void step(World& world) {
    if (world.steps > 120) world.position += world.force - 0.5 * world.drag;
  }
  void load(pp::StateReader& in, World& world) { in(world.drag, world.force); }
};
struct SavesLate : Long {  // the state of an episode's second half has another meaning
  void step(World& world) {
    if (world.steps > 120) world.position += 0.01 * world.force;
  }
  void save(pp::StateWriter& out, const World& world) const {
    out(world.steps > 200 ? 0.0 : world.force, world.drag);
  }
};
struct ClockLate : Long {
  void step(World& world) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    if (world.steps == 100) world.position += 1e-12 * static_cast<double>(now.count());
  }
};
struct ClockOfSeconds : Long {
  void step(World& world) {
    world.position += 1e-3 * static_cast<double>(std::time(nullptr) % 3600);
  }
};
struct WritesBefore : Long {  // of its row
  void observe(const World& world, double* place) {
    volatile double* row = place;
    if (world.steps == 230) row[-1] = 7;
  }
};
struct WritesBehind : Long {
  void observe(const World& world, double* place) {
    volatile double* row = place;
    if (world.steps == 190) row[4] = 7;
  }
};
struct StopsWriting : Long {  // an element of the observation
  bool writes(const World& world, size_t i) { return i != 2 || world.steps < 120; }
};
struct ReadsBack : Long {
  void reset(World&, pp::Rng&) { last_value = nullptr; }
  void observe(const World& world, double* place) {
    if (world.steps > 120) place[3] = last_value == nullptr ? 0 : *last_value;
    last_value = place + 3;
  }
  const double* last_value = nullptr;  // in the row of an earlier call
};
struct StopsInforming : Long {
  bool writes(const World& world, size_t i) { return i != info || world.steps < 180; }
};
struct NanInfo : Long {
  double fuel(const World& world) { return std::sqrt(static_cast<double>(220 - world.steps)); }
};
struct Throws : Long {
  void step(World& world) {
    if (world.steps == 170) throw std::runtime_error("out of cheese");
  }
};
struct GivesUp : Long {
  const char* error(const World& world) {
    return world.steps == 350 ? "the simulator is tired" : nullptr;
  }
};
struct Infinite : Long {
  double reward(const World& world) {
    return world.steps == 260 ? std::numeric_limits<double>::infinity() : 0;
  }
};
struct Leaks : Long {
  void step(World& world) {
    if (world.steps > 100) static_cast<void>(*new volatile double[4]());
  }
};
struct MovesWhenDrawn : Long {
  void draw(World& world, uint8_t*) const {
    if (world.steps > 120) world.position += 1;
  }
};
struct FlickersLate : Long {
  void draw(World& world, uint8_t* rgb) const {
    if (world.steps > 120) rgb[3] = static_cast<uint8_t>(++drawn);
  }
  mutable int drawn = 0;
};
struct LoopsLate : Long {
  void step(World& world) {
    if (world.steps == 250) loop_for_ever();
  }
};
struct LoopsInReset : Long {  // of the third episode
  void reset(World&, pp::Rng&) {
    if (++resets == 3) loop_for_ever();
  }
  int resets = 0;
};
struct LoopsInLoad : Long {
  void load(pp::StateReader& in, World& world) {
    in(world.force, world.drag);
    loop_for_ever();
  }
};
struct LoopsInDraw : Long {
  void draw(World&, uint8_t*) const { loop_for_ever(); }
};
struct LoopsAtTheEnd : Long {  // in its destructor
  ~LoopsAtTheEnd() { loop_for_ever(); }
};
struct ThrowsAtTheEnd : Long {
  ~ThrowsAtTheEnd() noexcept(false) { throw std::runtime_error("not closed"); }
};

PP_PLUGIN("late", WALK(Sound), WALK(StaysTired), WALK(CountsOn), WALK(SavesGap), WALK(SkipsOnLoad),
          WALK(LoadsInAnotherOrder), WALK(SavesLate), WALK(ClockLate), WALK(ClockOfSeconds),
          WALK(WritesBefore), WALK(WritesBehind), WALK(StopsWriting), WALK(ReadsBack),
          WALK(StopsInforming), WALK(NanInfo), WALK(Throws), WALK(GivesUp), WALK(Infinite),
          WALK(Leaks), WALK(MovesWhenDrawn), WALK(FlickersLate), WALK(LoopsLate),
          WALK(LoopsInReset), WALK(LoopsInLoad), WALK(LoopsInDraw), WALK(LoopsAtTheEnd),
          WALK(ThrowsAtTheEnd));

}  // namespace late
