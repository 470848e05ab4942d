#include "classic_control/mountain_car_continuous.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "classic_control/blocks.hpp"
#include "classic_control/hill.hpp"
#include "numeric/clones.hpp"
#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

constexpr double goal_position = 0.45;
constexpr double power = 0.0015;

template <class Real>
struct Car {
  Real free_velocity;  // before it is limited
  Real velocity;
  Real position;
};

// A step in the precision Real. `change`: of the velocity, rounded to float32 where that is what
// numpy makes of it.
template <class Real>
PP_CLASSIC_INLINE Car<Real> drive(double position, double velocity, double change) {
  constexpr auto most = static_cast<Real>(max_speed);
  const Real free_velocity = static_cast<Real>(velocity) + static_cast<Real>(change);
  const Real v = std::min(std::max(free_velocity, -most), most);
  const Real x =
      std::min(std::max(static_cast<Real>(position) + v, static_cast<Real>(min_position)),
               static_cast<Real>(max_position));
  return {free_velocity, v, x};
}

// The rest of a step is for loops of their own: next to the limits above, which ask the same of the
// position and the velocity, the compiler would make branches of these comparisons.

// The velocity, or 0 at the wall.
template <class Real>
PP_CLASSIC_INLINE Real halted(const Car<Real>& car) {
  const bool stopped = (car.position == static_cast<Real>(min_position)) & (car.velocity < 0);
  return stopped ? Real{0} : car.velocity;
}

// Returns true if the car is at the goal, and fast enough.
template <class Real>
PP_CLASSIC_INLINE bool arrives(const Car<Real>& car, double goal_velocity) {
  // A limited speed is a Python float, which compares with the goal in double precision; a numpy
  // float32 makes the goal a float32 first.
  const bool fast = car.free_velocity > static_cast<Real>(max_speed);
  const bool fast_back = car.free_velocity < static_cast<Real>(-max_speed);
  const bool quick = (fast & (max_speed >= goal_velocity)) |
                     (fast_back & (-max_speed >= goal_velocity)) |
                     (!fast & !fast_back & (car.velocity >= static_cast<Real>(goal_velocity)));
  return (car.position >= static_cast<Real>(goal_position)) & quick;
}

// Computes the angle at which the landscape is a cosine.
PP_CLASSIC_CLONES
void place(uint32_t n, const double* __restrict position, const uint8_t* __restrict fresh,
           double* __restrict angle) {
  for (uint32_t i = 0; i < n; ++i) {
    const auto single = static_cast<double>(3 * static_cast<float>(position[i]));
    angle[i] = fresh[i] != 0 ? 3 * position[i] : single;
  }
}

// A force within its limits is a numpy float32, one that was limited a Python float.
struct Push {
  double pull;
  double outside;
  bool limited;

  PP_CLASSIC_INLINE Push(float action, double cosine)
      : pull(gravity * cosine),
        outside(std::copysign(power, static_cast<double>(action)) - pull),
        limited((action < -1.0f) | (action > 1.0f)) {}
  // Returns the change of the velocity.
  PP_CLASSIC_INLINE double change(float action) const {
    const float inside = action * static_cast<float>(power) - static_cast<float>(pull);
    return limited ? outside : static_cast<double>(inside);
  }
};

// Sets `doubt` where a neighbouring cosine might change the float32 that a result is rounded to.
// `outside` is a difference: where it is not small, the two cosines may change it by 800 of its own
// units in the last place.
PP_CLASSIC_CLONES
void doubt_floats(uint32_t n, const float* __restrict action, const double* __restrict cosine,
                  uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const Push push(action[i], cosine[i]);
    const bool close = is_doubtful_float(push.pull);
    const bool far = is_doubtful_float(push.outside, 2000) | !(std::fabs(push.outside) > 1e-5);
    const bool either = (push.limited & far) | (!push.limited & close);
    doubt[i] = static_cast<uint8_t>(doubt[i] | (either ? float_cosine : 0));
  }
}

// One step of cars that made one before, in single precision.
PP_CLASSIC_CLONES
void advance(uint32_t n, const float* __restrict action, const double* __restrict cosine,
             const double* __restrict goal_velocity, double* __restrict change,
             double* __restrict position, double* __restrict velocity, double* __restrict reward,
             uint8_t* __restrict terminated) {
  for (uint32_t i = 0; i < n; ++i) change[i] = Push(action[i], cosine[i]).change(action[i]);
  for (uint32_t i = 0; i < n; ++i) {
    const Car<float> car = drive<float>(position[i], velocity[i], change[i]);
    position[i] = static_cast<double>(car.position);
    velocity[i] = static_cast<double>(car.velocity);
    change[i] = static_cast<double>(car.free_velocity);
  }
  for (uint32_t i = 0; i < n; ++i) {
    const Car<float> car{static_cast<float>(change[i]), static_cast<float>(velocity[i]),
                         static_cast<float>(position[i])};
    terminated[i] = static_cast<uint8_t>(arrives(car, goal_velocity[i]));
    velocity[i] = static_cast<double>(halted(car));
  }
  for (uint32_t i = 0; i < n; ++i) {
    const double force = static_cast<double>(action[i]);
    reward[i] = static_cast<double>(terminated[i]) * 100.0 - force * force * 0.1;
  }
}

// Does what advance() does, for one car that was just reset.
void advance_fresh(float action, double cosine, double goal_velocity, double& position,
                   double& velocity, double& reward, uint8_t& terminated) {
  const double change = Push(action, cosine).change(action);
  const Car<double> car = drive<double>(position, velocity, change);
  const bool arrived = arrives(car, goal_velocity);
  position = static_cast<double>(static_cast<float>(car.position));
  velocity = static_cast<double>(static_cast<float>(halted(car)));
  const double force = static_cast<double>(action);
  reward = (arrived ? 100.0 : 0.0) - force * force * 0.1;
  terminated = arrived ? 1 : 0;
}

PP_CLASSIC_CLONES
void observe(uint32_t n, const double* __restrict position, const double* __restrict velocity,
             float* __restrict obs) {
  for (uint32_t i = 0; i < n; ++i) {
    obs[2 * i] = static_cast<float>(position[i]);
    obs[2 * i + 1] = static_cast<float>(velocity[i]);
  }
}

}  // namespace

void MountainCarContinuous::describe(pp::Spec& spec, const Options&) {
  bound_observations(spec);
  spec.action().bounds(-1, 1);
}

MountainCarContinuous::MountainCarContinuous(const std::vector<Options>& options)
    : bounds_(options.size(), pp::default_options<ResetOptions>()),
      position_(options.size()),
      velocity_(options.size()),
      fresh_(options.size()) {
  for (const Options& lane : options) goal_velocity_.push_back(lane.goal_velocity);
}

void MountainCarContinuous::reset(const pp::Rows<MountainCarContinuous>& rows) {
  begin_in_the_valley(rows, bounds_, position_, velocity_);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows.selected(i)) fresh_[rows.first() + i] = 1;
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
    doubt_floats(n, action + row, cosine, doubt);
    settle_cosines(n, float_cosine, angle, cosine, doubt);
    const bool any_fresh = std::memchr(&fresh_[lane], 1, n) != nullptr;
    double change[block];
    double position[block];
    double velocity[block];
    if (any_fresh) {
      std::copy_n(&position_[lane], n, position);
      std::copy_n(&velocity_[lane], n, velocity);
    }
    advance(n, action + row, cosine, &goal_velocity_[lane], change, &position_[lane],
            &velocity_[lane], reward + row, terminated + row);
    if (any_fresh) {
      for (uint32_t i = 0; i < n; ++i) {
        if (fresh_[lane + i] == 0) continue;
        position_[lane + i] = position[i];
        velocity_[lane + i] = velocity[i];
        advance_fresh(action[row + i], std::cos(angle[i]), goal_velocity_[lane + i],
                      position_[lane + i], velocity_[lane + i], reward[row + i],
                      terminated[row + i]);
      }
      std::fill_n(&fresh_[lane], n, uint8_t{0});
    }
    observe(n, &position_[lane], &velocity_[lane], obs + 2 * row);
  });
}

void MountainCarContinuous::save(uint32_t lane, pp::StateWriter& out) const {
  out(position_[lane], velocity_[lane], fresh_[lane]);
}

void MountainCarContinuous::load(uint32_t lane, pp::StateReader& in) {
  in(position_[lane], velocity_[lane]);
  in.between(fresh_[lane], 0, 1, "fresh");
}

void MountainCarContinuous::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", position_[lane], velocity_[lane]);
}

// Gymnasium's states are of float64 too when they are set from outside.
void MountainCarContinuous::arrays_written(uint32_t lane) {
  fresh_[lane] = 1;
}

}  // namespace classic
