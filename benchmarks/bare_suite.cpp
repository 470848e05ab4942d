// The limit for pools of the DeepMind Control Suite: threads that step tasks of their own. A step
// is all that the task is: controls that were drawn before (256 of each environment, in turn, as
// the pools' are), MuJoCo's functions in dm_control's order, the observation, the reward, and a new
// episode after 1,000 steps. There is no pool, no action comes in, no row goes out, and nothing
// waits.
//
// Observations, rewards and beginnings are the plugin's own code, with the C library's exp, log and
// so on: those of numpy, which a pool uses for their last bits, cost more.
//
// Compiled and driven by bare.py.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bare_threads.hpp"
#include "cartpole.hpp"
#include "cheetah.hpp"
#include "dog.hpp"
#include "humanoid.hpp"
#include "humanoid_cmu.hpp"
#include "manipulator.hpp"
#include "quadruped_escape.hpp"
#include "walker.hpp"

namespace {

struct AnyEnv {
  virtual ~AnyEnv() = default;
  virtual void step() = 0;
};

template <class Task>
class Env : public AnyEnv {
 public:
  Env(const typename Task::Options& options, bool own_model, uint64_t seed)
      : physics_(options, own_model),
        task_(options, physics_),
        runge_kutta_(physics_.model.template at<int32_t>("mjModel.opt.integrator") ==
                     physics_.model.engine.constant("mjINT_RK4")) {
    random_.seed(seed);
    const double* const range = physics_.model.actuator_ctrlrange;
    pp::Rng draw(seed);
    for (size_t i = 0; i < n_action; ++i) {
      for (int64_t k = 0; k < physics_.model.nu; ++k) {
        actions_.push_back(draw.uniform(range[2 * k], range[2 * k + 1]));
      }
    }
    for (const suite::Entry& entry : Task::observed(options, physics_.model)) {
      arrays_.emplace_back(entry.size());
      places_.push_back(arrays_.back().data());
    }
    reset();
  }

  void step() override {
    const suite::Model& m = physics_.model;
    suite::RawData* const data = physics_.simulation.raw;
    const double* const action = actions_.data() + m.nu * static_cast<int64_t>(turn_++ % n_action);
    std::copy(action, action + m.nu, physics_.ctrl);
    int64_t left = physics_.n_sub_steps;
    if (!runge_kutta_) {
      m.engine.step2(m.raw, data);
      --left;
    }
    for (; left > 0; --left) m.engine.step(m.raw, data);
    m.engine.step1(m.raw, data);
    reward += task_.reward();
    if (++elapsed_ == 1000) {
      reset();
    } else {
      observe();
    }
  }

  double reward = 0;

 private:
  static constexpr size_t n_action = 256;

  void reset() {
    elapsed_ = 0;
    physics_.reset();
    task_.initialize_episode(random_);
    physics_.forward_without_actuation();
    observe();
  }
  void observe() {
    suite::ObservationWriter out(places_.data());
    task_.observe(out);
  }

  suite::Physics physics_;
  Task task_;
  suite::RandomState random_;
  const bool runge_kutta_;
  std::vector<double> actions_;
  size_t turn_ = 0;
  std::vector<std::vector<double>> arrays_;
  std::vector<double*> places_;
  int elapsed_ = 0;
};

template <class Task>
std::unique_ptr<AnyEnv> made(typename Task::Options options, uint64_t model, uint32_t sub_steps,
                             bool own_model, uint64_t seed) {
  options.model = static_cast<int64_t>(model);
  options.n_sub_steps = sub_steps;
  options.legacy_step = true;
  return std::make_unique<Env<Task>>(options, own_model, seed);
}

// `task`: its number in bare.py.
std::unique_ptr<AnyEnv> make(uint32_t task, uint64_t model, uint32_t sub_steps, uint64_t seed) {
  switch (task) {
    case 0:
      return made<suite::Cheetah>({}, model, sub_steps, false, seed);
    case 1: {
      suite::WalkerOptions options{};
      options.move_speed = 1;
      return made<suite::Walker>(options, model, sub_steps, false, seed);
    }
    case 2: {
      suite::CartpoleOptions options{};
      options.swing_up = true;
      return made<suite::Cartpole>(options, model, sub_steps, false, seed);
    }
    case 3: {
      suite::HumanoidOptions options{};
      options.move_speed = 10;
      return made<suite::Humanoid>(options, model, sub_steps, false, seed);
    }
    case 4:
    case 6: {
      suite::DogOptions options{};
      options.move_speed = task == 4 ? 9 : 1;
      return made<suite::Dog>(options, model, sub_steps, false, seed);
    }
    case 5: {
      suite::ManipulatorOptions options{};
      options.fully_observable = true;
      return made<suite::Manipulator>(options, model, sub_steps, true, seed);
    }
    case 7: {
      suite::HumanoidTaskOptions options{};
      options.move_speed = 10;
      return made<suite::HumanoidCMU>(options, model, sub_steps, false, seed);
    }
    case 8:
      return made<suite::QuadrupedEscape>({}, model, sub_steps, true, seed);
    default:
      throw std::invalid_argument("there is no task of that number");
  }
}

}  // namespace

using Bare = BareThreads<AnyEnv>;

// `model`: the address of a pp_mujoco_model.
extern "C" Bare* bare_new(uint64_t model, uint32_t task, uint32_t sub_steps, uint32_t threads,
                          uint32_t envs) {
  return new Bare(threads, envs, [&](uint64_t seed) { return make(task, model, sub_steps, seed); });
}

extern "C" uint64_t bare_run(Bare* bare, double seconds) {
  return bare->run(seconds);
}

// So many steps of each environment, in this thread, to count instructions.
extern "C" void bare_step(Bare* bare, uint64_t steps) {
  bare->step(steps);
}

extern "C" void bare_delete(Bare* bare) {
  delete bare;
}
