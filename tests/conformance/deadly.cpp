// Environments that end the process or never come back, that write far away or late, that share
// static memory, and those whose mistakes lie in what they say of themselves.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "parallel_pool/env.hpp"

namespace deadly {

// A walk whose faults override moments of it. Sound is faultless.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk";
  static constexpr int64_t max_episode_steps = Fault::limit;
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<3>;

  void reset(pp::Rng& rng, Obs::Ref obs) {
    position_ = rng.uniform(-1, 1);
    steps_ = 0;
    observe(obs);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    position_ += 0.1 * (action - 1);
    ++steps_;
    fault_.step(steps_, position_, &obs[0]);
    const bool over = Fault::ends && (position_ > 2 || position_ < -2 || steps_ >= 40);
    if (over && Fault::resets_itself) {
      reset(rng, obs);
    } else {
      observe(obs);
    }
    return {1, over && !Fault::cuts, over && Fault::cuts};
  }

 private:
  void observe(Obs::Ref obs) const {
    obs[0] = static_cast<float>(position_);
    obs[1] = static_cast<float>(steps_);
  }
  Fault fault_;
  double position_ = 0;
  int64_t steps_ = 0;
};

struct None {
  static constexpr int64_t limit = 1000;
  static constexpr bool ends = true;
  static constexpr bool cuts = false;  // an end is `truncated`
  static constexpr bool resets_itself = false;
  void step(int64_t, double&, float*) {}
};
struct Sound : None {
  static constexpr const char* id = "deadly/Sound-v0";
};
struct Crashes : None {
  static constexpr const char* id = "deadly/Crashes-v0";
  void step(int64_t steps, double&, float*) {
    if (steps == 30) *static_cast<volatile int*>(nullptr) = 1;
  }
};
struct Hangs : None {
  static constexpr const char* id = "deadly/Hangs-v0";
  void step(int64_t steps, double&, float*) {
    for (volatile bool for_ever = steps == 30; for_ever;) {
    }
  }
};
struct Exits : None {
  static constexpr const char* id = "deadly/Exits-v0";
  void step(int64_t steps, double&, float*) {
    if (steps == 30) std::_Exit(3);
  }
};
struct Aborts : None {
  static constexpr const char* id = "deadly/Aborts-v0";
  void step(int64_t steps, double&, float*) {
    if (steps != 30) return;
    std::fputs("the world is not enough\n", stderr);
    std::abort();
  }
};
struct WritesFar : None {
  static constexpr const char* id = "deadly/WritesFar-v0";
  void step(int64_t steps, double&, float* obs) {
    volatile float* far = obs;
    if (steps == 20) far[4096] = 1;
  }
};
struct WritesLate : None {  // episodes of random play are cut short every 16 steps in some lanes
  static constexpr const char* id = "deadly/WritesLate-v0";
  static constexpr bool ends = false;
  void step(int64_t steps, double&, float* obs) {
    volatile float* late = obs;
    if (steps == 400) late[2 * 64] = 1;
  }
};
struct WritesWhenHeld : None {  // where random play does not come to
  static constexpr const char* id = "deadly/WritesWhenHeld-v0";
  static constexpr bool ends = false;
  void step(int64_t, double& position, float* obs) {
    volatile float* held = obs;
    if (position > 20) held[2 * 64] = 1;
  }
};
struct Scratch : None {  // threads that come in between are rare
  static constexpr const char* id = "deadly/Scratch-v0";
  void step(int64_t steps, double& position, float*) {
    static double scratch[4];
    for (int i = 0; i < 4; ++i) scratch[i] = position * static_cast<double>(steps);
    position = scratch[3] / static_cast<double>(steps);
  }
};
struct Counts : None {
  static constexpr const char* id = "deadly/Counts-v0";
  void step(int64_t, double& position, float*) {
    static int64_t steps_of_all = 0;
    position += 1e-6 * static_cast<double>(++steps_of_all);
  }
};
struct FillsOnce : None {  // which is sound: a table that is computed when it is first needed
  static constexpr const char* id = "deadly/FillsOnce-v0";
  void step(int64_t steps, double& position, float*) {
    static const struct Table {
      double each[8];
      Table() : each{} { each[3] = 0.25; }
    } table;
    position += 0 * table.each[steps % 8];
  }
};
struct ResetsItself : None {
  static constexpr const char* id = "deadly/ResetsItself-v0";
  static constexpr bool resets_itself = true;
};
struct CutsItself : None {  // which is sound: the limit is the environment's own
  static constexpr const char* id = "deadly/CutsItself-v0";
  static constexpr int64_t limit = 0;
  static constexpr bool cuts = true;
};
struct ResetsWhenCut : CutsItself {
  static constexpr const char* id = "deadly/ResetsWhenCut-v0";
  static constexpr bool resets_itself = true;
};
struct NeverEnds : None {
  static constexpr const char* id = "deadly/NeverEnds-v0";
  static constexpr int64_t limit = 0;
  static constexpr bool ends = false;
};

// An environment with options, some of which are never read.
template <class Fault>
struct Walled {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk between walls";
  static constexpr pp_option options[] = {
      pp::option("size", 4, "metres between the walls", pp::Range{1, 64}),
      pp::option("wind", 0.5, "metres per step", pp::Range{0, 1}),
      pp::option("limit", 100, "steps of an episode", pp::Range{1, 500}),
  };
  using Obs = pp::Box<float>;
  using Action = pp::Discrete<3>;

  static void describe(pp::Spec& spec, const pp::Options& options) {
    spec.max_episode_steps = options.integer("limit");
  }
  explicit Walled(const pp::Options& options)
      : size_(static_cast<float>(options.integer("size"))),
        wind_(Fault::reads ? static_cast<float>(options.real("wind")) : 0.5F) {
    if (!Fault::whole_range && size_ > 60) throw std::runtime_error("the world cannot be resized");
  }
  void reset(pp::Rng& rng, Obs::Ref obs) {
    position_ = static_cast<float>(rng.uniform(0, 1));
    obs = position_;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    position_ += static_cast<float>(action - 1) + wind_;
    if (position_ > size_) position_ = size_;
    obs = position_;
    return {position_, position_ < -9};
  }

 private:
  float size_;
  float wind_;
  float position_ = 0;
};
struct Walls {
  static constexpr const char* id = "deadly/Walls-v0";
  static constexpr bool reads = true;
  static constexpr bool whole_range = true;
};
struct Unread : Walls {
  static constexpr const char* id = "deadly/Unread-v0";
  static constexpr bool reads = false;
};
struct Resized : Walls {
  static constexpr const char* id = "deadly/Resized-v0";
  static constexpr bool whole_range = false;
};

// Trusts what it loads.
struct Trusts {
  static constexpr const char* id = "deadly/Trusts-v0";
  static constexpr const char* summary = "a walk over a board";
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<4>;
  void reset(pp::Rng& rng, Obs::Ref obs) {
    for (int32_t& visits : visits_) visits = 0;
    obs = cell_ = static_cast<int32_t>(rng.integers(0, 64));
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    ++visits_[cell_];
    cell_ = (cell_ + action) % 64;
    obs = cell_;
    return {1, visits_[cell_] > 8};
  }
  void save(pp::StateWriter& out) const { out(cell_, visits_); }
  void load(pp::StateReader& in) { in(cell_, visits_); }

 private:
  int32_t cell_ = 0;
  int32_t visits_[64] = {};
};

// What they say of themselves cannot be.
template <class Fault>
struct Said {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "says what cannot be";
  using Obs = typename Fault::Obs;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { Fault::describe(spec.obs()); }
  void reset(pp::Rng&, typename Obs::Ref) {}
  pp::Outcome step(int32_t, typename Obs::Ref) { return {0, true}; }
};
struct NoByte {
  static constexpr const char* id = "deadly/NoByte-v0";
  using Obs = pp::Box<uint8_t, 3>;
  static void describe(pp::Field& obs) { obs.bounds(0, 300); }
};
struct NoInteger {
  static constexpr const char* id = "deadly/NoInteger-v0";
  using Obs = pp::Box<int32_t, 3>;
  static void describe(pp::Field& obs) { obs.bounds(-0.5, 3); }
};
struct BeyondInt {
  static constexpr const char* id = "deadly/BeyondInt-v0";
  using Obs = pp::Box<int32_t, 3>;
  static void describe(pp::Field& obs) { obs.bounds(0, 3e9); }
};
struct TwoBounds {
  static constexpr const char* id = "deadly/TwoBounds-v0";
  using Obs = pp::Box<float, 3>;
  static void describe(pp::Field& obs) { obs.bounds({0, 0}, {1, 1}); }
};
struct Unshaped {
  static constexpr const char* id = "deadly/Unshaped-v0";
  using Obs = pp::Box<float, pp::dynamic>;
  static void describe(pp::Field&) {}
};

}  // namespace deadly

#define WALK(fault) pp::scalar<deadly::Walk<deadly::fault>>()
#define WALLED(fault) pp::scalar<deadly::Walled<deadly::fault>>()
#define SAID(fault) pp::scalar<deadly::Said<deadly::fault>>()
PP_PLUGIN("deadly", WALK(Sound), WALK(Crashes), WALK(Hangs), WALK(Exits), WALK(Aborts),
          WALK(WritesFar), WALK(WritesLate), WALK(WritesWhenHeld), WALK(Scratch), WALK(Counts),
          WALK(FillsOnce), WALK(ResetsItself), WALK(CutsItself), WALK(ResetsWhenCut),
          WALK(NeverEnds), WALLED(Walls), WALLED(Unread), WALLED(Resized),
          pp::scalar<deadly::Trusts>(), SAID(NoByte), SAID(NoInteger), SAID(BeyondInt),
          SAID(TwoBounds), SAID(Unshaped));
