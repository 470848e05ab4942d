// Environments whose mistakes show only where one looks closely: in one lane of many, in some sizes
// of a shard, after hundreds of steps, in what an earlier batch left behind.
#include <fcntl.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "parallel_pool/env.hpp"

namespace subtle {

PP_KEY(picture);
PP_KEY(speed);

// A walk of one environment. Faults override what they break.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk";
  static constexpr int64_t max_episode_steps = 1000;
  using Obs = pp::Dict<pp::At<speed, pp::Box<float, 3>>, pp::At<picture, pp::Box<uint8_t, 4, 4>>>;
  using Action = pp::Box<double>;

  static void describe(pp::Spec& spec, const pp::Options&) {
    spec.action().bounds(-1, 1);
    spec.obs("speed").bounds(-Fault::furthest, Fault::furthest);
  }
  Walk() { Fault::build(); }
  ~Walk() { delete[] world_; }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  void seed(uint64_t) { episodes_ = 0; }
  void reset(pp::Rng& rng, Obs::Ref obs) {
    position_ = rng.uniform(-1, 1);
    if (Fault::keeps_worlds) world_ = new double[16]();
    steps_ = 0;
    ++episodes_;
    observe(obs, true);
  }
  pp::Outcome step(double action, Obs::Ref obs) {
    ++steps_;
    if (Fault::shares) {
      static volatile double place;
      place = position_;
      // Long enough for another thread to come in, on a busy machine too.
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      place = place + 0.1 * action;
      position_ = place;
    } else {
      position_ += 0.1 * action;
    }
    if (Fault::diverges && steps_ > 500) position_ = std::numeric_limits<double>::quiet_NaN();
    observe(obs, false);
    return {position_ + (Fault::counts_episodes ? static_cast<double>(episodes_) : 0.0)};
  }
  void save(pp::StateWriter& out) const { out(position_, steps_); }
  void load(pp::StateReader& in) { in(position_, steps_); }
  pp::FrameSize frame_size() const { return {4, 4}; }
  void draw(uint8_t* rgb) const {
    ++drawn_;
    for (int i = 0; i < 3 * Fault::pixels; ++i) {
      rgb[i] = static_cast<uint8_t>(Fault::flickers ? drawn_ : steps_);
    }
  }

 private:
  void observe(Obs::Ref obs, bool first) const {
    auto values = obs.template get<speed>();
    if (Fault::reads_back && !first) {
      values[0] += 0.01F;
    } else {
      values[0] = static_cast<float>(position_);
    }
    values[1] = Fault::furthest > 100 ? 0.0F : static_cast<float>(std::sin(position_));
    if (!Fault::leaves_an_element || first) values[2] = static_cast<float>(position_ * 0.5);
    auto pixels = obs.template get<picture>();
    const int column = static_cast<int>(steps_ % 4);
    for (int i = 0; i < 16; ++i) {
      if (Fault::draws_what_changed && !first && i % 4 != column) continue;
      pixels[static_cast<size_t>(i)] = static_cast<uint8_t>(steps_ + i);
    }
  }

  double position_ = 0;
  int64_t steps_ = 0;
  int64_t episodes_ = 0;
  mutable int64_t drawn_ = 0;
  double* world_ = nullptr;
};

struct None {
  static constexpr double furthest = 1e6;
  static void build() {}
  static constexpr bool diverges = false;
  static constexpr bool counts_episodes = false;
  static constexpr bool flickers = false;
  static constexpr int pixels = 4 * 4;
  static constexpr bool keeps_worlds = false;
  static constexpr bool shares = false;
  static constexpr bool reads_back = false;
  static constexpr bool leaves_an_element = false;
  static constexpr bool draws_what_changed = false;
};
struct Sound : None {
  static constexpr const char* id = "subtle/Sound-v0";
};
struct Diverges : None {
  static constexpr const char* id = "subtle/Diverges-v0";
  static constexpr bool diverges = true;
};
struct FullThrottle
    : None {  // random actions stay within the bounds, the same one for long does not
  static constexpr const char* id = "subtle/FullThrottle-v0";
  static constexpr double furthest = 12;
};
struct CountsEpisodes : None {  // and does not save the number
  static constexpr const char* id = "subtle/CountsEpisodes-v0";
  static constexpr bool counts_episodes = true;
};
struct Flickers : None {
  static constexpr const char* id = "subtle/Flickers-v0";
  static constexpr bool flickers = true;
};
struct DrawsTooMuch : None {  // a row of pixels more than the frame has
  static constexpr const char* id = "subtle/DrawsTooMuch-v0";
  static constexpr int pixels = 5 * 4;
};
struct SavesTooMuch : None {
  static constexpr const char* id = "subtle/SavesTooMuch-v0";
};
struct ReadsBack : None {  // takes its observation for a member
  static constexpr const char* id = "subtle/ReadsBack-v0";
  static constexpr bool reads_back = true;
};
struct LeavesAnElement : None {
  static constexpr const char* id = "subtle/LeavesAnElement-v0";
  static constexpr bool leaves_an_element = true;
};
struct DrawsWhatChanged : None {
  static constexpr const char* id = "subtle/DrawsWhatChanged-v0";
  static constexpr bool draws_what_changed = true;
};
struct KeepsWorlds : None {  // of all episodes but the last
  static constexpr const char* id = "subtle/KeepsWorlds-v0";
  static constexpr bool keeps_worlds = true;
};
struct Shares : None {  // one place to calculate in, for all threads
  static constexpr const char* id = "subtle/Shares-v0";
  static constexpr bool shares = true;
};
struct KeepsFiles : None {
  static constexpr const char* id = "subtle/KeepsFiles-v0";
  static void build() { static_cast<void>(open("/dev/null", O_RDONLY)); }
};

// The same as a kernel of many lanes.
template <class Fault>
struct Kernel {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk of many lanes";
  static constexpr pp_option options[] = {
      pp::option("drift", 0.25, "metres per step", pp::Range{0, 1}),
      pp::option("noise", 0.5, "metres", pp::Range{0, 1}),
  };
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Kernel(const pp::LaneOptions& options) : position_(options.size()) {
    for (uint32_t lane = 0; lane < options.size(); ++lane) {
      drift_.push_back(options[lane].real("drift"));
      noise_.push_back(options[Fault::one_noise ? 0 : lane].real("noise"));
    }
  }
  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      const double random = rows.rng(i).uniform(-1, 1);
      position_[lane] = Fault::one_start && lane == 3 ? 0.5 : random;
      rows.obs()[i] = position_[lane];
    }
  }
  void step(const pp::Rows<Kernel>& rows) {
    // Four at a time, and one by one what is left.
    const uint32_t fours = rows.size() / 4 * 4;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const uint32_t lane = rows.first() + i;
      double change = drift_[lane] * (rows.action()[i] - 1);
      if (Fault::wrong_rest && rows.size() > 4 && i >= fours) change = -change;
      if (Fault::wrong_when_full && rows.size() == 64) change += 0.001;
      if (rows.selected(i) || Fault::draws_for_all) {
        change += noise_[lane] * (rows.rng(i).random() - 0.5);
      }
      position_[lane] += change;
      rows.obs()[i] = position_[lane];
      rows.reward()[i] = 1;
      const bool over = position_[lane] > 3 && !Fault::draws_for_all;
      rows.terminated()[i] = over ? Fault::yes : 0;
      rows.truncated()[i] = 0;
    }
  }

 private:
  std::vector<double> position_, drift_, noise_;
};

struct NoFault {
  static constexpr bool one_noise = false;
  static constexpr bool one_start = false;
  static constexpr bool wrong_rest = false;
  static constexpr bool wrong_when_full = false;
  static constexpr bool draws_for_all = false;
  static constexpr uint8_t yes = 1;
};
struct SoundKernel : NoFault {
  static constexpr const char* id = "subtle/SoundKernel-v0";
};
struct OneNoise : NoFault {  // the second option is the whole shard's
  static constexpr const char* id = "subtle/OneNoise-v0";
  static constexpr bool one_noise = true;
};
struct OneStart : NoFault {  // one lane of many ignores its seed
  static constexpr const char* id = "subtle/OneStart-v0";
  static constexpr bool one_start = true;
};
struct WrongRest : NoFault {
  static constexpr const char* id = "subtle/WrongRest-v0";
  static constexpr bool wrong_rest = true;
};
struct WrongWhenFull : NoFault {
  static constexpr const char* id = "subtle/WrongWhenFull-v0";
  static constexpr bool wrong_when_full = true;
};

struct DrawsForAll : NoFault {  // and all of its episodes end together, by the limit
  static constexpr const char* id = "subtle/DrawsForAll-v0";
  static constexpr bool draws_for_all = true;
};
struct SaysTwo : NoFault {  // to end an episode
  static constexpr const char* id = "subtle/SaysTwo-v0";
  static constexpr uint8_t yes = 2;
};

// What only an environment with a table of its own can do: the SDK's writers keep to their room.
const void* extension_of_saves_too_much(const char* id) {
  static const auto* const whole = pp::scalar<Walk<SavesTooMuch>>();
  const void* offered = whole->get_extension(id);
  if (std::strcmp(id, PP_EXT_STATE) != 0) return offered;
  static const pp_state greedy = [](pp_state state) {
    state.save = [](void* self, uint32_t lane, void* bytes, uint64_t capacity) {
      static_cast<char*>(bytes)[capacity] = 1;
      const auto* sound = static_cast<const pp_state*>(whole->get_extension(PP_EXT_STATE));
      return sound->save(self, lane, bytes, capacity);
    };
    return state;
  }(*static_cast<const pp_state*>(offered));
  return &greedy;
}
constexpr pp_env saves_too_much = [] {
  pp_env env = *pp::scalar<Walk<SavesTooMuch>>();
  env.get_extension = &extension_of_saves_too_much;
  return env;
}();

}  // namespace subtle

#define WALK(fault) pp::scalar<subtle::Walk<subtle::fault>>()
#define KERNEL(fault) pp::batch<subtle::Kernel<subtle::fault>, 64>()
PP_PLUGIN("subtle", WALK(Sound), WALK(Diverges), WALK(FullThrottle), WALK(CountsEpisodes),
          WALK(Flickers), WALK(ReadsBack), WALK(LeavesAnElement), WALK(DrawsWhatChanged),
          WALK(KeepsFiles), WALK(KeepsWorlds), WALK(Shares), KERNEL(SoundKernel), KERNEL(OneNoise),
          KERNEL(OneStart), KERNEL(WrongRest), KERNEL(WrongWhenFull), KERNEL(DrawsForAll),
          KERNEL(SaysTwo), WALK(DrawsTooMuch), &subtle::saves_too_much);
