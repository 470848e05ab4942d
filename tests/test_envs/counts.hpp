// Environments that count their steps: what a pool makes of flags, discounts and episodes; part of
// test_envs.cpp.
#include <cstdint>
#include <utility>

#include "parallel_pool/env.hpp"

namespace test_envs {

// Observes the number of steps; the reward is the action. Ends at max_count.
struct Count {
  static constexpr const char* id = "test/Count-v0";
  static constexpr const char* summary = "Counts its steps";
  struct Options {
    int64_t max_count;
    int64_t truncate_at;
    double scale;
    static constexpr auto declared =
        pp::options(pp::option(&Options::max_count, "max_count", 5, "steps until terminated",
                               pp::Range{1, 1000000}),
                    pp::option(&Options::truncate_at, "truncate_at", 0,
                               "steps until the environment itself truncates; 0: never"),
                    pp::option(&Options::scale, "scale", 1.0, "of the reward", pp::Range{0, 10}));
  };
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<3>;
  using Info = pp::Dict<pp::At<"total", double>>;

  explicit Count(const Options& options)
      : max_count_(options.max_count), truncate_at_(options.truncate_at), scale_(options.scale) {}
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    count_ = 0;
    sum_ = 0;
    obs = 0;
    info.get<"total">() = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs, Info::Ref info) {
    obs = ++count_;
    sum_ += scale_ * action;
    info.get<"total">() = sum_;
    return {scale_ * action, count_ >= max_count_, count_ == truncate_at_};
  }
  void save(pp::StateWriter& out) const { out(count_, sum_); }
  void load(pp::StateReader& in) { in(count_, sum_); }

 private:
  int64_t max_count_;
  int64_t truncate_at_;
  double scale_;
  int32_t count_ = 0;
  double sum_ = 0;
};

// Observes the number of steps where somebody reads it, and says how often that was, the reset
// included. Ends after seven steps.
struct Drawn {
  static constexpr const char* id = "test/Drawn-v0";
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<3>;
  using Info = pp::Dict<pp::At<"total", int32_t>>;

  void unseen(bool unseen) { unseen_ = unseen; }
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    count_ = 0;
    show(obs);
    info.get<"total">() = drawn_;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs, Info::Ref info) {
    const bool over = ++count_ == 7;
    if (!unseen_ || over) show(obs);
    info.get<"total">() = drawn_;
    return {static_cast<double>(action), over};
  }

 private:
  void show(Obs::Ref obs) {
    obs = count_;
    ++drawn_;
  }

  bool unseen_ = false;
  int32_t count_ = 0;
  int32_t drawn_ = 0;
};

// Begins its next episode in the step that ends one: at `length`, truncated if `cuts`. Observes how
// often it was reset, a random number that it drew at its beginning, and its steps.
struct Itself {
  static constexpr const char* id = "test/Itself-v0";
  static constexpr bool resets_itself = true;
  struct Options {
    int64_t length;
    bool cuts;
    static constexpr auto declared = pp::options(
        pp::option(&Options::length, "length", 3, "steps of an episode", pp::Range{1, 100}),
        pp::option(&Options::cuts, "cuts", false, "truncate, not terminate"));
  };
  using Obs = pp::Box<int32_t, 3>;
  using Action = pp::Discrete<3>;

  explicit Itself(const Options& options) : options_(options) {}
  void reset(pp::Rng& rng, Obs::Ref obs) {
    ++resets_;
    begin(rng);
    show(obs);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    const bool over = ++steps_ == options_.length;
    if (over) begin(rng);
    show(obs);
    return {static_cast<double>(action), over && !options_.cuts, over && options_.cuts};
  }
  void save(pp::StateWriter& out) const { out(resets_, drawn_, steps_); }
  void load(pp::StateReader& in) { in(resets_, drawn_, steps_); }

 private:
  void begin(pp::Rng& rng) {
    drawn_ = static_cast<int32_t>(rng.integers(0, 1 << 30));
    steps_ = 0;
  }
  void show(Obs::Ref obs) const {
    obs[0] = resets_;
    obs[1] = drawn_;
    obs[2] = steps_;
  }
  Options options_;
  int32_t resets_ = 0;
  int32_t drawn_ = 0;
  int32_t steps_ = 0;
};

// Has a discount of its own, and episodes of three steps.
struct Discount {
  static constexpr const char* id = "test/Discount-v0";
  static constexpr bool has_discount = true;
  static constexpr int64_t max_episode_steps = 3;
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().bounds(0, 10); }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = 0; }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs[0] = obs[1] = static_cast<float>(action);
    return {2.0, false, false, 0.25};
  }
};

// A game of several episodes, its lives, of `life` steps each; the action 2 gives up a life. A step
// gives 3 points times the action, of which the learner sees the sign, and each reset gives 1.
struct Lives {
  static constexpr const char* id = "test/Lives-v0";
  static constexpr bool has_score = true;
  struct Options {
    int64_t life;
    int64_t lives;
    static constexpr auto declared =
        pp::options(pp::option(&Options::life, "life", 3, "steps of a life", pp::Range{1, 1000}),
                    pp::option(&Options::lives, "lives", 2, "of a game", pp::Range{1, 1000}));
  };
  using Obs = pp::Box<int32_t>;
  using Action = pp::Scalar<double>;
  using Info = pp::Dict<pp::At<"lives", int64_t>>;

  explicit Lives(const Options& options) : options_(options) {}
  void seed(uint64_t) { lost_ = false; }
  pp::Score reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    const bool continues = std::exchange(lost_, false);
    if (!continues) left_ = options_.lives;
    count_ = 0;
    obs = 0;
    info.get<"lives">() = left_;
    return {1, continues};
  }
  pp::ScoredOutcome step(double action, Obs::Ref obs, Info::Ref info) {
    obs = ++count_;
    const bool dies = action == 2 || count_ >= options_.life;
    left_ -= dies ? 1 : 0;
    lost_ = dies && left_ > 0;
    info.get<"lives">() = left_;
    pp::ScoredOutcome outcome{action > 0 ? 1 : 0, dies};
    outcome.score = {3.0 * action, lost_};
    return outcome;
  }
  void save(pp::StateWriter& out) const { out(left_, count_, lost_); }
  void load(pp::StateReader& in) { in(left_, count_, lost_); }

 private:
  Options options_;
  int64_t left_ = 0;
  int32_t count_ = 0;
  bool lost_ = false;
};

}  // namespace test_envs
