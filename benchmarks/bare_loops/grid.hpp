// Worlds on a grid: a table of where an action leads, and whether one slips to either side.
#ifndef PARALLEL_POOL_BENCHMARKS_GRID_HPP_
#define PARALLEL_POOL_BENCHMARKS_GRID_HPP_

#include "loop.hpp"

struct Grid {
  using Obs = int64_t;
  static constexpr uint32_t width = 1;
  struct Cell {
    int32_t state;
    int32_t reward;
    uint8_t terminated;
  };
  std::vector<int32_t> state;
  std::vector<double> probability;  // of the last step
  std::vector<Cell> table;          // state * actions + action

  void resize(uint32_t n) {
    state.resize(n);
    probability.resize(n);
  }
  template <bool Slippery>
  void walk(uint32_t n, uint32_t actions, const int32_t* action, double* reward,
            uint8_t* terminated, int64_t* obs, pp::Rng* rng) {
    for (uint32_t i = 0; i < n; ++i) {
      auto taken = static_cast<uint32_t>(action[i]);
      if (Slippery) {
        const double draw = rng[i].random();
        taken = (taken + 3 + (draw >= 1.0 / 3.0) + (draw >= 2.0 / 3.0)) % 4;
      }
      const Cell& cell = table[static_cast<uint32_t>(state[i]) * actions + taken];
      obs[i] = state[i] = cell.state;
      reward[i] = cell.reward;
      terminated[i] = cell.terminated;
      probability[i] = Slippery ? 1.0 / 3.0 : 1.0;
    }
  }
  // A rectangle, and how an action moves; `arrive` gives what happens there.
  template <class Arrive>
  void build(int32_t rows, int32_t columns, const int32_t (&down)[4], const int32_t (&right)[4],
             Arrive&& arrive) {
    for (int32_t row = 0; row < rows; ++row) {
      for (int32_t column = 0; column < columns; ++column) {
        for (int32_t action = 0; action < 4; ++action) {
          const int32_t to_row = std::min(std::max(row + down[action], 0), rows - 1);
          const int32_t to_column = std::min(std::max(column + right[action], 0), columns - 1);
          table.push_back(arrive(to_row * columns + to_column));
        }
      }
    }
  }
};

#endif  // PARALLEL_POOL_BENCHMARKS_GRID_HPP_
