#include "toy_text/catch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "toy_text/selected.hpp"

namespace classic {
void Catch::describe(pp::Spec& spec, const pp::Options& options) {
  spec.obs().shaped({options.integer("height"), options.integer("width")}).bounds(0, 1);
}

Catch::Catch(const pp::LaneOptions& options)
    : height_(static_cast<int32_t>(options[0].integer("height"))),
      width_(static_cast<int32_t>(options[0].integer("width"))),
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
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    ball_row_[lane] = 0;
    ball_column_[lane] = static_cast<int32_t>(rows.rng(i).integers(0, width_));
    paddle_[lane] = width_ / 2;
    draw(lane, rows.obs() + cells * i);
  }
}

void Catch::step(const pp::Rows<Catch>& rows) {
  std::memset(rows.truncated(), 0, rows.size());
  const auto cells = static_cast<size_t>(height_) * static_cast<size_t>(width_);
  const int32_t* action = rows.action();
  float* obs = rows.obs();
  double* reward = rows.reward();
  uint8_t* terminated = rows.terminated();
  // Every row, also those left alone below: one call is as fast as the memory.
  std::memset(obs, 0, sizeof(float) * cells * rows.size());
  int32_t* ball_row = &ball_row_[rows.first()];
  int32_t* ball_column = &ball_column_[rows.first()];
  int32_t* paddle = &paddle_[rows.first()];
  const int32_t last_row = height_ - 1;
  const int32_t width = width_;
  // Only the selected ones: a ball that is down has no row left to fall to.
  each_selected(rows, [=](uint32_t i) {
    const int32_t at = std::min(std::max(paddle[i] + action[i] - 1, 0), width - 1);
    const int32_t row = ball_row[i] + 1;
    const int32_t column = ball_column[i];
    paddle[i] = at;
    ball_row[i] = row;
    const bool down = row == last_row;
    const double result = column == at ? 1.0 : -1.0;
    reward[i] = down ? result : 0.0;
    terminated[i] = down ? 1 : 0;
    float* board = obs + cells * i;
    board[row * width + column] = 1;
    board[last_row * width + at] = 1;
  });
}

void Catch::save(uint32_t lane, pp::StateWriter& out) const {
  out(ball_row_[lane], ball_column_[lane], paddle_[lane]);
}

void Catch::load(uint32_t lane, pp::StateReader& in) {
  in(ball_row_[lane], ball_column_[lane], paddle_[lane]);
}

void Catch::arrays(uint32_t lane, pp::ArrayList& list) {
  // Read-only: what lies outside of the board would be drawn outside of the observation.
  list.values("ball", std::as_const(ball_row_[lane]), std::as_const(ball_column_[lane]));
  list.value("paddle", std::as_const(paddle_[lane]));
}

}  // namespace classic
