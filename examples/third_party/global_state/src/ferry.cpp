// Ferry: the game of game.c, many times in one process. Each environment loads a copy of the game's
// library, so that each has global variables of its own, and the code is in memory once.
#include <dlfcn.h>

#include <parallel_pool/env.hpp>
#include <parallel_pool/sdk/library_copy.hpp>
#include <string>

namespace {

// The path of the game's library, beside this one.
std::string game_path() {
  Dl_info mine{};
  dladdr(reinterpret_cast<const void*>(&game_path), &mine);
  const std::string path = mine.dli_fname;
  return path.substr(0, path.rfind('/') + 1) + "libferry_game.so";
}

struct Cross {
  static constexpr const char* id = "ferry/Cross-v0";
  static constexpr const char* summary = "Cross a river whose current drifts";
  static constexpr bool resets_itself = true;
  using Obs = pp::Box<int32_t, 4>;  // fields across and from the middle, the current, steps
  using Action = pp::Discrete<3>;   // to the left, on, to the right

  static void describe(pp::Spec& spec) { spec.obs().bounds(-60, 60); }

  void seed(uint64_t seed) { engine_.symbol<void(uint64_t)>("game_seed")(seed); }
  void reset(pp::Rng&, Obs::Ref obs) {
    reset_();
    show_(obs.data());
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    int32_t over = 0;
    const double reward = step_(action - 1, &over);
    show_(obs.data());
    return {reward, over != 0};
  }
  void save(pp::StateWriter& out) const {
    uint64_t generator = 0;
    int32_t numbers[4] = {};
    exchange_(&generator, numbers, 0);
    out(generator, numbers);
  }
  void load(pp::StateReader& in) {
    uint64_t generator = 0;
    int32_t numbers[4] = {};
    in(generator, numbers);
    exchange_(&generator, numbers, 1);
  }

 private:
  pp::LibraryCopy engine_{game_path()};
  void (*reset_)() = engine_.symbol<void()>("game_reset");
  void (*show_)(int32_t*) = engine_.symbol<void(int32_t*)>("game_show");
  double (*step_)(int32_t, int32_t*) = engine_.symbol<double(int32_t, int32_t*)>("game_step");
  void (*exchange_)(uint64_t*, int32_t*,
                    int32_t) = engine_.symbol<void(uint64_t*, int32_t*, int32_t)>("game_exchange");
};

}  // namespace

PP_PLUGIN("ferry", pp::scalar<Cross>());
