// An environment whose every number a plain Python program can predict: tests/model/drift.py.
// Random numbers, an action that decides, two ways to end, an info, and an action that throws.
#include <stdexcept>

#include "parallel_pool/env.hpp"

namespace drift {

template <int Variant>
struct Drift {
  static constexpr const char* ids[] = {"drift/Drift-v0", "drift/DriftLanes-v0",
                                        "drift/DriftLate-v0"};
  static constexpr const char* id = ids[Variant];
  static constexpr bool late_rows = Variant == 2;
  struct Options {
    double wind;
    static constexpr auto declared =
        pp::options(pp::option(&Options::wind, "wind", 0.0, "added to every step"));
  };
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<4>;  // 0, 1, 2: where to; 3: throw
  using Info = pp::Dict<pp::At<"travelled", double>>;

  explicit Drift(const Options& options) : wind_(options.wind) {}
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    position_ = rng.uniform(-1, 1);
    travelled_ = 0;
    write(0, obs, info);
  }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    if (action == 3) throw std::runtime_error("blown away");
    const double noise = rng.random();
    const double move = (action - 1) * noise;
    position_ += move;
    position_ += wind_;
    travelled_ += noise;
    write(noise, obs, info);
    return {position_, noise < 0.1, noise < 0.05 || noise > 0.95};
  }
  void save(pp::StateWriter& out) const { out(position_, travelled_); }
  void load(pp::StateReader& in) { in(position_, travelled_); }

 private:
  void write(double noise, Obs::Ref obs, Info::Ref info) const {
    obs[0] = position_;
    obs[1] = noise;
    info.get<"travelled">() = travelled_;
  }
  double wind_;
  double position_ = 0;
  double travelled_ = 0;
};

}  // namespace drift

PP_PLUGIN("drift", pp::scalar<drift::Drift<0>>(), pp::scalar<drift::Drift<1>, 8>(),
          pp::scalar<drift::Drift<2>>());
