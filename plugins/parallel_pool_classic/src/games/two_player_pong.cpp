#include "games/two_player_pong.hpp"

#include <algorithm>
#include <cmath>

namespace classic {
namespace {

constexpr double half_paddle = 0.2;
constexpr double paddle_speed = 0.06;  // per step
constexpr double paddle_limit = 1.0 - half_paddle;
constexpr double serve_speed = 0.04;
constexpr double faster = 1.05;  // after each hit
constexpr double most_speed_x = 0.1;
constexpr double most_speed_y = 0.08;
constexpr double spin = 0.03;  // given by the edge of a paddle

}  // namespace

void TwoPlayerPong::describe(pp::Spec& spec, const Options&) {
  const std::vector<double> high = {paddle_limit, paddle_limit, 1, 1, most_speed_x, most_speed_y};
  std::vector<double> low;
  for (const double value : high) low.push_back(-value);
  spec.obs().bounds(low, high);
}

void TwoPlayerPong::reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
  for (size_t player = 0; player < 2; ++player) {
    paddle_[player] = 0;
    points_[player] = 0;
  }
  serve(rng);
  write(obs, info);
}

pp::Ending TwoPlayerPong::step(Action::Value action, pp::Rng& rng, Obs::Ref obs, Info::Ref info,
                               pp::Players<TwoPlayerPong> players) {
  for (size_t player = 0; player < 2; ++player) {
    const double move = action[player] == 1   ? paddle_speed
                        : action[player] == 2 ? -paddle_speed
                                              : 0.0;
    paddle_[player] = std::clamp(paddle_[player] + move, -paddle_limit, paddle_limit);
  }
  x_ += speed_x_;
  y_ += speed_y_;
  if (std::fabs(y_) > 1) {
    y_ = (y_ > 0 ? 2 : -2) - y_;
    speed_y_ = -speed_y_;
  }
  if (std::fabs(x_) >= 1) {
    const size_t keeper = x_ > 0 ? 1 : 0;
    if (!reaches(keeper)) {
      ++points_[1 - keeper];
      players.reward(1 - keeper) = 1;
      players.reward(keeper) = -1;
      serve(rng);
    }
  }
  write(obs, info);
  return {points_[0] == to_win_ || points_[1] == to_win_};
}

void TwoPlayerPong::serve(pp::Rng& rng) {
  x_ = 0;
  y_ = rng.uniform(-0.5, 0.5);
  speed_x_ = rng.integers(0, 2) == 1 ? serve_speed : -serve_speed;
  speed_y_ = rng.uniform(-0.03, 0.03);
}

bool TwoPlayerPong::reaches(size_t player) {
  const double off = (y_ - paddle_[player]) / half_paddle;
  if (std::fabs(off) > 1) return false;
  x_ = (x_ > 0 ? 2 : -2) - x_;
  speed_x_ = std::clamp(-speed_x_ * faster, -most_speed_x, most_speed_x);
  speed_y_ = std::clamp(speed_y_ + spin * off, -most_speed_y, most_speed_y);
  return true;
}

void TwoPlayerPong::write(Obs::Ref obs, Info::Ref info) const {
  for (size_t player = 0; player < 2; ++player) {
    const double side = player == 0 ? 1 : -1;
    const double seen[] = {paddle_[player], paddle_[1 - player], side * x_, y_, side * speed_x_,
                           speed_y_};
    std::transform(std::begin(seen), std::end(seen), obs[player].begin(),
                   [](double value) { return static_cast<float>(value); });
    info.get<"points">()[player] = points_[player];
  }
}

}  // namespace classic
