// {{ cookiecutter.env }}: run forwards on four legs; the torso has another mass in every episode.
// The robot is python/{{ cookiecutter.__module }}/{{ cookiecutter.family }}.xml.
#include <parallel_pool/env.hpp>
#include <parallel_pool_mujoco/sdk.hpp>

#include <algorithm>
#include <cstdint>

namespace {

class {{ cookiecutter.env }} : public pp::mujoco::Task {
 public:
  static constexpr const char* id = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0";
  static constexpr const char* summary = "Run forwards on four legs";

  // Keyword arguments of parallel_pool.make, besides those of every task with MuJoCo.
  struct Options : pp::mujoco::TaskOptions {
    double torque_cost;
    pp::Range mass_range;
    static constexpr auto declared = pp::options(
        TaskOptions::declared.with_default(&Options::frame_skip, 4),
        pp::option(&Options::torque_cost, "torque_cost", 0.05, "of the squared controls"),
        pp::option(&Options::mass_range, "mass_range", {0.7, 1.3},
                   "of the torso, as a factor: a new one in every episode"));
  };

  using Obs = pp::Dict<pp::At<"joints", double, 16>,   // angles in rad, speeds in rad/s
                       pp::At<"torso", double, 11>>;  // height, rotation, velocities
  using Info =
      pp::Dict<pp::mujoco::Real<"mass">, pp::mujoco::Real<"x_velocity">, pp::mujoco::WarningKey>;

  // Describes what depends on the model: the action has as many numbers as there are motors.
  static void describe(pp::Spec& spec, const Options& options) {
    Task::describe(spec, *pp::mujoco::Model::share(options));
  }

  // Names are looked up here, once. The model is the environment's own, since episodes change it.
  explicit {{ cookiecutter.env }}(const Options& options)
      : Task(options, pp::mujoco::Model::own(options)),
        torque_cost_(options.torque_cost),
        mass_range_(options.mass_range),
        torso_(sim_.model.body("torso")),
        masses_(sim_.edit_with_derived<double>("mjModel.body_mass")) {
    require(sim_.model, "nq", nq(), n_free + n_joints);
  }

  // A new episode. Take all random numbers from `rng`: it is numpy's default_rng(seed).
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    const double factor = rng.uniform(mass_range_.low, mass_range_.high);
    masses_[torso_] = factor * sim_.model.body_mass[torso_];  // the XML's mass
    sim_.reset();  // derives what follows from the mass
    for (int64_t i = n_free; i < nq(); ++i) sim_.qpos[i] += rng.uniform(-0.1, 0.1);
    sim_.forward();
    observe(obs, pp::mujoco::InfoWriter<Info>(info), 0);
    info.get<"mujoco_warning">() = 0;
  }

  // One step: the controls, then frame_skip steps of MuJoCo. Returns reward and terminated.
  pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    const double before = sim_.qpos[0];
    simulate(action);
    const double speed = (sim_.qpos[0] - before) / dt_;
    const pp::mujoco::InfoWriter<Info> out(info);
    observe(obs, out, speed);
    const auto motors = static_cast<size_t>(sim_.model.nu);
    const double cost = torque_cost_ * pp::mujoco::sum_of_squares(sim_.ctrl, motors);
    return outcome(speed - cost, sim_.qpos[2] < 0.2, out);
  }

  // States, arrays by name (read_array) and pictures are Task's. A task with members that decide
  // the future has a save and a load that call Task's first.

 private:
  static constexpr int64_t n_free = 7;  // positions of the free joint, before those of the legs
  static constexpr int64_t n_joints = 8;

  void observe(Obs::Ref obs, const pp::mujoco::InfoWriter<Info>& info, double speed) const {
    auto out = obs.get<"joints">();
    std::copy(sim_.qpos + n_free, sim_.qpos + n_free + n_joints, out.begin());
    std::copy(sim_.qvel + 6, sim_.qvel + 6 + n_joints, out.begin() + n_joints);
    auto body = obs.get<"torso">();
    std::copy(sim_.qpos + 2, sim_.qpos + n_free, body.begin());
    std::copy(sim_.qvel, sim_.qvel + 6, body.begin() + 5);
    put<"mass">(info, masses_[torso_]);
    put<"x_velocity">(info, speed);
  }

  const double torque_cost_;
  const pp::Range mass_range_;
  const int64_t torso_;
  double* const masses_;  // [nbody], kg
};

}  // namespace

PP_PLUGIN("{{ cookiecutter.family }}", pp::scalar<{{ cookiecutter.env }}>());
