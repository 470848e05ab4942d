// Environments whose mistakes show only where one looks closely: in one lane of many, in some sizes
// of a shard, after hundreds of steps, in what an earlier batch left behind.
#include <fcntl.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "walk.hpp"

namespace subtle {

using walk::Faultless;
using walk::Long;
using walk::World;

struct Sound : Long {  // whose actions are continuous
  using Action = pp::Box<double>;
  static void describe(pp::Spec& spec) { spec.action().bounds(0, 2); }
};
struct Diverges : Faultless {
  static constexpr int64_t length = 1000;
  static constexpr double luck = 0;
  void step(World& world) {
    if (world.steps > 500) world.position = std::numeric_limits<double>::quiet_NaN();
  }
};
struct FullThrottle
    : Sound {  // random actions stay within the bounds, the same one for long does not
  static void describe(pp::Spec& spec) {
    Sound::describe(spec);
    spec.obs("place").bounds(-60, 400);
  }
};
struct CountsEpisodes : Faultless {  // and does not save the number
  void seed(uint64_t) { episodes = 0; }
  void reset(World&, pp::Rng&) { ++episodes; }
  double reward(const World&) { return episodes; }
  int episodes = 0;
};
struct Flickers : Faultless {
  void draw(World&, uint8_t* rgb) const { rgb[3] = static_cast<uint8_t>(++drawn); }
  mutable int drawn = 0;
};
struct DrawsTooMuch : Faultless {  // a row of pixels more than the frame has
  void draw(World&, uint8_t* rgb) const { std::memset(rgb, 7, 3 * 5 * 4); }
};
struct SavesTooMuch : Faultless {};
struct ReadsBack : Faultless {  // takes its observation for a member
  bool writes(const World& world, size_t i) { return i != 0 || world.steps == 0; }
  void observe(const World& world, double* place) {
    if (world.steps > 0) place[0] += 0.01;
  }
};
struct LeavesAnElement : Faultless {
  bool writes(const World& world, size_t i) { return i != 1 || world.steps == 0; }
};
struct DrawsWhatChanged : Faultless {
  bool writes(const World& world, size_t i) {
    return i < picture || i >= info || world.steps == 0 || (i - picture) % 4 == changed(world);
  }
  static size_t changed(const World& world) { return static_cast<size_t>(world.steps % 4); }
};
struct HidesTheEnd : Faultless {  // which is seen in any step
  void unseen(bool unseen) { hidden = unseen; }
  bool writes(const World&, size_t i) { return !hidden || i >= info; }
  bool hidden = false;
};
struct KeepsWorlds : Faultless {  // of all episodes but the last
  KeepsWorlds() = default;
  KeepsWorlds(const KeepsWorlds&) = delete;
  KeepsWorlds& operator=(const KeepsWorlds&) = delete;
  ~KeepsWorlds() { delete[] world; }
  void reset(World&, pp::Rng&) { world = new double[16](); }
  double* world = nullptr;
};
struct KeepsFiles : Faultless {
  void build(const walk::Options&) { static_cast<void>(open("/dev/null", O_RDONLY)); }
};
struct Shares : Faultless {  // one place to calculate in, for all threads
  void step(World& world) {
    static volatile double place;
    place = world.position;
    // Long enough for another thread to come in, on a busy machine too.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    world.position = place;
  }
};

struct OneNoise;  // the second option is the whole shard's
struct OneStart;  // one lane of many ignores its seed
struct WrongRest;
struct WrongWhenFull;
struct DrawsForAllTogether;  // and all of its episodes end together
struct SaysTwo;              // to end an episode

// What only an environment with a table of its own can do: the SDK's writers keep to their room.
const void* extension_of_saves_too_much(const char* id) {
  static const auto* const whole = WALK(SavesTooMuch);
  const void* offered = whole->get_extension(id);
  if (std::strcmp(id, PP_EXT_STATE) != 0) return offered;
  static const pp_state greedy = [](pp_state state) {
    state.save = [](void* self, uint32_t lane, void* bytes, uint64_t capacity) {
      static_cast<char*>(bytes)[capacity] = 1;
      const auto* sound = static_cast<const pp_state*>(whole->get_extension(PP_EXT_STATE));
      return sound->save(self, lane, bytes, capacity);
    };
    return state;
  }(*static_cast<const pp_state*>(offered));
  return &greedy;
}
constexpr pp_env saves_too_much = [] {
  pp_env env = *WALK(SavesTooMuch);
  env.get_extension = &extension_of_saves_too_much;
  return env;
}();

PP_PLUGIN("subtle", WALK(Sound), WALK(Diverges), WALK(FullThrottle), WALK(CountsEpisodes),
          WALK(Flickers), WALK(DrawsTooMuch), &saves_too_much, WALK(ReadsBack),
          WALK(LeavesAnElement), WALK(HidesTheEnd), WALK(DrawsWhatChanged), WALK(KeepsWorlds),
          WALK(KeepsFiles), WALK(Shares), KERNEL(OneNoise), KERNEL(OneStart), KERNEL(WrongRest),
          KERNEL(WrongWhenFull), LONG_KERNEL(DrawsForAllTogether), KERNEL(SaysTwo));

}  // namespace subtle
