#include "toy_text/catch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "numeric/clones.hpp"
#include "selected.hpp"

namespace classic {
namespace {

// Boards are cleared in blocks, which are still in the first-level cache when the ball and the
// paddle are drawn.
constexpr uint32_t block = 32;

// The part of a step that vectorises. A ball that is down, in a row that is not selected, stays.
PP_CLASSIC_CLONES
void advance(uint32_t n, int32_t last_row, int32_t last_column, const int32_t* __restrict action,
             const int32_t* __restrict ball_column, int32_t* __restrict ball_row,
             int32_t* __restrict paddle, double* __restrict reward,
             uint8_t* __restrict terminated) {
  for (uint32_t i = 0; i < n; ++i) {
    const int32_t at = std::min(std::max(paddle[i] + action[i] - 1, 0), last_column);
    const int32_t row = std::min(ball_row[i] + 1, last_row);
    const int32_t result = ball_column[i] == at ? 1 : -1;
    paddle[i] = at;
    ball_row[i] = row;
    reward[i] = static_cast<double>(row == last_row ? result : 0);
    terminated[i] = row == last_row ? 1 : 0;
  }
}

}  // namespace

void Catch::describe(pp::Spec& spec, const Options& options) {
  spec.obs().shaped({options.height, options.width}).bounds(0, 1);
}

Catch::Catch(const std::vector<Options>& options)
    : height_(options[0].height),
      width_(options[0].width),
      ball_row_(options.size()),
      ball_column_(options.size()),
      paddle_(options.size()) {}

void Catch::draw(uint32_t lane, float* board) const {
  std::memset(board, 0, sizeof(float) * static_cast<size_t>(height_) * static_cast<size_t>(width_));
  board[ball_row_[lane] * width_ + ball_column_[lane]] = 1;
  board[(height_ - 1) * width_ + paddle_[lane]] = 1;
}

void Catch::reset(const pp::Rows<Catch>& rows) {
  const auto cells = static_cast<size_t>(height_) * static_cast<size_t>(width_);
  each_selected(rows, [&](uint32_t i) {
    const uint32_t lane = rows.first() + i;
    ball_row_[lane] = 0;
    ball_column_[lane] = static_cast<int32_t>(rows.rng(i).below(static_cast<uint32_t>(width_)));
    paddle_[lane] = width_ / 2;
    rows.terminated()[i] = 0;  // belongs to an end that the step went beyond
    draw(lane, rows.obs() + cells * i);
  });
}

void Catch::step(const pp::Rows<Catch>& rows) {
  std::memset(rows.truncated(), 0, rows.size());
  const auto cells = static_cast<size_t>(height_) * static_cast<size_t>(width_);
  const size_t last = static_cast<size_t>(height_ - 1) * static_cast<size_t>(width_);
  float* obs = rows.obs();
  for (uint32_t row = 0; row < rows.size(); row += block) {
    const uint32_t n = std::min(block, rows.size() - row);
    const uint32_t lane = rows.first() + row;
    advance(n, height_ - 1, width_ - 1, rows.action() + row, &ball_column_[lane], &ball_row_[lane],
            &paddle_[lane], rows.reward() + row, rows.terminated() + row);
    float* boards = obs + cells * row;
    std::memset(boards, 0, sizeof(float) * cells * n);
    for (uint32_t i = 0; i < n; ++i) {
      float* board = boards + cells * i;
      board[ball_row_[lane + i] * width_ + ball_column_[lane + i]] = 1;
      board[last + static_cast<size_t>(paddle_[lane + i])] = 1;
    }
  }
}

void Catch::save(uint32_t lane, pp::StateWriter& out) const {
  out(ball_row_[lane], ball_column_[lane], paddle_[lane]);
}

void Catch::load(uint32_t lane, pp::StateReader& in) {
  in.between(ball_row_[lane], 0, height_ - 1, "the ball's row");
  in.between(ball_column_[lane], 0, width_ - 1, "the ball's column");
  in.between(paddle_[lane], 0, width_ - 1, "paddle");
}

void Catch::arrays(uint32_t lane, pp::ArrayList& list) {
  // Read-only: what lies outside of the board would be drawn outside of the observation.
  list.values("ball", std::as_const(ball_row_[lane]), std::as_const(ball_column_[lane]));
  list.value("paddle", std::as_const(paddle_[lane]));
}

}  // namespace classic
