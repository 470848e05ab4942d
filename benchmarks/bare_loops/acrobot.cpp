#include "loop.hpp"

struct Acrobot {
  using Obs = float;
  static constexpr uint32_t width = 6, actions = 3, limit = 500;
  static constexpr double pi = 3.141592653589793, dt = 0.2;
  struct State {
    double theta_1, theta_2, speed_1, speed_2;
  };
  std::vector<State> state;

  void resize(uint32_t n) { state.resize(n); }
  void reset(uint32_t i, pp::Rng& random) {
    state[i] = {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1),
                random.uniform(-0.1, 0.1)};
  }
  static State derive(const State& y, double torque) {
    const double sine = std::sin(y.theta_2);
    const double cosine = std::cos(y.theta_2);
    const double d_1 = 3.5 + cosine;
    const double d_2 = 1.25 + 0.5 * cosine;
    const double phi_2 = 4.9 * std::cos(y.theta_1 + y.theta_2 - pi / 2);
    const double phi_1 = -0.5 * y.speed_2 * y.speed_2 * sine - y.speed_2 * y.speed_1 * sine +
                         14.7 * std::cos(y.theta_1 - pi / 2) + phi_2;
    const double acceleration_2 =
        (torque + d_2 / d_1 * phi_1 - 0.5 * y.speed_1 * y.speed_1 * sine - phi_2) /
        (1.25 - d_2 * d_2 / d_1);
    return {y.speed_1, y.speed_2, -(d_2 * acceleration_2 + phi_1) / d_1, acceleration_2};
  }
  static State along(const State& y, const State& k, double h) {
    return {y.theta_1 + h * k.theta_1, y.theta_2 + h * k.theta_2, y.speed_1 + h * k.speed_1,
            y.speed_2 + h * k.speed_2};
  }
  static double wrapped(double angle) {
    while (angle > pi) angle -= 2 * pi;
    while (angle < -pi) angle += 2 * pi;
    return angle;
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    for (uint32_t i = 0; i < n; ++i) {
      const double torque = action[i] - 1;
      State y = state[i];
      const State k_1 = derive(y, torque);
      const State k_2 = derive(along(y, k_1, dt / 2), torque);
      const State k_3 = derive(along(y, k_2, dt / 2), torque);
      const State k_4 = derive(along(y, k_3, dt), torque);
      const double h = dt / 6;
      y.theta_1 += h * (k_1.theta_1 + 2 * k_2.theta_1 + 2 * k_3.theta_1 + k_4.theta_1);
      y.theta_2 += h * (k_1.theta_2 + 2 * k_2.theta_2 + 2 * k_3.theta_2 + k_4.theta_2);
      y.speed_1 += h * (k_1.speed_1 + 2 * k_2.speed_1 + 2 * k_3.speed_1 + k_4.speed_1);
      y.speed_2 += h * (k_1.speed_2 + 2 * k_2.speed_2 + 2 * k_3.speed_2 + k_4.speed_2);
      y.theta_1 = wrapped(y.theta_1);
      y.theta_2 = wrapped(y.theta_2);
      y.speed_1 = std::min(std::max(y.speed_1, -4 * pi), 4 * pi);
      y.speed_2 = std::min(std::max(y.speed_2, -9 * pi), 9 * pi);
      state[i] = y;
      const double cosine_1 = std::cos(y.theta_1);
      terminated[i] = -cosine_1 - std::cos(y.theta_2 + y.theta_1) > 1.0;
      reward[i] = terminated[i] ? 0.0 : -1.0;
      float* out = obs + 6 * i;
      out[0] = static_cast<float>(cosine_1);
      out[1] = static_cast<float>(std::sin(y.theta_1));
      out[2] = static_cast<float>(std::cos(y.theta_2));
      out[3] = static_cast<float>(std::sin(y.theta_2));
      out[4] = static_cast<float>(y.speed_1);
      out[5] = static_cast<float>(y.speed_2);
    }
  }
};

BARE_LOOP(Acrobot)
