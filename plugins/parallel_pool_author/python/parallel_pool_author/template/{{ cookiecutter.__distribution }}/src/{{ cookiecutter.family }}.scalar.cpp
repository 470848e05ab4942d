// {{ cookiecutter.env }}: come down gently. A craft falls towards the ground; its engine is on or off.
#include <parallel_pool/env.hpp>

#include <algorithm>

namespace {

struct {{ cookiecutter.env }} {
  static constexpr const char* id = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0";
  static constexpr const char* summary = "Land softly before the fuel is gone";
  static constexpr int64_t max_episode_steps = 500;

  // Keyword arguments of parallel_pool.make; the host checks ranges.
  struct Options {
    double gravity;
    double thrust;
    static constexpr auto declared = pp::options(
        pp::option(&Options::gravity, "gravity", 1.62, "gravity in m/s^2", pp::Range{0.1, 30}),
        pp::option(&Options::thrust, "thrust", 4.0, "acceleration by the engine, in m/s^2",
                   pp::Range{0, 100}));
  };

  using Obs = pp::Box<float, 2>;  // height in m, vertical speed in m/s
  using Action = pp::Discrete<2>;  // engine off, engine on
  using Info = pp::Dict<pp::At<"fuel", float>>;  // seconds of thrust left

  explicit {{ cookiecutter.env }}(const Options& options)
      : gravity_(options.gravity), thrust_(options.thrust) {}

  // A new episode. Take all random numbers from `rng`: it is numpy's default_rng(seed).
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    height_ = rng.uniform(20, 30);
    speed_ = rng.uniform(-2, 0);
    fuel_ = 10;
    observe(obs, info);
  }

  // One step of 0.1 s. What is returned: reward, terminated.
  pp::Outcome step(int32_t action, Obs::Ref obs, Info::Ref info) {
    constexpr double dt = 0.1;
    const bool burns = action == 1 && fuel_ > 0;
    if (burns) fuel_ = std::max(0.0, fuel_ - dt);
    speed_ += ((burns ? thrust_ : 0) - gravity_) * dt;
    height_ = std::clamp(height_ + speed_ * dt, 0.0, 100.0);
    observe(obs, info);
    if (height_ > 0) return {burns ? -0.01 : 0.0};
    return {speed_ > -1 ? 10.0 : speed_, true};  // landed softly, or the harder the worse
  }

  // Saving and restoring: everything that decides the future.
  void save(pp::StateWriter& out) const { out(height_, speed_, fuel_); }
  void load(pp::StateReader& in) { in(height_, speed_, fuel_); }

 private:
  void observe(Obs::Ref obs, Info::Ref info) const {
    obs[0] = static_cast<float>(height_);
    obs[1] = static_cast<float>(speed_);
    info.get<"fuel">() = static_cast<float>(fuel_);
  }

  double gravity_;
  double thrust_;
  double height_ = 0;
  double speed_ = 0;
  double fuel_ = 0;
};

}  // namespace

PP_PLUGIN("{{ cookiecutter.family }}", pp::scalar<{{ cookiecutter.env }}>());
