#include "mountain_car.hpp"

struct MountainCar : Car<double, int32_t> {
  static constexpr uint32_t actions = 3, limit = 200;
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    drive(
        n, 0.5, reward, terminated, obs, [=](uint32_t i) { return (action[i] - 1) * 0.001; },
        [](uint32_t, uint8_t) { return -1.0; });
  }
};

BARE_LOOP(MountainCar)
