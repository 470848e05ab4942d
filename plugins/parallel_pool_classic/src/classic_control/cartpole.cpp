#include "classic_control/cartpole.hpp"

#include <limits>

#include "numeric/clones.hpp"
#include "numeric/sincos.hpp"

namespace classic {
namespace {

constexpr double gravity = 9.8;
constexpr double mass_cart = 1.0;
constexpr double mass_pole = 0.1;
constexpr double total_mass = mass_pole + mass_cart;
constexpr double length = 0.5;  // half of the pole's
constexpr double polemass_length = mass_pole * length;
constexpr double force_magnitude = 10.0;
constexpr double tau = 0.02;  // seconds per step
constexpr double theta_limit = 12 * 2 * 3.141592653589793 / 360;
constexpr double x_limit = 2.4;

// The part of a step without transcendental functions, so that it vectorises.
PP_CLASSIC_CLONES
void advance(uint32_t n, const int32_t* __restrict action, const double* __restrict sine,
             const double* __restrict cosine, const double* __restrict step_reward,
             const double* __restrict end_reward, double* __restrict x, double* __restrict x_dot,
             double* __restrict theta, double* __restrict theta_dot, double* __restrict reward,
             uint8_t* __restrict terminated, float* __restrict obs) {
  for (uint32_t i = 0; i < n; ++i) {
    const double force = action[i] == 1 ? force_magnitude : -force_magnitude;
    const double square = theta_dot[i] * theta_dot[i];
    const double temp = (force + polemass_length * square * sine[i]) / total_mass;
    const double theta_acc =
        (gravity * sine[i] - cosine[i] * temp) /
        (length * (4.0 / 3.0 - mass_pole * (cosine[i] * cosine[i]) / total_mass));
    const double x_acc = temp - polemass_length * theta_acc * cosine[i] / total_mass;
    const double next_x = x[i] + tau * x_dot[i];
    const double next_theta = theta[i] + tau * theta_dot[i];
    x[i] = next_x;
    x_dot[i] = x_dot[i] + tau * x_acc;
    theta[i] = next_theta;
    theta_dot[i] = theta_dot[i] + tau * theta_acc;
    // Bitwise, not short-circuit: no branch in the loop.
    const bool over = (next_x < -x_limit) | (next_x > x_limit) | (next_theta < -theta_limit) |
                      (next_theta > theta_limit);
    reward[i] = over ? end_reward[i] : step_reward[i];
    terminated[i] = over ? 1 : 0;
  }
  for (uint32_t i = 0; i < n; ++i) {
    obs[4 * i] = static_cast<float>(x[i]);
    obs[4 * i + 1] = static_cast<float>(x_dot[i]);
    obs[4 * i + 2] = static_cast<float>(theta[i]);
    obs[4 * i + 3] = static_cast<float>(theta_dot[i]);
  }
}

}  // namespace

void CartPole::describe(pp::Spec& spec, const Options&) {
  // Twice the limits, so that the last observation of an episode is inside, as in Gymnasium.
  const double unbounded = std::numeric_limits<double>::infinity();
  const std::vector<double> high = {x_limit * 2, unbounded, theta_limit * 2, unbounded};
  std::vector<double> low;
  for (const double value : high) low.push_back(-value);
  spec.obs().bounds(low, high);
}

CartPole::CartPole(const std::vector<Options>& options)
    : bounds_(options.size(), pp::default_options<ResetOptions>()),
      x_(options.size()),
      x_dot_(options.size()),
      theta_(options.size()),
      theta_dot_(options.size()),
      sine_(options.size()),
      cosine_(options.size()),
      doubtful_(options.size()) {
  for (const Options& lane : options) {
    step_reward_.push_back(lane.sutton_barto_reward ? 0.0 : 1.0);
    end_reward_.push_back(lane.sutton_barto_reward ? -1.0 : 1.0);
  }
}

void CartPole::reset(const pp::Rows<CartPole>& rows) {
  float* obs = rows.obs();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    double state[4];
    rows.rng(i).fill_uniform(state, 4, bounds_.low(lane), bounds_.high(lane));
    x_[lane] = state[0];
    x_dot_[lane] = state[1];
    theta_[lane] = state[2];
    theta_dot_[lane] = state[3];
    for (uint32_t d = 0; d < 4; ++d) obs[4 * i + d] = static_cast<float>(state[d]);
  }
}

void CartPole::step(const pp::Rows<CartPole>& rows) {
  const uint32_t first = rows.first();
  const uint32_t n = rows.size();
  sincos(n, &theta_[first], sine_.data(), cosine_.data(), doubtful_.data());
  uint8_t* truncated = rows.truncated();
  for (uint32_t i = 0; i < n; ++i) truncated[i] = 0;
  advance(n, rows.action(), sine_.data(), cosine_.data(), &step_reward_[first], &end_reward_[first],
          &x_[first], &x_dot_[first], &theta_[first], &theta_dot_[first], rows.reward(),
          rows.terminated(), rows.obs());
}

void CartPole::save(uint32_t lane, pp::StateWriter& out) const {
  out(x_[lane], x_dot_[lane], theta_[lane], theta_dot_[lane]);
}

void CartPole::load(uint32_t lane, pp::StateReader& in) {
  in(x_[lane], x_dot_[lane], theta_[lane], theta_dot_[lane]);
}

void CartPole::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", x_[lane], x_dot_[lane], theta_[lane], theta_dot_[lane]);
}

}  // namespace classic
