// Both cars: in Real precision; Power is the acceleration of one unit of action.
#ifndef PARALLEL_POOL_BENCHMARKS_MOUNTAIN_CAR_HPP_
#define PARALLEL_POOL_BENCHMARKS_MOUNTAIN_CAR_HPP_

#include "loop.hpp"

template <class Real, class Action>
struct Car {
  using Obs = float;
  static constexpr uint32_t width = 2;
  std::vector<Real> position, velocity;
  std::vector<double> cosine;

  void resize(uint32_t n) {
    position.resize(n);
    velocity.resize(n);
    cosine.resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    position[i] = static_cast<Real>(random.uniform(-0.6, -0.4));
    velocity[i] = 0;
  }
  template <class Push, class Reward>
  void drive(uint32_t n, Real goal, double* reward, uint8_t* terminated, float* obs, Push&& push,
             Reward&& rewarded) {
    for (uint32_t i = 0; i < n; ++i) cosine[i] = std::cos(static_cast<double>(3 * position[i]));
    for (uint32_t i = 0; i < n; ++i) {
      Real v = velocity[i] + push(i) - static_cast<Real>(0.0025 * cosine[i]);
      v = std::min(std::max(v, Real(-0.07)), Real(0.07));
      const Real x = std::min(std::max(position[i] + v, Real(-1.2)), Real(0.6));
      v = (x == Real(-1.2)) & (v < 0) ? Real(0) : v;
      position[i] = x;
      velocity[i] = v;
      terminated[i] = (x >= goal) & (v >= 0);
      reward[i] = rewarded(i, terminated[i]);
    }
    for (uint32_t i = 0; i < n; ++i) {
      obs[2 * i] = static_cast<float>(position[i]);
      obs[2 * i + 1] = static_cast<float>(velocity[i]);
    }
  }
};

#endif  // PARALLEL_POOL_BENCHMARKS_MOUNTAIN_CAR_HPP_
