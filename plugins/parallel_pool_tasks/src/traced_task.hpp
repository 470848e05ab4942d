// The environment that all tasks in Python are: a simulation, and a machine that runs the task's
// program at each reset and step.
#ifndef PARALLEL_POOL_TASKS_TRACED_TASK_HPP_
#define PARALLEL_POOL_TASKS_TRACED_TASK_HPP_

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine.hpp"
#include "parallel_pool/env.hpp"
#include "parallel_pool/rng.hpp"
#include "parallel_pool_mujoco/sdk.hpp"
#include "reader.hpp"

namespace tasks {

enum class OnNan : uint8_t { ignore, error };

class TracedTask {
 public:
  static constexpr const char* id = "tasks/Task-v0";
  static constexpr const char* summary = "A task declared in Python";
  static constexpr bool late_rows = true;

  // A task's own options are known in Python only: what they decide is in the program. A state is
  // of one digest; where the author's lines are may differ.
  struct Options : pp::mujoco::TaskOptions {
    std::string digest;
    std::string program;
    int64_t numpy_loops;
    OnNan on_nan;

    static constexpr auto declared = pp::options(
        TaskOptions::declared,
        pp::option(&Options::digest, "digest", "", "internal: of the program without its lines"),
        pp::option(&Options::program, "program", "", "internal: what the task's methods do")
            .local(),
        pp::option(&Options::numpy_loops, "numpy_loops", 0, "internal: addresses of numpy's loops")
            .local(),
        pp::option(&Options::on_nan, "on_nan", OnNan::ignore,
                   "error: a step ends where it computes or reads the first NaN, and says the line",
                   {{"ignore", OnNan::ignore}, {"error", OnNan::error}}));
  };

  // The program says which arrays there are. The last one of an Info is MuJoCo's warning, and an
  // Action is one array.
  using Obs = pp::Fields;
  using Info = pp::Fields;
  using Action = pp::Fields;

  // Numbers that a user sets while the pool runs. Episodes begin with them, and keep them.
  struct ResetOptions {
    std::vector<double> tunables;

    static constexpr auto declared = pp::options(
        pp::option(&ResetOptions::tunables, "tunables",
                   "what parallel_pool_tasks.tune sets; empty: the numbers of the class"));
  };

  static void describe(pp::Spec& spec, const Options& options) {
    const auto program = program_of(options);
    add(spec, PP_ROLE_OBS, program->observations);
    add(spec, PP_ROLE_INFO, program->infos);
    spec.add(PP_ROLE_INFO, "mujoco_warning", PP_KIND_BOX, PP_INT32, {});
    std::vector<double> low;
    std::vector<double> high;
    for (const Bounds& each : program->bounds) {
      low.push_back(each.low);
      high.push_back(each.high);
    }
    const auto size = static_cast<int64_t>(low.size());
    spec.add(PP_ROLE_ACTION, "", PP_KIND_BOX, dtype_of(program->action), {size}).bounds(low, high);
  }

  explicit TracedTask(const Options& options)
      : program_(program_of(options)),
        sim_(program_->members.empty() && !program_->sets_constants
                 ? pp::mujoco::Model::share(options)
                 : pp::mujoco::Model::own(options)),
        machine_(program_, sim_, options.fused_norm, NumpyLoops::at(options.numpy_loops),
                 options.on_nan == OnNan::error),
        warning_policy_(options.on_warning) {}

  // numpy's RandomState takes 32 bits.
  void seed(uint64_t seed) { random_state_.seed(seed & 0xFFFFFFFF); }
  void reseed(uint64_t value) { seed(value); }

  void set_reset_options(const ResetOptions& options) {
    const size_t given = options.tunables.size();
    if (given != 0 && given != program_->tunables) {
      throw std::invalid_argument("there are " + std::to_string(given) +
                                  " tunables, expected the task's " +
                                  std::to_string(program_->tunables));
    }
    tunables_ = options.tunables;
  }

  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    sim_.edits.undo();
    sim_.reset();
    machine_.tune(tunables_);
    Call call{obs, info};
    run(program_->reset, rng, call);
    sim_.take_warning();
    write(info, pp::mujoco::Warning::none);
  }

  pp::Outcome step(Action::Value action, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    Call call{obs, info, &action};
    run(program_->step, rng, call);
    pp::Outcome outcome;
    outcome.reward = call.reward;
    outcome.terminated = call.terminated;
    write(info, warning_policy_.apply(sim_, outcome));
    return outcome;
  }

  // Arrays of mjData by name, for read_array and write_array.
  void arrays(pp::ArrayList& list) { pp::mujoco::list_arrays(sim_, list); }
  void arrays_written() { sim_.forward(); }

  void save(pp::StateWriter& out) const {
    sim_.save(out);
    out(random_state_);
    out.write_bytes(machine_.kept(), machine_.kept_bytes());
  }
  void load(pp::StateReader& in) {
    sim_.load(in);
    in(random_state_);
    in.read_bytes(machine_.kept(), machine_.kept_bytes());
  }

 private:
  static std::shared_ptr<const Program> program_of(const Options& options) {
    if (options.program.empty()) {
      throw std::invalid_argument(
          "the option 'program' is empty: make a task by its class or its own id");
    }
    return shared_program(options.program);
  }
  static uint32_t dtype_of(Kind kind) {
    constexpr uint32_t dtypes[] = {PP_FLOAT64, PP_FLOAT32, PP_INT64, PP_BOOL};
    return dtypes[static_cast<size_t>(kind)];
  }
  static void add(pp::Spec& spec, uint32_t role, const std::vector<Shown>& shown) {
    for (const Shown& each : shown) {
      const uint32_t kind = each.kind == Kind::boolean ? PP_KIND_MULTI_BINARY : PP_KIND_BOX;
      spec.add(role, each.name, kind, dtype_of(each.kind), each.shape);
    }
  }

  void write(const Info::Ref& info, pp::mujoco::Warning warning) const {
    info.get<int32_t>(program_->infos.size())[0] = static_cast<int32_t>(warning);
  }
  void run(const std::vector<Instruction>& part, pp::Rng& rng, Call& call) {
    if (program_->random_state) {
      machine_.run(part, random_state_, call);
    } else {
      machine_.run(part, rng, call);
    }
  }

  const std::shared_ptr<const Program> program_;
  pp::mujoco::Simulation sim_;
  Machine machine_;
  pp::RandomState random_state_;
  std::vector<double> tunables_;  // for the reset that comes; empty: the program's
  const pp::mujoco::WarningPolicy warning_policy_;
};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_TRACED_TASK_HPP_
