// Environments that end the process or never come back, that write far away or late, that share
// static memory, and those whose mistakes lie in what they say of themselves.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "walk.hpp"

namespace deadly {

using walk::World;

struct Forty : walk::Faultless {  // steps, and always as many
  static constexpr int64_t length = 40;
  static constexpr double luck = 0;
  static constexpr bool steps_draw = false;
};
struct Endless : Forty {
  static constexpr int64_t length = 1'000'000;
};

struct Sound : Forty {};
struct Crashes : Forty {
  void step(World& world) {
    if (world.steps == 30) *static_cast<volatile int*>(nullptr) = 1;
  }
};
struct Hangs : Forty {
  void step(World& world) {
    for (volatile bool for_ever = world.steps == 30; for_ever;) {
    }
  }
};
struct Exits : Forty {
  void step(World& world) {
    if (world.steps == 30) std::_Exit(3);
  }
};
struct Aborts : Forty {
  void step(World& world) {
    if (world.steps != 30) return;
    std::fputs("the world is not enough\n", stderr);
    std::abort();
  }
};
struct WritesFar : Forty {
  void observe(const World& world, double* place) {
    volatile double* far = place;
    if (world.steps == 20) far[4096] = 1;
  }
};
struct WritesLate : Endless {  // random play is cut short every 16 steps in some lanes
  void observe(const World& world, double* place) {
    volatile double* late = place;
    if (world.steps == 400) late[64] = 1;
  }
};
struct WritesWhenHeld : Endless {  // where random play does not come to
  void observe(const World& world, double* place) {
    volatile double* held = place;
    if (world.position > 50) held[64] = 1;
  }
};
struct Scratch : Forty {  // threads that come in between are rare
  void step(World& world) {
    static double scratch[4];
    const auto steps = static_cast<double>(world.steps);
    for (int i = 0; i < 4; ++i) scratch[i] = world.position * steps;
    world.position = scratch[3] / steps;
  }
};
struct Counts : Forty {
  void step(World& world) {
    static int steps_of_all = 0;
    world.position += 1e-6 * ++steps_of_all;
  }
};
struct FillsOnce : Forty {  // which is sound: a table that is computed when it is first needed
  void step(World& world) {
    static const struct Table {
      double each[8];
      Table() : each{} { each[3] = 0.25; }
    } table;
    world.position += 0 * table.each[world.steps % 8];
  }
};
struct ResetsItself : Forty {
  static constexpr bool resets_itself = true;
};
struct CutsItself : Forty {  // which is sound: the limit is the environment's own
  static constexpr bool cuts = true;
  static void describe(pp::Spec& spec) { spec.max_episode_steps = 0; }
};
struct ResetsWhenCut : CutsItself {
  static constexpr bool resets_itself = true;
};
struct NeverEnds : Endless {
  static void describe(pp::Spec& spec) { spec.max_episode_steps = 0; }
};
struct Resized : Forty {
  void build(const walk::Options& options) {
    if (options.size > 60) throw std::runtime_error("the world cannot be resized");
  }
};
struct Trusts : Forty {  // what it loads
  void reset(World&, pp::Rng& rng) {
    for (int32_t& count : visits) count = 0;
    cell = static_cast<int32_t>(rng.integers(0, 64));
  }
  void step(World& world) {
    ++visits[cell];
    cell = (cell + world.action) % 64;
    world.position += visits[cell];
  }
  void save(pp::StateWriter& out, const World&) const { out(cell, visits); }
  void load(pp::StateReader& in, World&) { in(cell, visits); }
  int32_t cell = 0;
  int32_t visits[64] = {};
};
struct NoByte : Forty {
  static void describe(pp::Spec& spec) { spec.obs("picture").bounds(0, 300); }
};
struct NoInteger : Forty {
  static void describe(pp::Spec& spec) { spec.obs("picture").bounds(0.5, 3); }
};
struct TwoBounds : Forty {
  static void describe(pp::Spec& spec) { spec.obs("place").bounds({0, 0}, {1, 1}); }
};

// Never reads the option "drift", as only an environment with a table of its own can: the SDK reads
// all options.
struct Unread;
std::vector<pp_value> without_drift(const pp_value* given) {
  const pp_env& whole = *KERNEL(Unread);
  std::vector<pp_value> values(given, given + whole.n_option);
  values[0] = whole.option[0]->value;
  return values;
}
constexpr pp_env unread = [] {
  pp_env env = *KERNEL(Unread);
  env.describe = [](const pp_host* host, const pp_value* given) {
    return KERNEL(Unread)->describe(host, without_drift(given).data());
  };
  env.create = [](const pp_host* host, const pp_shard* given) {
    std::vector<std::vector<pp_value>> values;
    std::vector<const pp_value*> lanes;
    for (uint32_t i = 0; i < given->count; ++i) values.push_back(without_drift(given->option[i]));
    for (const auto& each : values) lanes.push_back(each.data());
    const pp_shard shard{sizeof shard, given->count, lanes.data()};
    return KERNEL(Unread)->create(host, &shard);
  };
  return env;
}();

// Bounds or a shape that its observation cannot have.
template <class Fault>
struct Said : walk::Named<Fault> {
  static constexpr const char* summary = "says what cannot be";
  using Obs = typename Fault::Obs;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { Fault::describe(spec.obs()); }
  void reset(pp::Rng&, typename Obs::Ref) {}
  pp::Outcome step(int32_t, typename Obs::Ref) { return {0, true}; }
};
struct BeyondInt {
  using Obs = pp::Box<int32_t, 3>;
  static void describe(pp::Field& obs) { obs.bounds(0, 3e9); }
};
struct Unshaped {
  using Obs = pp::Box<float, pp::dynamic>;
  static void describe(pp::Field&) {}
};

PP_PLUGIN("deadly", WALK(Sound), WALK(Crashes), WALK(Hangs), WALK(Exits), WALK(Aborts),
          WALK(WritesFar), WALK(WritesLate), WALK(WritesWhenHeld), WALK(Scratch), WALK(Counts),
          WALK(FillsOnce), WALK(ResetsItself), WALK(CutsItself), WALK(ResetsWhenCut),
          WALK(NeverEnds), &unread, WALK(Resized), WALK(Trusts), WALK(NoByte), WALK(NoInteger),
          WALK(TwoBounds), pp::scalar<Said<BeyondInt>>(), pp::scalar<Said<Unshaped>>());

}  // namespace deadly
