#include "classic_control/acrobot.hpp"

#include <algorithm>
#include <cmath>

#include "classic_control/blocks.hpp"
#include "numeric/clones.hpp"
#include "numeric/numpy_float.hpp"
#include "numeric/square.hpp"
#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double max_speed_1 = 4 * pi;
constexpr double max_speed_2 = 9 * pi;
constexpr double dt = 0.2;
// Both links have mass 1, length 1, their centre in the middle and moment of inertia 1; what is
// below are the products of those that Python computes.
constexpr double gravity = 9.8;
constexpr double gravity_2 = 0.5 * gravity;
constexpr double gravity_1 = 1.5 * gravity;

// Nearer to the line than this, sums of cosines that may be a unit off cannot be trusted.
constexpr double near_line = 1e-12;

// Block-sized arrays of the four coordinates, or of their derivatives.
struct Coordinates {
  double theta_1[block];
  double theta_2[block];
  double speed_1[block];
  double speed_2[block];
};

// The numbers of a point that the equations of motion need.
struct Scratch {
  double angle_2[block];  // the angle of the second link to the vertical, less a quarter turn
  double angle_1[block];
  double sine_2[block];  // the sine of theta_2
  double cosine_2[block];
  double pull_2[block];  // cosines of the angles above
  double pull_1[block];
  double square_1[block];  // squares of the speeds
  double square_2[block];
  double d_2[block];
  double d_2_squared[block];
  uint8_t doubt[block];
};

// y + h * k, the point at which the next derivative is taken.
PP_CLASSIC_CLONES
void advance(uint32_t n, const Coordinates& y, const Coordinates& k, double h,
             Coordinates& __restrict out) {
  for (uint32_t i = 0; i < n; ++i) {
    out.theta_1[i] = y.theta_1[i] + h * k.theta_1[i];
    out.theta_2[i] = y.theta_2[i] + h * k.theta_2[i];
    out.speed_1[i] = y.speed_1[i] + h * k.speed_1[i];
    out.speed_2[i] = y.speed_2[i] + h * k.speed_2[i];
  }
}

PP_CLASSIC_CLONES
void gather(uint32_t n, const int32_t* action, const double* theta_1, const double* theta_2,
            const double* speed_1, const double* speed_2, Coordinates& __restrict y,
            double* __restrict torque) {
  for (uint32_t i = 0; i < n; ++i) {
    y.theta_1[i] = theta_1[i];
    y.theta_2[i] = theta_2[i];
    y.speed_1[i] = speed_1[i];
    y.speed_2[i] = speed_2[i];
    torque[i] = static_cast<double>(action[i] - 1);
  }
}

PP_CLASSIC_CLONES
void tilt(uint32_t n, const Coordinates& y, Scratch& __restrict s) {
  for (uint32_t i = 0; i < n; ++i) {
    s.angle_2[i] = y.theta_1[i] + y.theta_2[i] - pi / 2;
    s.angle_1[i] = y.theta_1[i] - pi / 2;
  }
}

PP_CLASSIC_CLONES
void couple(uint32_t n, Scratch& __restrict s) {
  for (uint32_t i = 0; i < n; ++i) s.d_2[i] = (0.25 + 0.5 * s.cosine_2[i]) + 1.0;
}

PP_CLASSIC_CLONES
void accelerate(uint32_t n, const double* __restrict torque, const Coordinates& y, const Scratch& s,
                Coordinates& __restrict k) {
  for (uint32_t i = 0; i < n; ++i) {
    const double d_1 = 0.25 + (1.25 + s.cosine_2[i]) + 1.0 + 1.0;
    const double d_2 = s.d_2[i];
    const double phi_2 = gravity_2 * s.pull_2[i];
    const double phi_1 = -0.5 * s.square_2[i] * s.sine_2[i] -
                         y.speed_2[i] * y.speed_1[i] * s.sine_2[i] + gravity_1 * s.pull_1[i] +
                         phi_2;
    const double acceleration_2 =
        (torque[i] + d_2 / d_1 * phi_1 - 0.5 * s.square_1[i] * s.sine_2[i] - phi_2) /
        (1.25 - s.d_2_squared[i] / d_1);
    k.theta_1[i] = y.speed_1[i];
    k.theta_2[i] = y.speed_2[i];
    k.speed_1[i] = -(d_2 * acceleration_2 + phi_1) / d_1;
    k.speed_2[i] = acceleration_2;
  }
}

// The derivative at y.
void derive(uint32_t n, const double* torque, const Coordinates& y, Scratch& s, Coordinates& k) {
  tilt(n, y, s);
  near(n, y.theta_2, s.sine_2, s.cosine_2, s.doubt);
  settle_sines(n, exact_sine, y.theta_2, s.sine_2, s.doubt);
  settle_cosines(n, exact_cosine, y.theta_2, s.cosine_2, s.doubt);
  near_cosines(n, s.angle_2, s.pull_2, s.doubt);
  settle_cosines(n, exact_cosine, s.angle_2, s.pull_2, s.doubt);
  near_cosines(n, s.angle_1, s.pull_1, s.doubt);
  settle_cosines(n, exact_cosine, s.angle_1, s.pull_1, s.doubt);
  couple(n, s);
  squares(n, y.speed_1, s.square_1, s.doubt);
  squares(n, y.speed_2, s.square_2, s.doubt);
  squares(n, s.d_2, s.d_2_squared, s.doubt);
  accelerate(n, torque, y, s, k);
}

PP_CLASSIC_INLINE double combined(double y, double k_1, double k_2, double k_3, double k_4) {
  return y + dt / 6.0 * (k_1 + 2 * k_2 + 2 * k_3 + k_4);
}

PP_CLASSIC_CLONES
void combine(uint32_t n, const Coordinates& k_1, const Coordinates& k_2, const Coordinates& k_3,
             const Coordinates& k_4, Coordinates& __restrict y) {
  for (uint32_t i = 0; i < n; ++i) {
    y.theta_1[i] =
        combined(y.theta_1[i], k_1.theta_1[i], k_2.theta_1[i], k_3.theta_1[i], k_4.theta_1[i]);
    y.theta_2[i] =
        combined(y.theta_2[i], k_1.theta_2[i], k_2.theta_2[i], k_3.theta_2[i], k_4.theta_2[i]);
    const double speed_1 =
        combined(y.speed_1[i], k_1.speed_1[i], k_2.speed_1[i], k_3.speed_1[i], k_4.speed_1[i]);
    const double speed_2 =
        combined(y.speed_2[i], k_1.speed_2[i], k_2.speed_2[i], k_3.speed_2[i], k_4.speed_2[i]);
    y.speed_1[i] = std::min(std::max(speed_1, -max_speed_1), max_speed_1);
    y.speed_2[i] = std::min(std::max(speed_2, -max_speed_2), max_speed_2);
  }
}

inline double wrapped(double angle) {
  // Turn by turn, as Gymnasium does: one is enough in play. From where only a made-up state can
  // be, it would take for ever.
  if (std::abs(angle) > 1e6) return std::remainder(angle, 2 * pi);
  while (angle > pi) angle -= 2 * pi;
  while (angle < -pi) angle += 2 * pi;
  return angle;
}

bool above_line(double theta_1, double theta_2) {
  return -std::cos(theta_1) - std::cos(theta_2 + theta_1) > 1.0;
}

}  // namespace

void Acrobot::describe(pp::Spec& spec) {
  spec.obs().bounds({-1, -1, -1, -1, -max_speed_1, -max_speed_2},
                    {1, 1, 1, 1, max_speed_1, max_speed_2});
  spec.info("state").bounds(-pi, pi);
}

Acrobot::Acrobot(const std::vector<pp::Options>& lanes)
    : bounds_(lanes.size(), pp::default_options<ResetOptions>()),
      theta_1_(lanes.size()),
      theta_2_(lanes.size()),
      speed_1_(lanes.size()),
      speed_2_(lanes.size()) {}

void Acrobot::reset(const pp::Rows<Acrobot>& rows) {
  float* obs = rows.obs();
  float* info = rows.info<"state">();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    double drawn[4];
    rows.rng(i).fill_uniform(drawn, 4, bounds_.low(lane), bounds_.high(lane));
    float state[4];
    for (uint32_t d = 0; d < 4; ++d) state[d] = static_cast<float>(drawn[d]);
    theta_1_[lane] = state[0];
    theta_2_[lane] = state[1];
    speed_1_[lane] = state[2];
    speed_2_[lane] = state[3];
    const FloatAngle first = numpy_float_sin_cos(state[0]);
    const FloatAngle second = numpy_float_sin_cos(state[1]);
    const float row[6] = {first.cosine, first.sine, second.cosine, second.sine, state[2], state[3]};
    std::copy_n(row, 6, obs + 6 * i);
    std::copy_n(state, 2, info + 2 * i);
  }
}

void Acrobot::step(const pp::Rows<Acrobot>& rows) {
  no_truncation(rows);
  const int32_t* action = rows.action();
  double* reward = rows.reward();
  uint8_t* terminated = rows.terminated();
  float* obs = rows.obs();
  float* info = rows.info<"state">();
  in_blocks(rows, [&](uint32_t row, uint32_t lane, uint32_t n) {
    Coordinates y, point, k_1, k_2, k_3, k_4;
    Scratch s;
    double torque[block];
    gather(n, action + row, &theta_1_[lane], &theta_2_[lane], &speed_1_[lane], &speed_2_[lane], y,
           torque);
    derive(n, torque, y, s, k_1);
    advance(n, y, k_1, dt / 2.0, point);
    derive(n, torque, point, s, k_2);
    advance(n, y, k_2, dt / 2.0, point);
    derive(n, torque, point, s, k_3);
    advance(n, y, k_3, dt, point);
    derive(n, torque, point, s, k_4);
    combine(n, k_1, k_2, k_3, k_4, y);
    for (uint32_t i = 0; i < n; ++i) {
      y.theta_1[i] = wrapped(y.theta_1[i]);
      y.theta_2[i] = wrapped(y.theta_2[i]);
    }

    // The observation: the scratch arrays serve again.
    double* sine_1 = s.pull_1;
    double* cosine_1 = s.pull_2;
    near_floats(n, y.theta_1, sine_1, cosine_1, s.doubt);
    settle_sines(n, float_sine, y.theta_1, sine_1, s.doubt);
    settle_cosines(n, float_cosine, y.theta_1, cosine_1, s.doubt);
    near_floats(n, y.theta_2, s.sine_2, s.cosine_2, s.doubt);
    settle_sines(n, float_sine, y.theta_2, s.sine_2, s.doubt);
    settle_cosines(n, float_cosine, y.theta_2, s.cosine_2, s.doubt);
    for (uint32_t i = 0; i < n; ++i) s.angle_2[i] = y.theta_2[i] + y.theta_1[i];
    double* below = s.d_2;
    near_cosines(n, s.angle_2, below, s.doubt);
    for (uint32_t i = 0; i < n; ++i) {
      const double height = -cosine_1[i] - below[i];
      bool above = height > 1.0;
      if (std::fabs(height - 1.0) < near_line) above = above_line(y.theta_1[i], y.theta_2[i]);
      // The sum's cosine was not computed.
      if ((s.doubt[i] & float_cosine) != 0) above = above_line(y.theta_1[i], y.theta_2[i]);
      terminated[row + i] = above ? 1 : 0;
      reward[row + i] = above ? 0.0 : -1.0;
    }
    for (uint32_t i = 0; i < n; ++i) {
      float* out = obs + 6 * (row + i);
      out[0] = static_cast<float>(cosine_1[i]);
      out[1] = static_cast<float>(sine_1[i]);
      out[2] = static_cast<float>(s.cosine_2[i]);
      out[3] = static_cast<float>(s.sine_2[i]);
      out[4] = static_cast<float>(y.speed_1[i]);
      out[5] = static_cast<float>(y.speed_2[i]);
      info[2 * (row + i)] = static_cast<float>(y.theta_1[i]);
      info[2 * (row + i) + 1] = static_cast<float>(y.theta_2[i]);
    }
    std::copy_n(y.theta_1, n, &theta_1_[lane]);
    std::copy_n(y.theta_2, n, &theta_2_[lane]);
    std::copy_n(y.speed_1, n, &speed_1_[lane]);
    std::copy_n(y.speed_2, n, &speed_2_[lane]);
  });
}

void Acrobot::save(uint32_t lane, pp::StateWriter& out) const {
  out(theta_1_[lane], theta_2_[lane], speed_1_[lane], speed_2_[lane]);
}

void Acrobot::load(uint32_t lane, pp::StateReader& in) {
  in(theta_1_[lane], theta_2_[lane], speed_1_[lane], speed_2_[lane]);
}

void Acrobot::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", theta_1_[lane], theta_2_[lane], speed_1_[lane], speed_2_[lane]);
}

}  // namespace classic
