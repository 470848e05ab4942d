#include "classic_control/mountain_car_continuous.hpp"

#include <algorithm>

#include "classic_control/blocks.hpp"
#include "numeric/clones.hpp"
#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

constexpr double min_position = -1.2;
constexpr double max_position = 0.6;
constexpr double max_speed = 0.07;
constexpr double goal_position = 0.45;
constexpr double power = 0.0015;
constexpr double gravity = 0.0025;

struct Car {
  double position;
  double velocity;
  bool arrived;
};

// A step in the precision Real. `change`: of the velocity, rounded to float32 where that is what
// numpy makes of it.
template <class Real>
inline Car drive(double position, double velocity, double change, double goal_velocity) {
  Real v = static_cast<Real>(velocity) + static_cast<Real>(change);
  // A limited speed is a Python float, which compares with the goal in double precision; a numpy
  // float32 makes the goal a float32 first.
  const bool fast = v > static_cast<Real>(max_speed);
  const bool fast_back = v < static_cast<Real>(-max_speed);
  v = fast ? static_cast<Real>(max_speed) : v;
  v = fast_back ? static_cast<Real>(-max_speed) : v;
  Real x = static_cast<Real>(position) + v;
  x = x > static_cast<Real>(max_position) ? static_cast<Real>(max_position) : x;
  x = x < static_cast<Real>(min_position) ? static_cast<Real>(min_position) : x;
  const bool stopped = (x == static_cast<Real>(min_position)) & (v < 0);
  v = stopped ? Real{0} : v;
  const double goal = static_cast<double>(static_cast<Real>(goal_velocity));
  double compared = static_cast<double>(v);
  compared = fast ? max_speed : compared;
  compared = fast_back & !stopped ? -max_speed : compared;
  const double least = fast | fast_back | stopped ? goal_velocity : goal;
  const bool arrived = (x >= static_cast<Real>(goal_position)) & (compared >= least);
  return {static_cast<double>(x), static_cast<double>(v), arrived};
}

// Where on the cosine of the landscape.
PP_CLASSIC_CLONES
void place(uint32_t n, const double* __restrict position, const uint8_t* __restrict fresh,
           double* __restrict angle) {
  for (uint32_t i = 0; i < n; ++i) {
    const auto single = static_cast<double>(3 * static_cast<float>(position[i]));
    angle[i] = fresh[i] != 0 ? 3 * position[i] : single;
  }
}

PP_CLASSIC_CLONES
void advance(uint32_t n, const float* __restrict action, const double* __restrict cosine,
             const double* __restrict goal_velocity, const uint8_t* __restrict fresh,
             double* __restrict position, double* __restrict velocity, double* __restrict reward,
             uint8_t* __restrict terminated, float* __restrict obs) {
  for (uint32_t i = 0; i < n; ++i) {
    // A force within its limits is a numpy float32, one that was limited a Python float.
    const double pull = gravity * cosine[i];
    const float inside = action[i] * static_cast<float>(power) - static_cast<float>(pull);
    const double outside = (action[i] < 0 ? -1.0 : 1.0) * power - pull;
    const bool limited = (action[i] < -1.0f) | (action[i] > 1.0f);
    const double change = limited ? outside : static_cast<double>(inside);
    const Car single = drive<float>(position[i], velocity[i], change, goal_velocity[i]);
    const Car dual = drive<double>(position[i], velocity[i], change, goal_velocity[i]);
    const bool is_fresh = fresh[i] != 0;
    const bool arrived = (single.arrived & !is_fresh) | (dual.arrived & is_fresh);
    const double x = is_fresh ? dual.position : single.position;
    const double v = is_fresh ? dual.velocity : single.velocity;
    position[i] = static_cast<double>(static_cast<float>(x));
    velocity[i] = static_cast<double>(static_cast<float>(v));
    const double force = static_cast<double>(action[i]);
    reward[i] = (arrived ? 100.0 : 0.0) - force * force * 0.1;
    terminated[i] = arrived ? 1 : 0;
  }
  for (uint32_t i = 0; i < n; ++i) {
    obs[2 * i] = static_cast<float>(position[i]);
    obs[2 * i + 1] = static_cast<float>(velocity[i]);
  }
}

}  // namespace

void MountainCarContinuous::describe(pp::Spec& spec, const pp::Options&) {
  spec.obs().bounds({min_position, -max_speed}, {max_position, max_speed});
  spec.action().bounds(-1, 1);
}

MountainCarContinuous::MountainCarContinuous(const pp::LaneOptions& options)
    : bounds_(options.size(), -0.6, -0.4),
      position_(options.size()),
      velocity_(options.size()),
      fresh_(options.size()) {
  for (uint32_t lane = 0; lane < options.size(); ++lane) {
    goal_velocity_.push_back(options[lane].real("goal_velocity"));
  }
}

void MountainCarContinuous::reset(const pp::Rows<MountainCarContinuous>& rows) {
  float* obs = rows.obs();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    position_[lane] = rows.rng(i).uniform(bounds_.low(lane), bounds_.high(lane));
    velocity_[lane] = 0;
    fresh_[lane] = 1;
    obs[2 * i] = static_cast<float>(position_[lane]);
    obs[2 * i + 1] = 0;
  }
}

void MountainCarContinuous::step(const pp::Rows<MountainCarContinuous>& rows) {
  no_truncation(rows);
  const float* action = rows.action();
  double* reward = rows.reward();
  uint8_t* terminated = rows.terminated();
  float* obs = rows.obs();
  in_blocks(rows, [&](uint32_t row, uint32_t lane, uint32_t n) {
    double angle[block];
    double cosine[block];
    uint8_t doubt[block];
    place(n, &position_[lane], &fresh_[lane], angle);
    near_cosines(n, angle, cosine, doubt);
    settle_cosines(n, exact_cosine, angle, cosine, doubt);
    advance(n, action + row, cosine, &goal_velocity_[lane], &fresh_[lane], &position_[lane],
            &velocity_[lane], reward + row, terminated + row, obs + 2 * row);
    std::fill_n(&fresh_[lane], n, uint8_t{0});
  });
}

void MountainCarContinuous::save(uint32_t lane, pp::StateWriter& out) const {
  out(position_[lane], velocity_[lane], fresh_[lane]);
}

void MountainCarContinuous::load(uint32_t lane, pp::StateReader& in) {
  in(position_[lane], velocity_[lane], fresh_[lane]);
}

void MountainCarContinuous::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", position_[lane], velocity_[lane]);
}

// As in Gymnasium, where whoever sets a state sets one of float64.
void MountainCarContinuous::arrays_written(uint32_t lane) {
  fresh_[lane] = 1;
}

}  // namespace classic
