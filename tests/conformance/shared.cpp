// Mistakes with what environments share, keep or think they own: static memory, generators,
// references, lanes.
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace shared {

// A walk whose faults override moments of it. Sound is faultless.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of three hundred steps";
  static constexpr int64_t max_episode_steps = 1000;
  struct Options {
    double drift;
    static constexpr auto declared =
        pp::options(pp::option(&Options::drift, "drift", 0.25, "metres per step", pp::Range{0, 1}));
  };
  struct ResetOptions {
    double start;
    static constexpr auto declared = pp::options(
        pp::option(&ResetOptions::start, "start", -9.0, "-9: anywhere", pp::Range{-9, 9}));
  };
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<3>;

  explicit Walk(const Options& options) : drift_(options.drift), fault_(drift_, options) {}
  void set_reset_options(const ResetOptions& options) { fault_.begin(options.start, start_); }
  void reset(pp::Rng& rng, Obs::Ref obs) {
    steps_ = 0;
    fault_.reset(rng);
    position_ = start_ > -9 ? start_ : Fault::uses_rng ? rng.uniform(-1, 1) : 0.5;
    position_ += fault_.beginning();
    observe(obs);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    ++steps_;
    position_ += fault_.drift(drift_) * (action - 1);
    if (Fault::uses_rng) position_ += 0.01 * rng.random();
    position_ = fault_.step(position_, action, steps_);
    observe(obs);
    return {1, steps_ >= 300};
  }
  void save(pp::StateWriter& out) const {
    fault_.saving(position_);
    out(position_, steps_);
  }
  void load(pp::StateReader& in) {
    in(position_);
    in.between(steps_, 0, 1000, "steps");
  }
  pp::FrameSize frame_size() const { return {2, 2}; }
  void draw(uint8_t* rgb) const {
    for (int i = 0; i < 12; ++i) rgb[i] = static_cast<uint8_t>(fault_.colour(steps_) + i);
  }

 private:
  void observe(Obs::Ref obs) const {
    obs[0] = position_;
    obs[1] = static_cast<double>(steps_);
  }
  double drift_;
  Fault fault_;
  double start_ = -9;
  double position_ = 0;
  int64_t steps_ = 0;
};

struct None {
  static constexpr bool uses_rng = true;
  template <class Options>
  None(double, const Options&) {}
  void begin(double given, double& start) { start = given; }
  void reset(pp::Rng&) {}
  double beginning() { return 0; }
  double drift(double mine) { return mine; }
  double step(double position, int32_t, int64_t) { return position; }
  void saving(double) const {}
  int64_t colour(int64_t steps) const { return steps; }
};
#define FAULT(name)                                          \
  struct name : None {                                       \
    static constexpr const char* id = "shared/" #name "-v0"; \
    using None::None;

FAULT(Sound)
};
FAULT(HeapScratch)  // in a static container, whose elements lie on the heap
double step(double position, int32_t, int64_t) {
  static std::vector<double> scratch(64);
  volatile double* place = scratch.data();
  for (int i = 0; i < 64; ++i) place[i] = position + i;
  for (int i = 63; i > 0; --i) position = place[i] - i;
  return position;
}
}
;
FAULT(OneWorld)  // for all, behind a pointer
double step(double position, int32_t, int64_t) {
  static const auto world = std::make_unique<double[]>(4);
  volatile double* place = world.get();
  place[2] = position;
  return place[2];
}
}
;
FAULT(ScratchLate)
double step(double position, int32_t, int64_t steps) {
  static volatile double scratch;
  if (steps < 70) return position;
  scratch = position;
  return scratch;
}
}
;
FAULT(ScratchOfActions)  // the same bytes as long as the last environment holds its action
double step(double position, int32_t action, int64_t) {
  static volatile double push[3];
  for (int i = 0; i < 3; ++i) push[i] = i == action ? 0.125 : 0;
  return position + push[action];
}
}
;
FAULT(ScratchOfResets)
double beginning() {
  static volatile double scratch;
  scratch = ++resets;
  return 0 * scratch;
}
double resets = 0;
}
;
FAULT(ScratchOfSaving)
void saving(double position) const {
  static volatile double scratch;
  scratch = position;
  static_cast<void>(scratch);
}
}
;
FAULT(ScratchOfDrawing)
int64_t colour(int64_t steps) const {
  static volatile int64_t scratch;
  scratch = steps;
  return scratch;
}
}
;
FAULT(CacheByAddress)  // of environments that no longer exist, too
double beginning() {
  static std::map<const void*, double> starts;
  return starts.emplace(this, 0.001 * static_cast<double>(starts.size())).first->second;
}
}
;
FAULT(NumbersItself)  // by a static counter
double beginning() {
  return 1e-6 * number;
}
static int next() {
  static int last = 0;
  return ++last;
}
int number = next();
}
;
FAULT(FirstIsSpecial)  // the first environment of a process
double beginning() {
  static bool first = true;
  const bool special = first;
  first = false;
  return special ? 0.5 : 0;
}
}
;
FAULT(Achieved)  // by one environment, and from then on for all
double step(double position, int32_t, int64_t steps) {
  static bool achieved = false;
  if (steps == 290) achieved = true;
  return achieved ? position + 0.01 : position;
}
}
;
FAULT(ThreadLocal)  // for a member
double step(double position, int32_t action, int64_t) {
  static thread_local double speed = 0;
  speed = 0.9 * speed + 0.01 * action;
  return position + speed;
}
}
;
FAULT(ThreadLocalLate)
double step(double position, int32_t action, int64_t steps) {
  static thread_local double speed = 0;
  if (steps < 130) return position;
  speed = steps == 130 ? 0 : 0.9 * speed + 0.01 * action;
  return position + speed;
}
}
;
FAULT(OwnGenerator)  // with a fixed seed, beside ours
double beginning() {
  return 1e-9 * static_cast<double>(engine() % 1000);
}
std::mt19937 engine{42};
}
;
FAULT(OnlyOwnGenerator)
static constexpr bool uses_rng = false;
double step(double position, int32_t, int64_t) {
  return position + 1e-9 * static_cast<double>(engine() % 1000);
}
std::mt19937 engine{42};
}
;
FAULT(SeedsItself)  // anew in each episode
void reset(pp::Rng& rng) {
  rng = pp::Rng(0);
}
}
;
FAULT(KeepsOptions)  // by reference: they are gone when the constructor has returned
template <class Options>
KeepsOptions(double mine, const Options& options) : None(mine, options), kept(&options.drift) {}
double drift(double) {
  return *kept;
}
const volatile double* kept;
}
;
FAULT(UnsetLocal)
double step(double position, int32_t, int64_t) {
  double push[8];
  find_push(push, 0);
  return push[3] > 1e-5 ? position + 0.25 : position;
}
[[gnu::noinline]] static void find_push(volatile double* push, int64_t level) {
  if (level > 0) push[3] = 0.25;
}
}
;
FAULT(OptionsOfAll)  // the last environment's are those of all
template <class Options>
OptionsOfAll(double mine, const Options& options) : None(mine, options) {
  ours() = options.drift;
}
static double& ours() {
  static double drift;
  return drift;
}
double drift(double) {
  return ours();
}
}
;
FAULT(IgnoresResetOptions)
void begin(double, double&) {}
}
;
FAULT(KeepsResetOptions)  // for the resets that have none
void begin(double given, double& start) {
  if (given > -9) start = given;
}
}
;
#undef FAULT

// The same as a kernel of many lanes.
template <class Fault>
struct Kernel {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of many lanes";
  static constexpr int64_t max_episode_steps = 500;
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Kernel(const pp::LaneOptions& options)
      : position_(options.size()), steps_(options.size()) {
    for (uint32_t lane = 0; lane < options.size(); ++lane) random_.emplace_back(lane);
  }
  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      pp::Rng& rng = Fault::lane_as_seed ? random_[lane] : rows.rng(i);
      rows.obs()[i] = position_[lane] = rng.uniform(-1, 1) + rows.rng(i).uniform(-1, 1);
      steps_[lane] = 0;
    }
  }
  void step(const pp::Rows<Kernel>& rows) {
    ++calls_;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const uint32_t lane = rows.first() + i;
      double& position = position_[lane];
      position += 0.1 * (rows.action()[i] - 1);
      ++steps_[lane];
      if (Fault::neighbours && steps_[lane] > 150 && lane > 0) {
        position += 0.01 * position_[lane - 1];
      }
      if (Fault::counts_calls && calls_ > 400) position += 0.01;
      rows.obs()[i] = position;
      rows.reward()[i] = 1;
      rows.terminated()[i] = steps_[lane] >= 300;
      rows.truncated()[i] = 0;
    }
  }

 private:
  std::vector<double> position_;
  std::vector<int64_t> steps_;
  std::vector<pp::Rng> random_;
  int64_t calls_ = 0;
};
struct NoFault {
  static constexpr bool lane_as_seed = false;
  static constexpr bool neighbours = false;
  static constexpr bool counts_calls = false;
};
struct SoundKernel : NoFault {
  static constexpr const char* id = "shared/SoundKernel-v0";
};
struct LaneAsSeed : NoFault {
  static constexpr const char* id = "shared/LaneAsSeed-v0";
  static constexpr bool lane_as_seed = true;
};
struct Neighbours : NoFault {  // late, and of lane - 1
  static constexpr const char* id = "shared/Neighbours-v0";
  static constexpr bool neighbours = true;
};
struct CountsCalls : NoFault {  // of the shard, for steps of an episode
  static constexpr const char* id = "shared/CountsCalls-v0";
  static constexpr bool counts_calls = true;
};

// What is sound, and looks like a mistake: a reset throws the dice as a step does.
struct Dice {
  static constexpr const char* id = "shared/Dice-v0";
  static constexpr const char* summary = "throws two dice until they are equal";
  using Obs = pp::Box<int32_t, 2>;
  using Action = pp::Discrete<2>;
  void reset(pp::Rng& rng, Obs::Ref obs) {
    for (size_t i = 0; i < 2; ++i) obs[i] = static_cast<int32_t>(rng.integers(1, 7));
  }
  pp::Outcome step(int32_t, pp::Rng& rng, Obs::Ref obs) {
    reset(rng, obs);
    return {1, obs[0] == obs[1]};
  }
};

// Leaves its bounds after two hundred steps, as its original does.
template <bool InFloat>
struct Leaves {
  static constexpr const char* id = InFloat ? "shared/FloatReward-v0" : "shared/Leaves-v0";
  static constexpr const char* summary = "a counter";
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().bounds(-200, 200); }
  void reset(pp::Rng& rng, Obs::Ref obs) { obs = total_ = rng.uniform(-1, 1); }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs = total_ += 1.0;
    if (InFloat) return {static_cast<float>(total_) * 0.1F, total_ > 300};
    return {total_ * 0.1, total_ > 300};
  }

 private:
  double total_ = 0;
};

}  // namespace shared

#define WALK(fault) pp::scalar<shared::Walk<shared::fault>>()
#define KERNEL(fault) pp::batch<shared::Kernel<shared::fault>, 64>()
PP_PLUGIN("shared", WALK(Sound), WALK(HeapScratch), WALK(OneWorld), WALK(ScratchLate),
          WALK(ScratchOfActions), WALK(ScratchOfResets), WALK(ScratchOfSaving),
          WALK(ScratchOfDrawing), WALK(CacheByAddress), WALK(NumbersItself), WALK(FirstIsSpecial),
          WALK(Achieved), WALK(ThreadLocal), WALK(ThreadLocalLate), WALK(OwnGenerator),
          WALK(OnlyOwnGenerator), WALK(SeedsItself), WALK(KeepsOptions), WALK(UnsetLocal),
          WALK(OptionsOfAll), WALK(IgnoresResetOptions), WALK(KeepsResetOptions),
          KERNEL(SoundKernel), KERNEL(LaneAsSeed), KERNEL(Neighbours), KERNEL(CountsCalls),
          pp::scalar<shared::Dice>(), pp::scalar<shared::Leaves<false>>(),
          pp::scalar<shared::Leaves<true>>());
