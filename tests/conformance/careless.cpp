// Mistakes of everyday: what was copied from elsewhere and not adapted, what another library did by
// itself, what was meant and mistyped.
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "parallel_pool/env.hpp"

namespace careless {

PP_KEY(place);
PP_KEY(wind);

// A walk whose faults override moments of it. Sound is faultless.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk";
  static constexpr int64_t max_episode_steps = 100;
  static constexpr pp_option options[] = {
      pp::option("drift", 0.25, "metres per step", pp::Range{0, 1}),
  };
  using Obs = pp::Dict<pp::At<place, pp::Box<double>>, pp::At<wind, pp::Discrete<5>>>;
  using Action = pp::Discrete<3>;

  static void describe(pp::Spec& spec, const pp::Options&) { Fault::describe(spec); }
  explicit Walk(const pp::Options& options) : drift_(Fault::drift(options)) { fault_.build(); }
  void seed(uint64_t seed) { fault_.seed(seed); }
  void reset(pp::Rng& rng, Obs::Ref obs) {
    position_ = rng.uniform(-1, 1);
    observe(obs, rng);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    position_ += drift_ * (action - 1) + fault_.disturbance();
    observe(obs, rng);
    return {1, rng.random() > 0.9};
  }

 private:
  void observe(Obs::Ref obs, pp::Rng& rng) {
    obs.template get<place>() = position_;
    obs.template get<wind>() = static_cast<int32_t>(rng.integers(0, 4)) + Fault::first_wind;
  }
  Fault fault_;
  double drift_;
  double position_ = 0;
};

struct None {
  static constexpr int32_t first_wind = 0;
  static void describe(pp::Spec& spec) { spec.obs("place").bounds(-1e6, 1e6); }
  static double drift(const pp::Options& options) { return options.real("drift"); }
  void build() {}
  void seed(uint64_t) {}
  double disturbance() { return 0; }
};
struct Sound : None {
  static constexpr const char* id = "careless/Sound-v0";
};
struct CountsFromOne : None {  // a discrete observation has the values 0 .. n - 1
  static constexpr const char* id = "careless/CountsFromOne-v0";
  static constexpr int32_t first_wind = 2;
};
struct UpsideDown : None {
  static constexpr const char* id = "careless/UpsideDown-v0";
  static void describe(pp::Spec& spec) { spec.obs("place").bounds(1, -1); }
};
struct NoSuchKey : None {
  static constexpr const char* id = "careless/NoSuchKey-v0";
  static void describe(pp::Spec& spec) { spec.obs("palce").bounds(-1, 1); }
};
struct NoSuchOption : None {
  static constexpr const char* id = "careless/NoSuchOption-v0";
  static double drift(const pp::Options& options) { return options.real("dirft"); }
};
struct AnotherKind : None {
  static constexpr const char* id = "careless/AnotherKind-v0";
  static double drift(const pp::Options& options) {
    return static_cast<double>(options.integer("drift"));
  }
};
struct ThrowsText : None {  // which is no std::exception
  static constexpr const char* id = "careless/ThrowsText-v0";
  double disturbance() { throw "not today"; }
};
struct ThrowsNumber : None {
  static constexpr const char* id = "careless/ThrowsNumber-v0";
  double disturbance() { throw 3; }
};
struct ThrowsNothing : None {
  static constexpr const char* id = "careless/ThrowsNothing-v0";
  double disturbance() { throw std::runtime_error(""); }
};
struct Clock : None {  // what moves between two steps is the time of day
  static constexpr const char* id = "careless/Clock-v0";
  double disturbance() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return 1e-12 * static_cast<double>(now.count());
  }
};
struct CRandom : None {  // std::rand has one state for all environments
  static constexpr const char* id = "careless/CRandom-v0";
  void seed(uint64_t seed) { std::srand(static_cast<unsigned>(seed)); }
  double disturbance() { return 1e-9 * std::rand(); }
};
struct Unset : None {  // a member that is never set
  static constexpr const char* id = "careless/Unset-v0";
  Unset() {}
  double disturbance() { return friction > 0 ? 0.5 : 0.25; }
  double friction;
};
struct Undrawn : None {  // the list says that it has pictures
  static constexpr const char* id = "careless/Undrawn-v0";
};
struct KeepsThreads : None {
  static constexpr const char* id = "careless/KeepsThreads-v0";
  void build() {
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  }
};

// The same as a kernel of many lanes.
template <class Fault>
struct Kernel {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of many lanes";
  static constexpr int64_t max_episode_steps = 100;
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Kernel(const pp::LaneOptions& options) : position_(options.size()) {}
  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i) && !Fault::resets_all) continue;
      rows.obs()[i] = position_[lane(rows, i)] = rows.rng(i).uniform(-1, 1);
    }
  }
  void step(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (Fault::skips_last && i + 1 == rows.size()) break;
      double& position = position_[lane(rows, i)];
      position += 0.1 * (rows.action()[i] - 1);
      rows.obs()[i] = position;
      rows.reward()[i] = 1;
      rows.terminated()[i] = position > 1 || position < -1;
      if (Fault::cuts) rows.truncated()[i] = 0;
    }
  }

 private:
  static uint32_t lane(const pp::Rows<Kernel>& rows, uint32_t i) {
    return Fault::by_row ? i : rows.first() + i;
  }
  std::vector<double> position_;
};

struct NoFault {
  static constexpr bool resets_all = false;
  static constexpr bool by_row = false;
  static constexpr bool cuts = true;
  static constexpr bool skips_last = false;
};
struct SoundKernel : NoFault {
  static constexpr const char* id = "careless/SoundKernel-v0";
};
struct ResetsAll : NoFault {  // also lanes that are not selected
  static constexpr const char* id = "careless/ResetsAll-v0";
  static constexpr bool resets_all = true;
};
struct ByRow : NoFault {  // state is found by the row of the call, not by the lane
  static constexpr const char* id = "careless/ByRow-v0";
  static constexpr bool by_row = true;
};
struct NeverCuts : NoFault {  // and leaves truncated as it was
  static constexpr const char* id = "careless/NeverCuts-v0";
  static constexpr bool cuts = false;
};
struct SkipsLast : NoFault {
  static constexpr const char* id = "careless/SkipsLast-v0";
  static constexpr bool skips_last = true;
};

}  // namespace careless

#define WALK(fault) pp::scalar<careless::Walk<careless::fault>>()
#define KERNEL(fault) pp::batch<careless::Kernel<careless::fault>, 64>()
PP_PLUGIN("careless", WALK(Sound), WALK(CountsFromOne), WALK(UpsideDown), WALK(NoSuchKey),
          WALK(NoSuchOption), WALK(AnotherKind), WALK(ThrowsText), WALK(ThrowsNumber),
          WALK(ThrowsNothing), WALK(Clock), WALK(CRandom), WALK(Unset), WALK(Undrawn),
          WALK(KeepsThreads), KERNEL(SoundKernel), KERNEL(ResetsAll), KERNEL(ByRow),
          KERNEL(NeverCuts), KERNEL(SkipsLast));
