// An environment whose options decide which arrays it is observed in: a number for each wheel, and
// whatever else is asked for.
#include <cstdint>
#include <string>

#include "parallel_pool/env.hpp"

namespace {

struct Wheels {
  static constexpr const char* id = "fields/Wheels-v0";
  struct Options {
    int64_t wheels;
    bool picture;
    static constexpr auto declared =
        pp::options(pp::option(&Options::wheels, "wheels", 2, "how many", pp::Range{0, 8}),
                    pp::option(&Options::picture, "picture", false, "there is one as well"));
  };
  using Obs = pp::Fields;
  using Action = pp::Box<double>;

  static void describe(pp::Spec& spec, const Options& options) {
    for (int64_t i = 0; i < options.wheels; ++i) {
      spec.add(PP_ROLE_OBS, "wheel" + std::to_string(i), PP_KIND_BOX, PP_FLOAT64, {});
    }
    spec.add(PP_ROLE_OBS, "state", PP_KIND_BOX, PP_FLOAT32, {options.wheels, 2});
    if (options.picture) spec.add(PP_ROLE_OBS, "picture", PP_KIND_BOX, PP_UINT8, {2, 3});
  }
  explicit Wheels(const Options& options)
      : wheels_(static_cast<size_t>(options.wheels)), picture_(options.picture) {}

  void reset(pp::Rng& rng, Obs::Ref obs) {
    angle_ = rng.uniform(0, 1);
    write(obs);
  }
  pp::Outcome step(double action, Obs::Ref obs) {
    angle_ += action;
    write(obs);
    return {};
  }

 private:
  void write(const Obs::Ref& obs) const {
    for (size_t i = 0; i < wheels_; ++i) {
      const double angle = angle_ + static_cast<double>(i);
      obs.get<double>(i)[0] = angle;
      obs.get<float>(wheels_)[2 * i] = static_cast<float>(angle);
      obs.get<float>(wheels_)[2 * i + 1] = static_cast<float>(i);
    }
    for (size_t i = 0; picture_ && i < 6; ++i) {
      obs.get<uint8_t>(wheels_ + 1)[i] = static_cast<uint8_t>(i);
    }
  }

  const size_t wheels_;
  const bool picture_;
  double angle_ = 0;
};

// The same of each of several players.
struct Crowd {
  static constexpr const char* id = "fields/Crowd-v0";
  static constexpr uint32_t max_players = 8;
  struct Options {
    int64_t players;
    int64_t size;
    static constexpr auto declared =
        pp::options(pp::option(&Options::players, "players", 2, "how many", pp::Range{1, 8}),
                    pp::option(&Options::size, "size", 3, "of what each sees", pp::Range{1, 9}));
  };
  using Obs = pp::PerPlayer<pp::Fields>;
  using Action = pp::PerPlayer<pp::Discrete<9>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_players = static_cast<uint32_t>(options.players);
    spec.add(PP_ROLE_OBS, "number", PP_KIND_BOX, PP_INT64, {options.size}).flags =
        PP_FIELD_PER_PLAYER;
    spec.add(PP_ROLE_OBS, "action", PP_KIND_BOX, PP_FLOAT32, {1}).flags = PP_FIELD_PER_PLAYER;
  }

  void reset(pp::Rng&, Obs::Ref obs, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) write(obs, k, -1);
  }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) write(obs, k, static_cast<float>(action[k]));
    return {};
  }

 private:
  static void write(const Obs::Ref& obs, size_t player, float action) {
    for (int64_t& each : obs[player].get<int64_t>(0)) each = static_cast<int64_t>(player);
    obs[player].get<float>(1) = action;
  }
};

}  // namespace

PP_PLUGIN("fields", pp::scalar<Wheels>(), pp::scalar<Crowd>());
