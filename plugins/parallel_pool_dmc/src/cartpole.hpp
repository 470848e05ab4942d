// Cartpole: balance one pole or several on a cart, or swing them up first. As dm_control's
// suite.cartpole has it.
#ifndef PARALLEL_POOL_DMC_CARTPOLE_HPP_
#define PARALLEL_POOL_DMC_CARTPOLE_HPP_

#include <cstddef>

#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

struct CartpoleOptions : SuiteOptions {
  bool swing_up;
  bool sparse;
  int64_t num_poles;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&CartpoleOptions::swing_up, "swing_up", false, "the poles hang down at the start"),
      option(&CartpoleOptions::sparse, "sparse", false, "the reward is 0 or 1"),
      option(&CartpoleOptions::num_poles, "num_poles", 0, "number of poles; 0: that of the task",
             Range{0, 100}));
};

class Cartpole {
 public:
  static constexpr const char* id = "dmc/cartpole-v1";
  static constexpr const char* summary = "Balance poles on a cart";
  using Options = CartpoleOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {1 + 2 * (model.nbody - first_pole)}}, {"velocity", {model.nv}}};
  }

  Cartpole(const Options& options, Physics& physics)
      : physics_(physics),
        slider_(physics.joint_qpos("slider")),
        hinge_(physics.joint_qpos("hinge_1")),
        swing_up_(options.swing_up),
        sparse_(options.sparse) {}

  void initialize_episode(RandomState& random) {
    const int64_t nv = physics_.model.nv;
    if (swing_up_) {
      *slider_ = .01 * random.randn();
      *hinge_ = pi + .01 * random.randn();
      for (int64_t i = 2; i < nv; ++i) physics_.qpos[i] = .1 * random.randn();
    } else {
      *slider_ = random.uniform(-.1, .1);
      for (int64_t i = 1; i < nv; ++i) physics_.qpos[i] = random.uniform(-.034, .034);
    }
    for (int64_t i = 0; i < nv; ++i) physics_.qvel[i] = 0.01 * random.randn();
  }

  void observe(ObservationWriter& out) const {
    double* position = out.next();
    *position++ = *slider_;
    for (int64_t body = first_pole; body < physics_.model.nbody; ++body) {
      *position++ = physics_.xmat[9 * body + zz];
      *position++ = physics_.xmat[9 * body + xz];
    }
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const { return sparse_ ? sparse_reward() : smooth_reward(); }

 private:
  static constexpr int64_t first_pole = 2;  // its body

  double cosine(size_t pole) const { return physics_.xmat[9 * (first_pole + pole) + zz]; }
  size_t poles() const { return static_cast<size_t>(physics_.model.nbody - first_pole); }

  double sparse_reward() const {
    double reward = tolerance(*slider_, {-.25, .25});
    for (size_t pole = 0; pole < poles(); ++pole) {
      reward *= element_tolerance(cosine(pole), {.995, 1});
    }
    return reward;
  }

  double smooth_reward() const {
    const double sum =
        numpy_sum<double>([this](size_t pole) { return (cosine(pole) + 1) / 2; }, 0, poles());
    const double upright = sum / static_cast<double>(poles());
    const double centered = (1 + tolerance(*slider_, {}, 2)) / 2;
    const double still = element_tolerance(physics_.ctrl[0], {}, 1, Sigmoid::quadratic, 0);
    const double small_control = (4 + still) / 5;
    const auto hinges = static_cast<size_t>(physics_.model.nv - 1);
    const double small_velocity = (1 + least_tolerance(physics_.qvel + 1, hinges, 5)) / 2;
    return upright * small_control * small_velocity * centered;
  }

  Physics& physics_;
  double* const slider_;
  double* const hinge_;
  const bool swing_up_;
  const bool sparse_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_CARTPOLE_HPP_
