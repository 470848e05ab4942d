// A game of PufferLib 3.0 as a batch kernel. cheap_steps.py compiles it for each game, with the
// macros OCEAN_..., and links what env_binding.h makes of the game.
//
// The games' structs stand one behind the other, and so do the arrays that they point to, as in
// PufferLib. A block of lanes is stepped, then copied to the pool's rows: what was copied at once
// would wait for the bytes that the game just wrote.
#include <algorithm>
#include <parallel_pool/env.hpp>
#include <vector>

extern "C" {
extern const size_t ocean_lane_bytes, ocean_observations;
void ocean_init(void* lane, void* observations, void* actions, float* rewards, uint8_t* terminals);
void ocean_seed(void* lane, uint64_t seed);
void ocean_reset(void* lane);
void ocean_step(void* lane);
}

namespace {

struct Game {
  static constexpr const char* id = OCEAN_ID;
  static constexpr bool resets_itself = true;
  using Element = OCEAN_ELEMENT;
  using Obs = pp::Box<Element, OCEAN_ELEMENTS>;
  using Action = pp::Discrete<OCEAN_ACTIONS>;
  using Rows = pp::Rows<Game>;
  static constexpr uint32_t block = 64;

  explicit Game(const std::vector<pp::Options>& lanes)
      : lanes_(ocean_lane_bytes * lanes.size()),
        observations_(OCEAN_IN_PLACE ? 0 : OCEAN_ELEMENTS * lanes.size()),
        actions_(lanes.size()),
        rewards_(lanes.size()),
        terminals_(lanes.size()) {
    for (uint32_t i = 0; i < lanes.size(); ++i) {
      Element* observation = OCEAN_IN_PLACE ? nullptr : own(i);
      ocean_init(lane(i), observation, &actions_[i], &rewards_[i], &terminals_[i]);
    }
  }

  void reset(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      ocean_seed(lane(rows.first() + i), rows.rng(i).next_uint64());
      play(rows, i, i + 1, &ocean_reset);
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
  char* lane(uint32_t i) { return lanes_.data() + ocean_lane_bytes * i; }
  Element* own(uint32_t i) { return observations_.data() + size_t{i} * OCEAN_ELEMENTS; }

  // Calls this of these rows. A game that changes the observation of the step before writes into
  // its own array, or into rows that keep what it wrote.
  [[gnu::always_inline]] void play(const Rows& rows, uint32_t begin, uint32_t end,
                                   void (*call)(void*)) {
    const bool in_place = OCEAN_IN_PLACE || rows.kept();
    const uint32_t first = rows.first() + begin;
    Element* row = rows.obs() + size_t{begin} * OCEAN_ELEMENTS;
    Element* to = in_place ? row : own(first);
    char* game = lane(first);
    for (uint32_t i = begin; i < end; ++i, game += ocean_lane_bytes, to += OCEAN_ELEMENTS) {
      auto*& place = *reinterpret_cast<Element**>(game + ocean_observations);
      if (place != to) {
        if (!OCEAN_IN_PLACE) std::copy_n(place, OCEAN_ELEMENTS, to);
        place = to;
      }
      // Branches that no processor foresees keep it from reading ahead by itself.
      const char* later[] = {game + 4 * ocean_lane_bytes,
                             reinterpret_cast<char*>(to + 4 * OCEAN_ELEMENTS)};
      for (const char* line : later) {
        __builtin_prefetch(line, 1);
        __builtin_prefetch(line + 64, 1);
      }
      call(game);
    }
    if (!in_place) std::copy_n(own(first), size_t{end - begin} * OCEAN_ELEMENTS, row);
  }

  std::vector<char> lanes_;
  std::vector<Element> observations_;
  std::vector<OCEAN_ACTION> actions_;
  std::vector<float> rewards_;
  std::vector<uint8_t> terminals_;
};

}  // namespace

PP_PLUGIN(OCEAN_FAMILY, pp::batch<Game, 512>());
