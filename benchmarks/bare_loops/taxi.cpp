#include "grid.hpp"

struct Taxi : Grid {
  static constexpr uint32_t actions = 6, limit = 200;
  std::vector<int32_t> starts;
  std::vector<int8_t> masks = std::vector<int8_t>(500 * 6);
  std::vector<int8_t> mask;  // of the last step

  Taxi() {
    const char* map[] = {"|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |"};
    const int32_t stands[] = {0, 4, 20, 23};
    for (int32_t state = 0; state < 500; ++state) {
      const int32_t place = state / 20, row = place / 5, column = place % 5;
      const int32_t passenger = state / 4 % 5, destination = state % 4;
      if (passenger < 4 && passenger != destination) starts.push_back(state);
      const auto stand = static_cast<int32_t>(std::find(stands, stands + 4, place) - stands);
      const bool can[] = {row < 4,
                          row > 0,
                          map[row][2 * column + 2] == ':',
                          map[row][2 * column] == ':',
                          passenger < 4 && passenger == stand,
                          passenger == 4 && stand < 4};
      const int32_t by[] = {100, -100, 20, -20, (4 - passenger) * 4, (stand - passenger) * 4};
      for (int32_t action = 0; action < 6; ++action) {
        const bool done = action == 5 && can[5] && stand == destination;
        const int32_t reward = done ? 20 : action > 3 && !can[action] ? -10 : -1;
        table.push_back(Cell{state + (can[action] ? by[action] : 0), reward, done});
        masks[static_cast<size_t>(state * 6 + action)] = can[action];
      }
    }
  }
  void resize(uint32_t n) {
    Grid::resize(n);
    mask.resize(6 * n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    state[i] = starts[static_cast<size_t>(random.random() * 300)];
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, int64_t* obs,
            pp::Rng* rng) {
    for (uint32_t i = 0; i < n; ++i) rng[i].next_uint64();
    walk<false>(n, actions, action, reward, terminated, obs, rng);
    for (uint32_t i = 0; i < n; ++i)
      std::copy_n(&masks[static_cast<size_t>(state[i]) * 6], 6, &mask[6 * i]);
  }
};

BARE_LOOP(Taxi)
