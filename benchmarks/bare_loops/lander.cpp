// The environment that `parallel-pool new NAME --kernel batch` writes, as one writes such a loop;
// with AS_THE_KERNEL without branches, as it is written there.
#include "loop.hpp"

struct Lander {
  using Obs = float;
  static constexpr uint32_t width = 2, actions = 2, limit = 500;
  std::vector<double> height, speed, fuel, gravity, thrust;
  std::vector<float> left;

  void resize(uint32_t n) {
    for (auto* each : {&height, &speed, &fuel}) each->resize(n);
    left.resize(n);
    gravity.assign(n, 1.62);
    thrust.assign(n, 4.0);
  }
  void reset(uint32_t i, pp::Rng& random) {
    height[i] = random.uniform(20, 30);
    speed[i] = random.uniform(-2, 0);
    fuel[i] = 10;
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    advance(n, action, gravity.data(), thrust.data(), height.data(), speed.data(), fuel.data(), obs,
            left.data(), reward, terminated);
  }

 private:
  static void advance(uint32_t n, const int32_t* __restrict action,
                      const double* __restrict gravity, const double* __restrict thrust,
                      double* __restrict height, double* __restrict speed, double* __restrict fuel,
                      float* __restrict obs, float* __restrict left, double* __restrict reward,
                      uint8_t* __restrict terminated) {
    constexpr double dt = 0.1;
#ifndef AS_THE_KERNEL
    for (uint32_t i = 0; i < n; ++i) {
      const bool burns = action[i] == 1 && fuel[i] > 0;
      if (burns) fuel[i] = std::max(0.0, fuel[i] - dt);
      speed[i] += ((burns ? thrust[i] : 0.0) - gravity[i]) * dt;
      height[i] = std::min(std::max(height[i] + speed[i] * dt, 0.0), 100.0);
      const bool down = height[i] <= 0;
      reward[i] = down ? (speed[i] > -1 ? 10.0 : speed[i]) : (burns ? -0.01 : 0.0);
      terminated[i] = down ? 1 : 0;
      left[i] = static_cast<float>(fuel[i]);
    }
#else
    for (uint32_t i = 0; i < n; ++i) {
      const double push = thrust[i];
      const double used = std::max(0.0, fuel[i] - dt);
      const bool burns = (action[i] == 1) & (fuel[i] > 0);
      fuel[i] = burns ? used : fuel[i];
      speed[i] += ((burns ? push : 0.0) - gravity[i]) * dt;
      height[i] = std::min(std::max(height[i] + speed[i] * dt, 0.0), 100.0);
      const double landing = speed[i] > -1 ? 10.0 : speed[i];
      const double flying = burns ? -0.01 : 0.0;
      reward[i] = height[i] <= 0 ? landing : flying;
      left[i] = static_cast<float>(fuel[i]);
    }
    for (uint32_t i = 0; i < n; ++i) terminated[i] = height[i] <= 0 ? 1 : 0;
#endif
    for (uint32_t i = 0; i < n; ++i) {
      obs[2 * i] = static_cast<float>(height[i]);
      obs[2 * i + 1] = static_cast<float>(speed[i]);
    }
  }
};

BARE_LOOP(Lander)
