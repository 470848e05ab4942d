#include "mountain_car.hpp"

struct MountainCarContinuous : Car<float, float> {
  static constexpr uint32_t actions = 0, limit = 999;
  static constexpr double bound = 1.0;
  void step(uint32_t n, const float* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    drive(
        n, 0.45f, reward, terminated, obs, [=](uint32_t i) { return action[i] * 0.0015f; },
        [=](uint32_t i, uint8_t arrived) {
          return (arrived ? 100.0 : 0.0) - static_cast<double>(action[i] * action[i]) * 0.1;
        });
  }
};

BARE_LOOP(MountainCarContinuous)
