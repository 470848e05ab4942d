// Environments that each break one promise, for the tests of the conformance kit. Sound is their
// common, faultless base.
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "parallel_pool/env.hpp"

namespace broken {

PP_KEY(noise);

// A walk with everything a plugin can offer, all of it right. Faults override what they break.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk";
  static constexpr int64_t max_episode_steps = 1000;
  static constexpr pp_option options[] = {
      pp::option("drift", 0.25, "metres per step", pp::Range{0, 1}),
      pp::option("size", 4, "of nothing in particular", pp::Range{1, 64}),
  };
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;
  using Info = pp::Dict<pp::At<noise, pp::Scalar<double>>>;

  static void describe(pp::Spec& spec, const pp::Options&) { Fault::describe(spec); }
  explicit Walk(const pp::Options& options)
      : drift_(options.real("drift")), size_(options.integer("size")) {
    fault_.build();
  }
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    position_ = fault_.seeded ? rng.uniform(-1, 1) : 0;
    if (!fault_.forgets) steps_ = 0;
    obs = position_;
    info.get<noise>() = 0;
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    if (size_ > fault_.largest) throw std::runtime_error("too large after all");
    const double noise_now = fault_.seeded ? rng.random() : 0.5;
    position_ += drift_ * (action - 1) + noise_now - 0.5 + 0.01 * steps_ + fault_.disturbance();
    ++steps_;
    obs = position_;
    if (fault_.informs) info.get<noise>() = noise_now;
    const bool gives_up = fault_.gives_up && position_ > 2;
    return {fault_.reward(position_), noise_now > 0.95 || steps_ % 30 == 29, gives_up, 1,
            gives_up ? "it went too far" : nullptr};
  }
  void save(pp::StateWriter& out) const {
    out(position_);
    if (fault_.saves) out(steps_);
  }
  void load(pp::StateReader& in) {
    in(position_);
    if (fault_.saves) in(steps_);
  }
  pp::FrameSize frame_size() const { return {2, 2}; }
  void draw(uint8_t* rgb) const {
    for (int i = 0; i < 12; ++i) rgb[i] = static_cast<uint8_t>(i);
    if (fault_.moves_when_drawn) position_ += 1;
  }

 private:
  Fault fault_;
  double drift_;
  int64_t size_;
  mutable double position_ = 0;
  int64_t steps_ = 0;
};

struct None {
  static void describe(pp::Spec&) {}
  void build() {}
  double disturbance() { return 0; }
  double reward(double) { return 1; }
  bool seeded = true;
  bool forgets = false;
  bool informs = true;
  bool saves = true;
  bool moves_when_drawn = false;
  bool gives_up = false;
  int64_t largest = 64;
};

struct Sound : None {
  static constexpr const char* id = "broken/Sound-v0";
};
struct Leaves : None {  // info of a step unwritten
  static constexpr const char* id = "broken/Unwritten-v0";
  Leaves() { informs = false; }
};
struct OutOfBounds : None {
  static constexpr const char* id = "broken/OutOfBounds-v0";
  static void describe(pp::Spec& spec) { spec.obs().bounds(-0.5, 0.5); }
};
struct InfiniteReward : None {
  static constexpr const char* id = "broken/InfiniteReward-v0";
  double reward(double position) {
    return position > 1 ? std::numeric_limits<double>::infinity() : 0;
  }
};
struct GivesUp : None {  // in place of an end
  static constexpr const char* id = "broken/GivesUp-v0";
  GivesUp() { gives_up = true; }
};
struct Entropy : None {  // random numbers of its own
  static constexpr const char* id = "broken/Entropy-v0";
  double disturbance() { return std::random_device{}() * 1e-10; }
};
struct Seedless : None {
  static constexpr const char* id = "broken/Seedless-v0";
  Seedless() { seeded = false; }
};
struct Forgets : None {  // reset leaves the steps of the episode before
  static constexpr const char* id = "broken/Forgets-v0";
  Forgets() { forgets = true; }
};
struct TooLarge : None {
  static constexpr const char* id = "broken/TooLarge-v0";
  TooLarge() { largest = 63; }
};
struct Leaks : None {
  static constexpr const char* id = "broken/Leaks-v0";
  void build() { static_cast<void>(*new volatile double[4]()); }
};
struct ForgetsToSave : None {
  static constexpr const char* id = "broken/ForgetsToSave-v0";
  ForgetsToSave() { saves = false; }
};
struct MovesWhenDrawn : None {
  static constexpr const char* id = "broken/MovesWhenDrawn-v0";
  MovesWhenDrawn() { moves_when_drawn = true; }
};
struct Throws : None {
  static constexpr const char* id = "broken/Throws-v0";
  double disturbance() { throw std::runtime_error("not today"); }
};

// The same walk as a kernel.
template <class Fault>
struct Kernel {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of many lanes";
  static constexpr pp_option options[] = {
      pp::option("drift", 0.25, "metres per step", pp::Range{0, 1}),
  };
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Kernel(const pp::LaneOptions& options) : position_(options.size()) {
    for (uint32_t lane = 0; lane < options.size(); ++lane) {
      drift_.push_back(options[Fault::first_options_only ? 0 : lane].real("drift"));
    }
  }
  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      double& position = position_[rows.first() + i];
      position = rows.rng(i).uniform(-1, 1);
      rows.obs()[i] = position;
    }
    if (Fault::resets_a_row_too_many) rows.obs()[rows.size()] = 0;
  }
  void step(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i) && !Fault::draws_for_all) continue;
      const uint32_t lane = rows.first() + i;
      const double noise = rows.rng(i).random();
      position_[lane] += drift_[lane] * (rows.action()[i] - 1) + noise - 0.5;
      if (Fault::counts_lanes) position_[lane] += 0.001 * static_cast<double>(position_.size());
      rows.obs()[i] = position_[lane];
      rows.reward()[i] = noise;
      rows.terminated()[i] = noise > 0.9;
      rows.truncated()[i] = 0;
      if (Fault::writes_actions) const_cast<int32_t*>(rows.action())[i] = 0;
    }
    if (Fault::steps_a_row_too_many) rows.reward()[rows.size()] = 0;
  }

 private:
  std::vector<double> position_;
  std::vector<double> drift_;
};

struct NoFault {
  static constexpr bool first_options_only = false;
  static constexpr bool resets_a_row_too_many = false;
  static constexpr bool steps_a_row_too_many = false;
  static constexpr bool draws_for_all = false;
  static constexpr bool counts_lanes = false;
  static constexpr bool writes_actions = false;
};
struct SoundKernel : NoFault {
  static constexpr const char* id = "broken/SoundKernel-v0";
};
struct OneOptions : NoFault {
  static constexpr const char* id = "broken/OneOptions-v0";
  static constexpr bool first_options_only = true;
};
struct PastReset : NoFault {
  static constexpr const char* id = "broken/PastReset-v0";
  static constexpr bool resets_a_row_too_many = true;
};
struct PastStep : NoFault {
  static constexpr const char* id = "broken/PastStep-v0";
  static constexpr bool steps_a_row_too_many = true;
};
struct DrawsForAll : NoFault {
  static constexpr const char* id = "broken/DrawsForAll-v0";
  static constexpr bool draws_for_all = true;
};
struct CountsLanes : NoFault {
  static constexpr const char* id = "broken/CountsLanes-v0";
  static constexpr bool counts_lanes = true;
};
struct WritesActions : NoFault {
  static constexpr const char* id = "broken/WritesActions-v0";
  static constexpr bool writes_actions = true;
};

// No action can be drawn from its action space: the lower bound is NaN.
struct NanBound {
  static constexpr const char* id = "broken/NanBound-v0";
  static constexpr const char* summary = "a bound that is none";
  using Obs = pp::Box<float>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) {
    spec.obs().bounds(std::numeric_limits<double>::quiet_NaN(), 1);
  }
  void reset(pp::Rng&, Obs::Ref obs) { obs = 0; }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs = 0;
    return {};
  }
};

}  // namespace broken

#define WALK(fault) pp::scalar<broken::Walk<broken::fault>>()
#define KERNEL(fault) pp::batch<broken::Kernel<broken::fault>, 64>()
PP_PLUGIN("broken", WALK(Sound), WALK(Leaves), WALK(OutOfBounds), WALK(InfiniteReward),
          WALK(GivesUp), WALK(Entropy), WALK(Seedless), WALK(Forgets), WALK(TooLarge), WALK(Leaks),
          WALK(ForgetsToSave), WALK(MovesWhenDrawn), WALK(Throws), KERNEL(SoundKernel),
          KERNEL(OneOptions), KERNEL(PastReset), KERNEL(PastStep), KERNEL(DrawsForAll),
          KERNEL(CountsLanes), KERNEL(WritesActions), pp::scalar<broken::NanBound>());
