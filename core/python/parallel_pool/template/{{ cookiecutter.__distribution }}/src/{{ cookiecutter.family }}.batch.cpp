// {{ cookiecutter.env }}: come down gently. A craft falls towards the ground; its engine is on or off.
//
// One object steps many environments, its lanes, in loops that the compiler turns into vector
// instructions: worth it for environments that take less than a microsecond.
#include <parallel_pool/env.hpp>

#include <algorithm>
#include <vector>

namespace {

PP_KEY(fuel);  // a name in `info`

struct {{ cookiecutter.env }} {
  static constexpr const char* id = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0";
  static constexpr const char* summary = "Land softly before the fuel is gone";

  // Keyword arguments of parallel_pool.make; the host checks ranges. Lanes may differ in them.
  struct Options {
    double gravity;
    double thrust;
    static constexpr auto declared = pp::options(
        pp::option(&Options::gravity, "gravity", 1.62, "m/s^2", pp::Range{0.1, 30}),
        pp::option(&Options::thrust, "thrust", 4.0, "m/s^2 while the engine is on",
                   pp::Range{0, 100}));
  };

  using Obs = pp::Box<float, 2>;  // height in m, vertical speed in m/s
  using Action = pp::Discrete<2>;  // engine off, engine on
  using Info = pp::Dict<pp::At<fuel, pp::Scalar<float>>>;  // seconds of thrust left
  using Rows = pp::Rows<{{ cookiecutter.env }}>;

  explicit {{ cookiecutter.env }}(const std::vector<Options>& lanes)
      : height_(lanes.size()), speed_(lanes.size()), fuel_(lanes.size()) {
    for (const Options& options : lanes) {
      gravity_.push_back(options.gravity);
      thrust_.push_back(options.thrust);
    }
  }

  // New episodes for the selected rows, and for no others. Take all random numbers from the row's
  // generator: it is numpy's default_rng(seed).
  void reset(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      height_[lane] = rows.rng(i).uniform(20, 30);
      speed_[lane] = rows.rng(i).uniform(-2, 0);
      fuel_[lane] = 10;
      observe(rows, i, lane);
    }
  }

  // One step of 0.1 s. Rows that are not selected are reset next: computing them too is harmless,
  // as long as nothing is drawn from their generators.
  void step(const Rows& rows) {
    constexpr double dt = 0.1;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const uint32_t lane = rows.first() + i;
      const bool burns = rows.action()[i] == 1 && fuel_[lane] > 0;
      fuel_[lane] = burns ? std::max(0.0, fuel_[lane] - dt) : fuel_[lane];
      speed_[lane] += ((burns ? thrust_[lane] : 0.0) - gravity_[lane]) * dt;
      height_[lane] = std::clamp(height_[lane] + speed_[lane] * dt, 0.0, 100.0);
      observe(rows, i, lane);
      const bool down = height_[lane] <= 0;
      const double landing = speed_[lane] > -1 ? 10.0 : speed_[lane];  // softly, or the harder the worse
      rows.reward()[i] = down ? landing : (burns ? -0.01 : 0.0);
      rows.terminated()[i] = down ? 1 : 0;
      rows.truncated()[i] = 0;
    }
  }

  // Saving and restoring a lane: everything that decides its future.
  void save(uint32_t lane, pp::StateWriter& out) const {
    out(height_[lane], speed_[lane], fuel_[lane]);
  }
  void load(uint32_t lane, pp::StateReader& in) { in(height_[lane], speed_[lane], fuel_[lane]); }

 private:
  void observe(const Rows& rows, uint32_t i, uint32_t lane) const {
    rows.obs()[2 * i] = static_cast<float>(height_[lane]);
    rows.obs()[2 * i + 1] = static_cast<float>(speed_[lane]);
    rows.info<fuel>()[i] = static_cast<float>(fuel_[lane]);
  }

  std::vector<double> height_, speed_, fuel_;
  std::vector<double> gravity_, thrust_;
};

}  // namespace

PP_PLUGIN("{{ cookiecutter.family }}", pp::batch<{{ cookiecutter.env }}, 256>());
