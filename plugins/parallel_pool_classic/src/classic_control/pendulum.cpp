#include "classic_control/pendulum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classic_control/blocks.hpp"
#include "numeric/clones.hpp"
#include "numeric/square.hpp"
#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double turn = 2 * pi;
constexpr double max_speed = 8.0;
constexpr float max_torque = 2.0f;
constexpr double dt = 0.05;

// A turn in two parts, so that small multiples of both are exact.
constexpr double turn_high = 0x1.921fb54442cp+2;
constexpr double turn_low = turn - turn_high;
// Angles of more turns than those multiples allow are left to fmod.
constexpr double many = 256.0;

// Python's (theta + pi) % (2 pi) - pi. With |theta| below `many` only.
PP_CLASSIC_INLINE double normalised(double theta) {
  const double shifted = theta + pi;
  const double turns = std::trunc(shifted * (1 / turn));
  double rest = (shifted - turns * turn_high) - turns * turn_low;
  // The quotient was rounded: it may be one off. After this `rest` is fmod's.
  const double sign = shifted < 0 ? -1.0 : 1.0;
  rest = rest * sign < 0 ? rest + turn * sign : rest;
  rest = rest * sign >= turn ? rest - turn * sign : rest;
  rest = rest < 0 ? rest + turn : rest;
  return rest - pi;
}
inline double normalised_anyhow(double theta) {
  const double rest = std::fmod(theta + pi, turn);
  return (rest < 0 ? rest + turn : rest) - pi;
}

PP_CLASSIC_CLONES
void prepare(uint32_t n, const float* __restrict action, const double* __restrict theta,
             float* __restrict torque, double* __restrict angle) {
  for (uint32_t i = 0; i < n; ++i) {
    torque[i] = std::min(std::max(action[i], -max_torque), max_torque);
    angle[i] = normalised(theta[i]);
  }
}

PP_CLASSIC_CLONES
void advance(uint32_t n, const float* __restrict torque, const float* __restrict torque_squared,
             const double* __restrict angle_squared, const double* __restrict speed_squared,
             const double* __restrict gravity, const double* __restrict pull,
             const uint8_t* __restrict old, double* __restrict theta, double* __restrict speed,
             double* __restrict reward) {
  for (uint32_t i = 0; i < n; ++i) {
    // The torque is a numpy float32, and so is its product with a Python float.
    const double effort = static_cast<double>(0.001f * torque_squared[i]);
    reward[i] = -(angle_squared[i] + 0.1 * speed_squared[i] + effort);
    const double push = static_cast<double>(3.0f * torque[i]);
    const double free_speed = speed[i] + (gravity[i] * pull[i] + push) * dt;
    const double clipped = std::min(std::max(free_speed, -max_speed), max_speed);
    theta[i] = theta[i] + (old[i] != 0 ? free_speed : clipped) * dt;
    speed[i] = clipped;
  }
}

}  // namespace

void Pendulum::describe(pp::Spec& spec, const Options&) {
  spec.obs().bounds({-1, -1, -max_speed}, {1, 1, max_speed});
  spec.action().bounds(-max_torque, max_torque);
}

Pendulum::Pendulum(const std::vector<Options>& options)
    : theta_(options.size()),
      speed_(options.size()),
      pull_(options.size()),
      torque_(options.size()),
      first_(options.size(), pp::default_options<ResetOptions>()) {
  for (const Options& lane : options) {
    gravity_.push_back(3 * lane.g / 2.0);
    old_.push_back(lane.version == 0 ? 1 : 0);
    any_old_ |= old_.back() != 0;
  }
}

double Pendulum::pull_of(uint32_t lane) const {
  return old_[lane] != 0 ? -std::sin(theta_[lane] + pi) : std::sin(theta_[lane]);
}

void Pendulum::reset(const pp::Rows<Pendulum>& rows) {
  float* obs = rows.obs();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    const ResetOptions& first = first_[lane];
    theta_[lane] = rows.rng(i).uniform(-first.x_init, first.x_init);
    speed_[lane] = rows.rng(i).uniform(-first.y_init, first.y_init);
    torque_[lane] = std::numeric_limits<float>::quiet_NaN();
    pull_[lane] = pull_of(lane);
    obs[3 * i] = static_cast<float>(std::cos(theta_[lane]));
    obs[3 * i + 1] = static_cast<float>(std::sin(theta_[lane]));
    obs[3 * i + 2] = static_cast<float>(speed_[lane]);
  }
}

void Pendulum::step(const pp::Rows<Pendulum>& rows) {
  no_flags(rows);
  const float* action = rows.action();
  double* reward = rows.reward();
  float* obs = rows.obs();
  in_blocks(rows, [&](uint32_t row, uint32_t lane, uint32_t n) {
    float* torque = &torque_[lane];
    float torque_squared[block];
    double angle[block];
    double angle_squared[block];
    double speed_squared[block];
    uint8_t doubt[block];
    prepare(n, action + row, &theta_[lane], torque, angle);
    for (uint32_t i = 0; i < n; ++i) {
      if (!(std::fabs(theta_[lane + i]) < many)) angle[i] = normalised_anyhow(theta_[lane + i]);
    }
    squares(n, angle, angle_squared, doubt);
    squares(n, &speed_[lane], speed_squared, doubt);
    float_squares(n, torque, torque_squared, doubt);
    advance(n, torque, torque_squared, angle_squared, speed_squared, &gravity_[lane], &pull_[lane],
            &old_[lane], &theta_[lane], &speed_[lane], reward + row);
    observe(n, lane, obs + 3 * row);
  });
}

// Also takes the sine for the next step.
void Pendulum::observe(uint32_t n, uint32_t lane, float* obs) {
  const double* theta = &theta_[lane];
  double* sine = &pull_[lane];
  double cosine[block];
  uint8_t doubt[block];
  near(n, theta, sine, cosine, doubt);
  settle_sines(n, exact_sine, theta, sine, doubt);
  settle_cosines(n, float_cosine, theta, cosine, doubt);
  for (uint32_t i = 0; i < n; ++i) {
    obs[3 * i] = static_cast<float>(cosine[i]);
    obs[3 * i + 1] = static_cast<float>(sine[i]);
    obs[3 * i + 2] = static_cast<float>(speed_[lane + i]);
  }
  if (!any_old_) return;
  double angle[block];
  double opposite[block];
  for (uint32_t i = 0; i < n; ++i) angle[i] = theta[i] + pi;
  near(n, angle, opposite, cosine, doubt);
  settle_sines(n, exact_sine, angle, opposite, doubt);
  for (uint32_t i = 0; i < n; ++i) {
    if (old_[lane + i] != 0) sine[i] = -opposite[i];
  }
}

void Pendulum::save(uint32_t lane, pp::StateWriter& out) const {
  out(theta_[lane], speed_[lane], torque_[lane]);
}

void Pendulum::load(uint32_t lane, pp::StateReader& in) {
  in(theta_[lane], speed_[lane], torque_[lane]);
  pull_[lane] = pull_of(lane);
}

void Pendulum::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", theta_[lane], speed_[lane]);
  list.value("torque", torque_[lane]);
}

}  // namespace classic
