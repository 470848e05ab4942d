// Environments that each break one promise, for the tests of the conformance kit. Sound is their
// common, faultless base.
#include <limits>
#include <random>
#include <stdexcept>

#include "walk.hpp"

namespace broken {

using walk::Faultless;
using walk::World;

struct Sound : Faultless {};
struct Unwritten : Faultless {  // the info of a step
  bool writes(const World& world, size_t i) { return i != info || world.steps == 0; }
};
struct NanBound : Faultless {
  static void describe(pp::Spec& spec) {
    spec.obs("place").bounds(std::numeric_limits<double>::quiet_NaN(), 1);
  }
};
struct OutOfBounds : Faultless {
  static void describe(pp::Spec& spec) { spec.obs("place").bounds(-0.5, 0.5); }
};
struct InfiniteReward : Faultless {
  double reward(const World& world) {
    return world.position > 1 ? std::numeric_limits<double>::infinity() : 0;
  }
};
struct GivesUp : Faultless {  // in place of an end
  const char* error(const World& world) { return world.position > 2 ? "it went too far" : nullptr; }
};
struct Entropy : Faultless {  // random numbers of its own
  void step(World& world) { world.position += std::random_device{}() * 1e-10; }
};
struct Seedless : Faultless {
  static constexpr bool uses_rng = false;
};
struct Forgets : Faultless {  // reset leaves the steps of the episode before
  void step(World& world) { world.position += 0.01 * ++steps; }
  int steps = 0;
};
struct TooLarge : Faultless {
  void step(World& world) {
    if (world.options.size > 63) throw std::runtime_error("too large after all");
  }
};
struct Leaks : Faultless {
  void build(const walk::Options&) { static_cast<void>(*new volatile double[4]()); }
};
struct ForgetsToSave : Forgets {
  void reset(World&, pp::Rng&) { steps = 0; }
};
struct MovesWhenDrawn : Faultless {
  void draw(World& world, uint8_t*) const { world.position += 1; }
};
struct Throws : Faultless {
  void step(World&) { throw std::runtime_error("not today"); }
};

struct SoundKernel;
struct OneOptions;     // the first lane's are those of all
struct PastReset;      // writes a row too many
struct PastStep;       // writes a row too many
struct DrawsForAll;    // random numbers, for lanes that are not selected too
struct CountsLanes;    // and moves by their number
struct WritesActions;  // which are the caller's

PP_PLUGIN("broken", WALK(Sound), WALK(Unwritten), WALK(NanBound), WALK(OutOfBounds),
          WALK(InfiniteReward), WALK(GivesUp), WALK(Entropy), WALK(Seedless), WALK(Forgets),
          WALK(TooLarge), WALK(Leaks), WALK(ForgetsToSave), WALK(MovesWhenDrawn), WALK(Throws),
          KERNEL(SoundKernel), KERNEL(OneOptions), KERNEL(PastReset), KERNEL(PastStep),
          KERNEL(DrawsForAll), KERNEL(CountsLanes), KERNEL(WritesActions));

}  // namespace broken
