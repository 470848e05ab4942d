// Mistakes of everyday: what was copied from elsewhere and not adapted, what another library did by
// itself, what was meant and mistyped.
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "walk.hpp"

namespace careless {

using walk::Faultless;
using walk::World;

struct CountsFromOne : Faultless {  // a discrete observation has the values 0 .. n - 1
  static constexpr int32_t first_wind = 2;
};
struct UpsideDown : Faultless {
  static void describe(pp::Spec& spec) { spec.obs("place").bounds(1, -1); }
};
struct NoSuchKey : Faultless {
  static void describe(pp::Spec& spec) { spec.obs("palce").bounds(-1, 1); }
};
struct ThrowsText : Faultless {  // which is no std::exception
  void step(World&) { throw "not today"; }
};
struct ThrowsNumber : Faultless {
  void step(World&) { throw 3; }
};
struct ThrowsNothing : Faultless {
  void step(World&) { throw std::runtime_error(""); }
};
struct Clock : Faultless {  // what moves between two steps is the time of day
  void step(World& world) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    world.position += 1e-12 * static_cast<double>(now.count());
  }
};
struct CRandom : Faultless {  // std::rand has one state for all environments
  void seed(uint64_t seed) { std::srand(static_cast<unsigned>(seed)); }
  void step(World& world) { world.position += 1e-9 * std::rand(); }
};
struct Unset : Faultless {  // a member that is never set
  Unset() {}
  void step(World& world) { world.position += friction > 0 ? 0.5 : 0.25; }
  double friction;
};
struct KeepsThreads : Faultless {
  void build(const walk::Options&) {
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  }
};

struct ResetsAll;  // also lanes that are not selected
struct ByRow;      // finds state by the row of the call, not by the lane
struct NeverCuts;  // and leaves truncated as it was
struct SkipsLast;
struct Undrawn;  // the list says that it has pictures

PP_PLUGIN("careless", WALK(CountsFromOne), WALK(UpsideDown), WALK(NoSuchKey), WALK(ThrowsText),
          WALK(ThrowsNumber), WALK(ThrowsNothing), WALK(Clock), WALK(CRandom), WALK(Unset),
          WALK(KeepsThreads), KERNEL(ResetsAll), KERNEL(ByRow), KERNEL(NeverCuts),
          KERNEL(SkipsLast), KERNEL(Undrawn));

}  // namespace careless
