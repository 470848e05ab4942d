#include "loop.hpp"

struct Catch {
  using Obs = float;
  static constexpr uint32_t width = 50, actions = 3, limit = 0;
  std::vector<int32_t> row, column, paddle;

  void resize(uint32_t n) {
    row.resize(n);
    column.resize(n);
    paddle.resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    row[i] = 0;
    column[i] = static_cast<int32_t>(random.below(5));
    paddle[i] = 2;
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    for (uint32_t i = 0; i < n; ++i) {
      paddle[i] = std::min(std::max(paddle[i] + action[i] - 1, 0), 4);
      terminated[i] = ++row[i] == 9;
      reward[i] = terminated[i] ? (paddle[i] == column[i] ? 1.0 : -1.0) : 0.0;
      float* board = obs + 50 * i;
      std::fill_n(board, 50, 0.0f);
      board[row[i] * 5 + column[i]] = 1;
      board[45 + paddle[i]] = 1;
    }
  }
};

BARE_LOOP(Catch)
