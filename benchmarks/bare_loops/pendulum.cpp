#include "loop.hpp"

struct Pendulum {
  using Obs = float;
  static constexpr uint32_t width = 3, actions = 0, limit = 200;
  static constexpr double bound = 2.0, pi = 3.141592653589793;
  std::vector<double> theta, speed, sine, cosine, normal;

  void resize(uint32_t n) {
    for (auto* each : {&theta, &speed, &sine, &cosine, &normal}) each->resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    theta[i] = random.uniform(-pi, pi);
    speed[i] = random.uniform(-1, 1);
    sine[i] = std::sin(theta[i]);
  }
  void step(uint32_t n, const float* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    for (uint32_t i = 0; i < n; ++i) {
      const double rest = std::fmod(theta[i] + pi, 2 * pi);
      normal[i] = (rest < 0 ? rest + 2 * pi : rest) - pi;
    }
    for (uint32_t i = 0; i < n; ++i) {
      const double torque = std::min(std::max(action[i], -2.0f), 2.0f);
      reward[i] =
          -(normal[i] * normal[i] + 0.1 * (speed[i] * speed[i]) + 0.001 * (torque * torque));
      const double free = speed[i] + (15.0 * sine[i] + 3.0 * torque) * 0.05;
      speed[i] = std::min(std::max(free, -8.0), 8.0);
      theta[i] += speed[i] * 0.05;
      terminated[i] = 0;
    }
    for (uint32_t i = 0; i < n; ++i) {
      sine[i] = std::sin(theta[i]);
      cosine[i] = std::cos(theta[i]);
    }
    for (uint32_t i = 0; i < n; ++i) {
      obs[3 * i] = static_cast<float>(cosine[i]);
      obs[3 * i + 1] = static_cast<float>(sine[i]);
      obs[3 * i + 2] = static_cast<float>(speed[i]);
    }
  }
};

BARE_LOOP(Pendulum)
