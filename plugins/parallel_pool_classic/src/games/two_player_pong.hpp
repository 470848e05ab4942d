// Two paddles and a ball: a game of our own for two players, small enough to read as an example.
//
// The field is [-1, 1] x [-1, 1]; player 0 keeps the line x = -1 and player 1 the line x = 1. A
// ball that passes a line is a point for the other one and is served anew; whoever has `points`
// points ends the game. Each player sees the field as if it stood on the left.
#ifndef PARALLEL_POOL_CLASSIC_GAMES_TWO_PLAYER_PONG_HPP_
#define PARALLEL_POOL_CLASSIC_GAMES_TWO_PLAYER_PONG_HPP_

#include <parallel_pool/env.hpp>
#include <utility>

namespace classic {

struct TwoPlayerPong {
  static constexpr const char* id = "classic/TwoPlayerPong-v0";
  static constexpr const char* summary = "Pong for two, first to three points";
  static constexpr uint32_t max_players = 2;
  static constexpr int64_t max_episode_steps = 1000;
  struct Options {
    int64_t points;
    static constexpr auto declared = pp::options(pp::option(
        &Options::points, "points", 3, "number of points that wins the game", pp::Range{1, 1000}));
  };
  // Own paddle, the other's, the ball's x and y, its speed along x and y.
  using Obs = pp::PerPlayer<pp::Box<float, 6>>;
  using Action = pp::PerPlayer<pp::Discrete<3>>;  // stay, up, down
  using Info = pp::Dict<pp::At<"points", pp::PerPlayer<pp::Scalar<int32_t>>>>;

  static void describe(pp::Spec& spec, const Options& options);
  explicit TwoPlayerPong(const Options& options) : to_win_(options.points) {}

  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info);
  pp::Ending step(Action::Value action, pp::Rng& rng, Obs::Ref obs, Info::Ref info,
                  pp::Players<TwoPlayerPong> players);
  void save(pp::StateWriter& out) const { out(paddle_, points_, x_, y_, speed_x_, speed_y_); }
  void load(pp::StateReader& in) {
    in(paddle_);
    for (int32_t& points : points_) in.between(points, 0, static_cast<int32_t>(to_win_), "points");
    in(x_, y_, speed_x_, speed_y_);
  }
  // For pictures: the y of each paddle, the ball's x and y, and the points.
  void arrays(pp::ArrayList& list) {
    list.array("paddles", &std::as_const(paddle_)[0], {2});
    list.values("ball", std::as_const(x_), std::as_const(y_));
    list.array("points", &std::as_const(points_)[0], {2});
  }

 private:
  void serve(pp::Rng& rng);
  // Sends the ball back, or says that it passed.
  bool reaches(size_t player);
  void write(Obs::Ref obs, Info::Ref info) const;

  int64_t to_win_;
  double paddle_[2] = {0, 0};  // the middle
  int32_t points_[2] = {0, 0};
  double x_ = 0;
  double y_ = 0;
  double speed_x_ = 0;
  double speed_y_ = 0;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_GAMES_TWO_PLAYER_PONG_HPP_
