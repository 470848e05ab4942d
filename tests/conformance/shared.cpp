// Mistakes with what environments share, keep or think they own: static memory, generators,
// references, lanes.
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "walk.hpp"

namespace shared {

using walk::Long;
using walk::World;

struct HeapScratch : Long {  // in a static container, whose elements lie on the heap
  void step(World& world) {
    static std::vector<double> scratch(64);
    volatile double* place = scratch.data();
    for (int i = 0; i < 64; ++i) place[i] = world.position + i;
    for (int i = 63; i > 0; --i) world.position = place[i] - i;
  }
};
struct OneWorld : Long {  // for all, behind a pointer
  void step(World& world) {
    static const auto shared = std::make_unique<double[]>(4);
    volatile double* place = shared.get();
    place[2] = world.position;
    world.position = place[2];
  }
};
struct ScratchLate : Long {
  void step(World& world) {
    static volatile double scratch;
    if (world.steps < 70) return;
    scratch = world.position;
    world.position = scratch;
  }
};
struct ScratchOfActions : Long {  // the same bytes as long as the last one holds its action
  void step(World& world) {
    static volatile double push[3];
    for (int i = 0; i < 3; ++i) push[i] = i == world.action ? 0.125 : 0;
    world.position += push[world.action];
  }
};
struct ScratchOfResets : Long {
  void reset(World& world, pp::Rng&) {
    static volatile double scratch;
    scratch = ++resets;
    world.position += 0 * scratch;
  }
  double resets = 0;
};
struct ScratchOfSaving : Long {
  void save(pp::StateWriter& out, const World& world) const {
    static volatile double scratch;
    scratch = world.force;
    out(scratch + 0, world.drag);
  }
};
struct ScratchOfDrawing : Long {
  void draw(World& world, uint8_t* rgb) const {
    static volatile int64_t scratch;
    scratch = world.steps;
    rgb[0] = static_cast<uint8_t>(scratch);
  }
};
struct CacheByAddress : Long {  // of environments that no longer exist, too
  void reset(World& world, pp::Rng&) {
    static std::map<const void*, double> starts;
    world.position +=
        starts.emplace(this, 0.001 * static_cast<double>(starts.size())).first->second;
  }
};
struct NumbersItself : Long {  // by a static counter
  static int next() {
    static int last = 0;
    return ++last;
  }
  void reset(World& world, pp::Rng&) { world.position += 1e-6 * number; }
  int number = next();
};
struct FirstIsSpecial : Long {  // the first environment of a process
  void reset(World& world, pp::Rng&) {
    static bool first = true;
    if (first) world.position += 0.5;
    first = false;
  }
};
struct Achieved : Long {  // by one environment, and from then on for all
  void step(World& world) {
    static bool achieved = false;
    if (world.steps == 290) achieved = true;
    if (achieved) world.position += 0.01;
  }
};
struct ThreadLocal : Long {  // for a member
  void step(World& world) {
    static thread_local double speed = 0;
    speed = 0.9 * speed + 0.01 * world.action;
    world.position += speed;
  }
};
struct ThreadLocalLate : Long {
  void step(World& world) {
    static thread_local double speed = 0;
    if (world.steps < 130) return;
    speed = world.steps == 130 ? 0 : 0.9 * speed + 0.01 * world.action;
    world.position += speed;
  }
};
struct OwnGenerator : Long {  // with a fixed seed, beside ours
  void reset(World& world, pp::Rng&) {
    world.position += 1e-9 * static_cast<double>(engine() % 1000);
  }
  std::mt19937 engine{42};
};
struct OnlyOwnGenerator : Long {
  static constexpr bool uses_rng = false;
  void step(World& world) { world.position += 1e-9 * static_cast<double>(engine() % 1000); }
  std::mt19937 engine{42};
};
struct SeedsItself : Long {  // anew in each episode
  void reset(World& world, pp::Rng& rng) {
    rng = pp::Rng(0);
    world.position = rng.uniform(-1, 1);
    world.force = world.drag = 0;
  }
};
struct KeepsOptions : Long {  // by reference: they are gone when the constructor has returned
  void build(const walk::Options& options) { kept = &options.drift; }
  double drift(const World&) { return *kept; }
  const volatile double* kept;
};
struct UnsetLocal : Long {
  void step(World& world) {
    double push[64];  // whose first elements no earlier call of this step has reached
    find_push(push, 0);
    if (push[3] > 1e-5) world.position += 0.25;
  }
  [[gnu::noinline]] static void find_push(volatile double* push, int level) {
    if (level > 0) push[3] = 0.25;
  }
};
struct OptionsOfAll : Long {  // the last environment's are those of all
  void build(const walk::Options& options) { ours = options.drift; }
  double drift(const World&) { return ours; }
  inline static double ours;
};
struct IgnoresResetOptions : Long {
  void begin(double, double&) {}
};
struct KeepsResetOptions : Long {  // for the resets that have none
  void begin(double given, double& start) {
    if (given > -9) start = given;
  }
};

struct SoundKernel;
struct LaneAsSeed;
struct Neighbours;   // late, and of lane - 1
struct CountsCalls;  // of the shard, for steps of an episode

// What is sound, and looks like a mistake: a reset throws the dice as a step does.
struct Dice {
  static constexpr const char* id = "shared/Dice-v0";
  static constexpr const char* summary = "throws two dice until they are equal";
  using Obs = pp::Box<int32_t, 2>;
  using Action = pp::Discrete<2>;
  void reset(pp::Rng& rng, Obs::Ref obs) {
    for (size_t i = 0; i < 2; ++i) obs[i] = static_cast<int32_t>(rng.integers(1, 7));
  }
  pp::Outcome step(int32_t, pp::Rng& rng, Obs::Ref obs) {
    reset(rng, obs);
    return {1, obs[0] == obs[1]};
  }
};

// Leaves its bounds after two hundred steps, as its original does.
template <bool InFloat>
struct Leaves {
  static constexpr const char* id = InFloat ? "shared/FloatReward-v0" : "shared/Leaves-v0";
  static constexpr const char* summary = "a counter";
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().bounds(-200, 200); }
  void reset(pp::Rng& rng, Obs::Ref obs) { obs = total_ = rng.uniform(-1, 1); }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs = total_ += 1.0;
    if (InFloat) return {static_cast<float>(total_) * 0.1F, total_ > 300};
    return {total_ * 0.1, total_ > 300};
  }

 private:
  double total_ = 0;
};

PP_PLUGIN("shared", WALK(HeapScratch), WALK(OneWorld), WALK(ScratchLate), WALK(ScratchOfActions),
          WALK(ScratchOfResets), WALK(ScratchOfSaving), WALK(ScratchOfDrawing),
          WALK(CacheByAddress), WALK(NumbersItself), WALK(FirstIsSpecial), WALK(Achieved),
          WALK(ThreadLocal), WALK(ThreadLocalLate), WALK(OwnGenerator), WALK(OnlyOwnGenerator),
          WALK(SeedsItself), WALK(KeepsOptions), WALK(UnsetLocal), WALK(OptionsOfAll),
          WALK(IgnoresResetOptions), WALK(KeepsResetOptions), LONG_KERNEL(SoundKernel),
          LONG_KERNEL(LaneAsSeed), LONG_KERNEL(Neighbours), LONG_KERNEL(CountsCalls),
          pp::scalar<Dice>(), pp::scalar<Leaves<false>>(), pp::scalar<Leaves<true>>());

}  // namespace shared
