#include "loop.hpp"

struct CartPole {
  using Obs = float;
  static constexpr uint32_t width = 4, actions = 2, limit = 500;
  std::vector<double> x, x_dot, theta, theta_dot, sine, cosine;

  void resize(uint32_t n) {
    for (auto* each : {&x, &x_dot, &theta, &theta_dot, &sine, &cosine}) each->resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    for (auto* each : {&x, &x_dot, &theta, &theta_dot}) (*each)[i] = random.uniform(-0.05, 0.05);
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    for (uint32_t i = 0; i < n; ++i) {
      sine[i] = std::sin(theta[i]);
      cosine[i] = std::cos(theta[i]);
    }
    for (uint32_t i = 0; i < n; ++i) {
      const double force = action[i] == 1 ? 10.0 : -10.0;
      const double temp = (force + 0.05 * (theta_dot[i] * theta_dot[i]) * sine[i]) / 1.1;
      const double theta_acc = (9.8 * sine[i] - cosine[i] * temp) /
                               (0.5 * (4.0 / 3.0 - 0.1 * (cosine[i] * cosine[i]) / 1.1));
      const double x_acc = temp - 0.05 * theta_acc * cosine[i] / 1.1;
      x[i] += 0.02 * x_dot[i];
      x_dot[i] += 0.02 * x_acc;
      theta[i] += 0.02 * theta_dot[i];
      theta_dot[i] += 0.02 * theta_acc;
      reward[i] = 1.0;
      terminated[i] = (x[i] < -2.4) | (x[i] > 2.4) | (theta[i] < -0.20943951023931953) |
                      (theta[i] > 0.20943951023931953);
    }
    for (uint32_t i = 0; i < n; ++i) {
      obs[4 * i] = static_cast<float>(x[i]);
      obs[4 * i + 1] = static_cast<float>(x_dot[i]);
      obs[4 * i + 2] = static_cast<float>(theta[i]);
      obs[4 * i + 3] = static_cast<float>(theta_dot[i]);
    }
  }
};

BARE_LOOP(CartPole)
