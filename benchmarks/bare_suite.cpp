// The limit for pools of the DeepMind Control Suite: threads that step simulations of their own as
// dm_control does, write down what there is to observe, and begin anew after 1,000 steps. Instead
// of a reward they add up what the sensors say.
//
// Compiled and driven by bare.py.

#include <algorithm>
#include <memory>
#include <parallel_pool/mujoco.hpp>
#include <parallel_pool/rng.hpp>
#include <vector>

#include "bare_threads.hpp"

namespace {

using namespace pp::mujoco;

struct Plan {
  const double* states;  // [beginnings][nq + nv + na]
  uint32_t beginnings;
  uint32_t sub_steps;
  uint32_t settling;  // steps of the simulation before an episode
};

class Env {
 public:
  Env(const std::shared_ptr<const Model>& model, const Plan& plan, uint64_t seed)
      : sim_(model),
        plan_(plan),
        rng_(seed),
        act_(sim_.array<double>("mjData.act")),
        sensors_(sim_.array<double>("mjData.sensordata")),
        n_sensors_(model->at<int64_t>("mjModel.nsensordata")),
        runge_kutta_(model->at<int32_t>("mjModel.opt.integrator") ==
                     model->engine.constant("mjINT_RK4")),
        obs_(static_cast<size_t>(model->nq + model->nv + model->na + n_sensors_)) {
    reset();
  }

  void step() {
    const Model& m = sim_.model;
    const double* const range = m.actuator_ctrlrange;
    for (int64_t i = 0; i < m.nu; ++i) sim_.ctrl[i] = rng_.uniform(range[2 * i], range[2 * i + 1]);
    uint32_t left = plan_.sub_steps;
    if (!runge_kutta_) {
      m.engine.step2(m.raw, sim_.raw);
      --left;
    }
    for (; left > 0; --left) m.engine.step(m.raw, sim_.raw);
    m.engine.step1(m.raw, sim_.raw);
    double* out = std::copy(sim_.qpos, sim_.qpos + m.nq, obs_.data());
    out = std::copy(sim_.qvel, sim_.qvel + m.nv, out);
    out = std::copy(act_, act_ + m.na, out);
    std::copy(sensors_, sensors_ + n_sensors_, out);
    for (int64_t i = 0; i < n_sensors_; ++i) reward += sensors_[i];
    if (++elapsed_ == 1000) reset();
  }

  double reward = 0;

 private:
  void reset() {
    const Model& m = sim_.model;
    elapsed_ = 0;
    const int64_t size = m.nq + m.nv + m.na;
    const double* state = plan_.states + size * rng_.integers32(0, plan_.beginnings);
    m.engine.reset_data(m.raw, sim_.raw);
    std::copy(state, state + m.nq, sim_.qpos);
    std::copy(state + m.nq, state + m.nq + m.nv, sim_.qvel);
    std::copy(state + m.nq + m.nv, state + size, act_);
    for (uint32_t i = 0; i < plan_.settling; ++i) m.engine.step(m.raw, sim_.raw);
    m.engine.forward(m.raw, sim_.raw);
  }

  Simulation sim_;
  const Plan plan_;
  pp::Rng rng_;
  double* const act_;
  const double* const sensors_;
  const int64_t n_sensors_;
  const bool runge_kutta_;
  std::vector<double> obs_;
  int elapsed_ = 0;
};

}  // namespace

using Bare = BareThreads<Env>;

// `model`: the address of a pp_mujoco_model; the states are Python's.
extern "C" Bare* bare_new(uint64_t model, const double* states, uint32_t beginnings,
                          uint32_t sub_steps, uint32_t settling, uint32_t threads, uint32_t envs) {
  const auto shared =
      std::make_shared<const Model>(*reinterpret_cast<const pp_mujoco_model*>(model));
  const Plan plan{states, beginnings, sub_steps, settling};
  return new Bare(threads, envs,
                  [&](uint64_t seed) { return std::make_unique<Env>(shared, plan, seed); });
}

extern "C" uint64_t bare_run(Bare* bare, double seconds) {
  return bare->run(seconds);
}

extern "C" void bare_delete(Bare* bare) {
  delete bare;
}
