// A game of PufferLib 3.0 as a batch kernel. cheap_steps.py compiles it for each game, with the
// macros OCEAN_..., and links what env_binding.h makes of the game.
//
// The games' structs stand one behind the other, and so do the arrays that they point to, as in
// PufferLib. A block of lanes is stepped, then copied to the pool's rows: what was copied at once
// would wait for the bytes that the game just wrote.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <parallel_pool/env.hpp>
#include <vector>

extern "C" {
extern const size_t ocean_env_bytes, ocean_observations;
void ocean_init(void* env, void* observations, void* actions, float* rewards, uint8_t* terminals);
void ocean_reset(void* env);
void ocean_step(void* env);
// Not 0: games draw from the rand() of the process, as PufferLib's do.
PP_EXPORT int ocean_of_process = 0;
}

namespace {

thread_local pp::Rng* generator __attribute__((tls_model("initial-exec")));

struct Game {
  static constexpr const char* id = OCEAN_ID;
  static constexpr bool resets_itself = true;
  using Element = OCEAN_ELEMENT;
  using Obs = pp::Box<Element, OCEAN_ELEMENTS>;
  using Action = pp::Discrete<OCEAN_ACTIONS>;
  using Rows = pp::Rows<Game>;
  static constexpr uint32_t block = 64;

  explicit Game(const std::vector<pp::Options>& lanes)
      : envs_(env_bytes_ * lanes.size()),
        observations_(OCEAN_IN_PLACE ? 0 : OCEAN_ELEMENTS * lanes.size()),
        actions_(lanes.size()),
        rewards_(lanes.size()),
        terminals_(lanes.size()) {
    for (uint32_t i = 0; i < lanes.size(); ++i) {
      Element* observation = OCEAN_IN_PLACE ? nullptr : &observations_[size_t{i} * OCEAN_ELEMENTS];
      ocean_init(env(i), observation, &actions_[i], &rewards_[i], &terminals_[i]);
    }
  }

  void reset(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) play(rows, i, i + 1, &ocean_reset);
    }
  }

  void step(const Rows& rows) {
    const uint32_t first = rows.first();
    std::copy_n(rows.action(), rows.size(), &actions_[first]);
    for (uint32_t i = 0; i < rows.size(); i += block) {
      play(rows, i, std::min(i + block, rows.size()), &ocean_step);
    }
    std::copy_n(&rewards_[first], rows.size(), rows.reward());
    std::copy_n(&terminals_[first], rows.size(), rows.terminated());
    std::fill_n(rows.truncated(), rows.size(), uint8_t{0});
  }

 private:
  char* env(uint32_t lane) { return envs_.data() + env_bytes_ * lane; }

  // Calls this of the selected rows.
  [[gnu::always_inline]] void play(const Rows& rows, uint32_t begin, uint32_t end,
                                   void (*call)(void*)) {
    const uint8_t* mask = rows.mask();
    char* game = env(rows.first() + begin);
    pp::Rng* random = &rows.rng(begin);
    Element* row = rows.obs() + size_t{begin} * OCEAN_ELEMENTS;
    Element* to = row;
    for (uint32_t i = begin; i < end; ++i, game += env_bytes_, to += OCEAN_ELEMENTS) {
      if (mask != nullptr && mask[i] == 0) continue;
      generator = random + (i - begin);
      __builtin_prefetch(generator + 2, 1);  // few steps draw, and those would wait for it
      if (OCEAN_IN_PLACE) std::memcpy(game + place_, &to, sizeof to);
      call(game);
    }
    if (OCEAN_IN_PLACE) return;
    std::copy_n(&observations_[size_t{rows.first() + begin} * OCEAN_ELEMENTS],
                size_t{end - begin} * OCEAN_ELEMENTS, row);
  }

  const size_t env_bytes_ = ocean_env_bytes, place_ = ocean_observations;
  std::vector<char> envs_;
  std::vector<Element> observations_;
  std::vector<OCEAN_ACTION> actions_;
  std::vector<float> rewards_;
  std::vector<uint8_t> terminals_;
};

}  // namespace

extern "C" int ocean_rand() {
  return ocean_of_process != 0 ? std::rand() : static_cast<int>(generator->next_uint32() >> 1);
}

PP_PLUGIN(OCEAN_FAMILY, pp::batch<Game, 512>());
