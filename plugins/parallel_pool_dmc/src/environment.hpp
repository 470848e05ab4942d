// Makes a task an environment of the host, as dm_control's control.Environment does with a Task.
//
//   class Cheetah {
//    public:
//     static constexpr const char* id = "dmc/cheetah-v1";
//     static constexpr const char* summary = "Run with a planar cheetah";
//     using Options = SuiteOptions;                       // or a set that derives from it
//     // The arrays of its observation, in dm_control's order.
//     static Entries observed(const Options& options, const Model& model);
//
//     Cheetah(const Options& options, Physics& physics);  // names are looked up here
//     void initialize_episode(RandomState& random);
//     void observe(ObservationWriter& out) const;         // the same arrays, in the same order
//     double reward() const;
//   };
//   PP_PLUGIN("dmc", suite::environment<Cheetah>(), ...)
//
// Optional members: `static bool edits_model(const Options&)` (true if it calls physics.edit()),
// `void seed(RandomState&)` (draws the numbers that dm_control draws when it makes the task, once
// for each seed), `void after_step()`, `bool terminated() const` (an end with discount 0), `save`
// and `load` of members that an episode keeps.
//
// The generator is numpy's RandomState, seeded with the environment's seed: environment i of a pool
// with seed s is dm_control's with random=s + i. A new seed begins as a new environment of
// dm_control does.
#ifndef PARALLEL_POOL_DMC_ENVIRONMENT_HPP_
#define PARALLEL_POOL_DMC_ENVIRONMENT_HPP_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "observation.hpp"
#include "options.hpp"
#include "physics.hpp"
#include "reward_colors.hpp"
#include "sdk_names.hpp"

namespace suite {

#define SUITE_DETECT(trait, expression) \
  template <class Task, class = void>   \
  struct trait : std::false_type {};    \
  template <class Task>                 \
  struct trait<Task, std::void_t<decltype(expression)>> : std::true_type {}

SUITE_DETECT(EditsModel, Task::edits_model(std::declval<const typename Task::Options&>()));
SUITE_DETECT(SeedsTask, std::declval<Task&>().seed(std::declval<RandomState&>()));
SUITE_DETECT(HasAfterStep, std::declval<Task&>().after_step());
SUITE_DETECT(HasTerminated, std::declval<const Task&>().terminated());
SUITE_DETECT(SavesTask, std::declval<const Task&>().save(std::declval<StateWriter&>()));
#undef SUITE_DETECT

template <class Task>
class Environment {
 public:
  static constexpr const char* id = Task::id;
  static constexpr const char* summary = Task::summary;
  static constexpr bool late_rows = true;
  using Options = typename Task::Options;
  using Obs = Fields;
  using Action = Box<double, dynamic>;
  using Info = Dict<WarningKey>;

  static void describe(Spec& spec, const Options& options) {
    const auto model = Model::share(options);
    describe_action(spec.action(), *model);
    const Entries entries = Task::observed(options, *model);
    if (options.from_pixels) {
      const Environment one(options);  // numbers that it edits are part of a scene
      Observation::describe(spec, options, entries, &one.physics_.simulation);
    } else {
      Observation::describe(spec, options, entries, nullptr);
    }
    const int64_t limit = step_limit(options, *model);
    spec.max_episode_steps = (limit + options.frame_skip - 1) / options.frame_skip;
  }

  explicit Environment(const Options& options)
      : physics_(options, edits_model(options)),
        task_(options, physics_),
        colors_(physics_, options.visualize_reward),
        observation_(options, Task::observed(options, physics_.model), physics_.simulation),
        warning_policy_(options.on_warning),
        strict_(options.on_warning == OnWarning::error),
        frame_skip_(options.frame_skip),
        step_limit_(step_limit(options, physics_.model)) {}

  // numpy's RandomState takes 32 bits.
  void reseed(uint64_t seed) { random_.seed(seed & 0xFFFFFFFF); }
  void seed(uint64_t seed) {
    reseed(seed);
    physics_.undo_edits();
    if constexpr (SeedsTask<Task>::value) task_.seed(random_);
  }

  // The two halves of a step wait for nothing. They let all simulations of a call come before all
  // rewards, whose exp is numpy's: if that has 512-bit instructions, MuJoCo is slower right after
  // it, and this way it is so once in a call.
  void begin_reset(Rng&) {}
  void begin_step(Action::Value action) { simulate(action); }
  Progress go_on(bool) { return Progress::done; }

  void reset(Rng&, Obs::Ref row, Info::Ref info) {
    physics_.reset();
    physics_.simulation.take_warning();  // dm_control ignores those of the model's own pose
    task_.initialize_episode(random_);
    if (colors_.shown()) colors_.show(task_.reward());
    physics_.forward_without_actuation();
    if (physics_.simulation.take_warning() != Warning::none && strict_) {
      throw std::runtime_error(std::string("MuJoCo warns in a reset: ") +
                               physics_.simulation.warning_text());
    }
    steps_ = 0;
    observe(row, true);
    InfoWriter<Info>(info).zero();
  }

  // begin_step has simulated the first of the repeats.
  Outcome step(Action::Value action, Obs::Ref row, Info::Ref info) {
    Outcome outcome;
    Warning warning = Warning::none;
    for (int64_t i = 0; i < frame_skip_; ++i) {
      if (i > 0) simulate(action);
      if constexpr (HasAfterStep<Task>::value) task_.after_step();
      const double reward = task_.reward();
      colors_.show(reward);
      outcome.reward += reward;
      if constexpr (HasTerminated<Task>::value) outcome.terminated = task_.terminated();
      warning = warning_policy_.apply(physics_.simulation, outcome);
      // At the limit the pool ends the episode; here only the repeats end.
      if (++steps_ == step_limit_ || outcome.terminated || outcome.truncated) break;
    }
    observe(row, false);
    put<"mujoco_warning">(InfoWriter<Info>(info), static_cast<int32_t>(warning));
    return outcome;
  }

  // Arrays of mjData by name, for read_array and write_array.
  void arrays(ArrayList& list) { list_arrays(physics_.simulation, list); }
  void arrays_written() { physics_.simulation.forward(); }

  void save(StateWriter& out) const {
    out(random_, steps_);
    physics_.simulation.save(out);
    observation_.save(out);
    if constexpr (SavesTask<Task>::value) task_.save(out);
  }
  void load(StateReader& in) {
    in(random_);
    in.between(steps_, 0, most_steps, "steps");
    physics_.simulation.load(in);
    observation_.load(in);
    if constexpr (SavesTask<Task>::value) task_.load(in);
  }

 private:
  // More steps than any episode has; the next number is no overflow.
  static constexpr int64_t most_steps = int64_t{1} << 62;

  static bool edits_model(const Options& options) {
    if constexpr (EditsModel<Task>::value) {
      if (Task::edits_model(options)) return true;
    }
    return options.visualize_reward;
  }
  // Describes the action as dm_control's mujoco.action_spec does.
  static void describe_action(Field& field, const Model& model) {
    constexpr double unlimited = 1e10;  // MuJoCo's mjMAXVAL
    const auto* limited = model.at<const uint8_t*>("mjModel.actuator_ctrllimited");
    std::vector<double> low(static_cast<size_t>(model.nu), -unlimited);
    std::vector<double> high(low.size(), unlimited);
    for (size_t i = 0; i < low.size(); ++i) {
      if (limited[i] == 0) continue;
      low[i] = model.actuator_ctrlrange[2 * i];
      high[i] = model.actuator_ctrlrange[2 * i + 1];
    }
    field.shaped({model.nu}).bounds(low, high);
  }
  // The limit in steps without repeats; 0: there is none. An episode ends with the first step that
  // reaches dm_control's limit, which is a float.
  static int64_t step_limit(const Options& options, const Model& model) {
    if (std::isinf(options.time_limit)) return 0;
    const auto count = static_cast<double>(Physics::count_sub_steps(options, model));
    const double limit = options.time_limit / (model.timestep * count);
    return std::max(int64_t{1}, static_cast<int64_t>(std::ceil(limit)));
  }

  void simulate(const Action::Value& action) {
    std::copy(action.begin(), action.end(), physics_.ctrl);
    physics_.step(physics_.n_sub_steps);
  }
  void observe(const Obs::Ref& row, bool first) {
    ObservationWriter out = observation_.begin(row);
    task_.observe(out);
    observation_.end(row, first);
  }

  Physics physics_;
  Task task_;
  const RewardColors colors_;
  Observation observation_;
  RandomState random_;
  const WarningPolicy warning_policy_;
  const bool strict_;
  const int64_t frame_skip_;
  const int64_t step_limit_;
  int64_t steps_ = 0;  // in this episode; each repeat counts
};

// The environment of a task, for PP_PLUGIN.
template <class Task>
constexpr const pp_env* environment() {
  return scalar<Environment<Task>, 4>();
}

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_ENVIRONMENT_HPP_
