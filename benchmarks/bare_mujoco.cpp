// The limit for pools of Gymnasium's MuJoCo tasks: threads that step simulations of their own,
// write observations and rewards, and reset what has fallen.
//
// Compiled and driven by bare.py. Tasks: 0 Ant-v5, 1 HalfCheetah-v5, 2 Humanoid-v5,
// 3 HumanoidStandup-v5.

#include <algorithm>
#include <memory>
#include <parallel_pool/rng.hpp>
#include <parallel_pool_mujoco/sdk.hpp>
#include <vector>

#include "bare_threads.hpp"

namespace {

using namespace pp::mujoco;

class Env {
 public:
  Env(const std::shared_ptr<const Model>& model, int task, uint64_t seed)
      : sim_(model), task_(task), rng_(seed), obs_(4096) {
    reset();
  }

  void step() {
    const Model& m = sim_.model;
    const double before = place();
    double squares = 0;
    for (int64_t i = 0; i < m.nu; ++i) {
      sim_.ctrl[i] = rng_.uniform(m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1]);
      squares += sim_.ctrl[i] * sim_.ctrl[i];
    }
    for (int i = 0; i < 5; ++i) m.engine.step(m.raw, sim_.raw);
    if (task_ != 1) m.engine.rne_post_constraint(m.raw, sim_.raw);
    double* out = std::copy(sim_.qpos, sim_.qpos + m.nq, obs_.data());
    out = std::copy(sim_.qvel, sim_.qvel + m.nv, out);
    if (task_ >= 2) {
      out = std::copy(sim_.cinert, sim_.cinert + 10 * m.nbody, out);
      out = std::copy(sim_.cvel, sim_.cvel + 6 * m.nbody, out);
      out = std::copy(sim_.qfrc_actuator, sim_.qfrc_actuator + m.nv, out);
    }
    double forces = 0;
    if (task_ != 1) {
      std::copy(sim_.cfrc_ext, sim_.cfrc_ext + 6 * m.nbody, out);
      for (int64_t i = 0; i < 6 * m.nbody; ++i) forces += sim_.cfrc_ext[i] * sim_.cfrc_ext[i];
    }
    reward += place() - before - 0.1 * squares - 1e-4 * forces;
    const double z = sim_.qpos[2];
    const bool fallen = task_ == 0 ? z < 0.2 || z > 1.0 : task_ == 2 && (z < 1.0 || z > 2.0);
    if (fallen || ++elapsed_ == 1000) reset();
  }

  double reward = 0;

 private:
  // The number that is rewarded: how far a body is, or how high the head of one that gets up.
  double place() const {
    return task_ == 1 ? sim_.qpos[0] : task_ == 3 ? sim_.qpos[2] : sim_.xpos[3];
  }

  void reset() {
    const Model& m = sim_.model;
    elapsed_ = 0;
    m.engine.reset_data(m.raw, sim_.raw);
    const double scale = task_ >= 2 ? 0.01 : 0.1;
    for (int64_t i = 0; i < m.nq; ++i) sim_.qpos[i] += rng_.uniform(-scale, scale);
    for (int64_t i = 0; i < m.nv; ++i) sim_.qvel[i] = rng_.uniform(-scale, scale);
    m.engine.forward(m.raw, sim_.raw);
  }

  Simulation sim_;
  int task_;
  pp::Rng rng_;
  std::vector<double> obs_;
  int elapsed_ = 0;
};

}  // namespace

using Bare = BareThreads<Env>;

// `model`: the address of a pp_mujoco_model.
extern "C" Bare* bare_new(uint64_t model, int task, uint32_t threads, uint32_t envs) {
  const auto shared =
      std::make_shared<const Model>(*reinterpret_cast<const pp_mujoco_model*>(model));
  return new Bare(threads, envs,
                  [&](uint64_t seed) { return std::make_unique<Env>(shared, task, seed); });
}

extern "C" uint64_t bare_run(Bare* bare, double seconds) {
  return bare->run(seconds);
}

extern "C" void bare_delete(Bare* bare) {
  delete bare;
}
