#include "classic_control/mountain_car.hpp"

#include <algorithm>

#include "classic_control/blocks.hpp"
#include "classic_control/hill.hpp"
#include "numeric/clones.hpp"
#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

constexpr double goal_position = 0.5;
constexpr double force = 0.001;

// Computes the angle at which the landscape is a cosine.
PP_CLASSIC_CLONES
void place(uint32_t n, const double* __restrict position, double* __restrict angle) {
  for (uint32_t i = 0; i < n; ++i) angle[i] = 3 * position[i];
}

PP_CLASSIC_CLONES
void advance(uint32_t n, const int32_t* __restrict action, const double* __restrict cosine,
             const double* __restrict goal_velocity, double* __restrict position,
             double* __restrict velocity, double* __restrict reward, uint8_t* __restrict terminated,
             float* __restrict obs) {
  for (uint32_t i = 0; i < n; ++i) {
    const double push = static_cast<double>(action[i] - 1) * force;
    const double free_velocity = velocity[i] + (push + cosine[i] * -gravity);
    const double limited = std::min(std::max(free_velocity, -max_speed), max_speed);
    const double x = std::min(std::max(position[i] + limited, min_position), max_position);
    const bool at_wall = (x == min_position) & (limited < 0);
    const double v = at_wall ? 0.0 : limited;
    position[i] = x;
    velocity[i] = v;
    reward[i] = -1.0;
    terminated[i] = ((x >= goal_position) & (v >= goal_velocity[i])) ? 1 : 0;
  }
  for (uint32_t i = 0; i < n; ++i) {
    obs[2 * i] = static_cast<float>(position[i]);
    obs[2 * i + 1] = static_cast<float>(velocity[i]);
  }
}

}  // namespace

void MountainCar::describe(pp::Spec& spec, const Options&) {
  bound_observations(spec);
}

MountainCar::MountainCar(const std::vector<Options>& options)
    : bounds_(options.size(), pp::default_options<ResetOptions>()),
      position_(options.size()),
      velocity_(options.size()) {
  for (const Options& lane : options) goal_velocity_.push_back(lane.goal_velocity);
}

void MountainCar::reset(const pp::Rows<MountainCar>& rows) {
  begin_in_the_valley(rows, bounds_, position_, velocity_);
}

void MountainCar::step(const pp::Rows<MountainCar>& rows) {
  no_truncation(rows);
  const int32_t* action = rows.action();
  double* reward = rows.reward();
  uint8_t* terminated = rows.terminated();
  float* obs = rows.obs();
  in_blocks(rows, [&](uint32_t row, uint32_t lane, uint32_t n) {
    double angle[block];
    double cosine[block];
    uint8_t doubt[block];
    place(n, &position_[lane], angle);
    near_cosines(n, angle, cosine, doubt);
    settle_cosines(n, exact_cosine, angle, cosine, doubt);
    advance(n, action + row, cosine, &goal_velocity_[lane], &position_[lane], &velocity_[lane],
            reward + row, terminated + row, obs + 2 * row);
  });
}

void MountainCar::save(uint32_t lane, pp::StateWriter& out) const {
  out(position_[lane], velocity_[lane]);
}

void MountainCar::load(uint32_t lane, pp::StateReader& in) {
  in(position_[lane], velocity_[lane]);
}

void MountainCar::arrays(uint32_t lane, pp::ArrayList& list) {
  list.values("state", position_[lane], velocity_[lane]);
}

}  // namespace classic
