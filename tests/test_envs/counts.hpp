// Environments that count their steps: what a pool makes of flags, discounts and episodes; part of
// test_envs.cpp.
#include <cstdint>

#include "parallel_pool/env.hpp"

namespace test_envs {

PP_KEY(total);

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
  using Info = pp::Dict<pp::At<total, pp::Scalar<double>>>;

  explicit Count(const Options& options)
      : max_count_(options.max_count), truncate_at_(options.truncate_at), scale_(options.scale) {}
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    count_ = 0;
    sum_ = 0;
    obs = 0;
    info.get<total>() = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs, Info::Ref info) {
    obs = ++count_;
    sum_ += scale_ * action;
    info.get<total>() = sum_;
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

}  // namespace test_envs
