// {{ cookiecutter.env }}: come down gently. A craft falls towards the ground; its engine is on or off.
//
// One object steps many environments, its lanes, in loops that the compiler turns into vector
// instructions: worth it for environments that take less than a microsecond.
#include <parallel_pool/env.hpp>

#include <algorithm>
#include <vector>

namespace {

struct {{ cookiecutter.env }} {
  static constexpr const char* id = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0";
  static constexpr const char* summary = "Land softly before the fuel is gone";
  static constexpr int64_t max_episode_steps = 500;

  // Keyword arguments of parallel_pool.make; the host checks ranges. Lanes may differ in them.
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
      rows.obs()[2 * i] = static_cast<float>(height_[lane]);
      rows.obs()[2 * i + 1] = static_cast<float>(speed_[lane]);
      rows.info<"fuel">()[i] = static_cast<float>(fuel_[lane]);
    }
  }

  // One step of 0.1 s. Rows that are not selected are reset next: computing them too is harmless,
  // as long as nothing is drawn from their generators.
  void step(const Rows& rows) {
    const uint32_t first = rows.first();
    advance(rows.size(), rows.action(), &gravity_[first], &thrust_[first], &height_[first],
            &speed_[first], &fuel_[first], rows.obs(), rows.info<"fuel">(), rows.reward(),
            rows.terminated(), rows.truncated());
  }

  // Saving and restoring a lane: everything that decides its future.
  void save(uint32_t lane, pp::StateWriter& out) const {
    out(height_[lane], speed_[lane], fuel_[lane]);
  }
  void load(uint32_t lane, pp::StateReader& in) { in(height_[lane], speed_[lane], fuel_[lane]); }

 private:
  // The loops by themselves, so that they become vector instructions: pointers that are arguments
  // and __restrict do not change, and no array overlaps another. Nothing is read or computed only
  // on a condition; both results are there, and one is chosen. `&`, not `&&`. Narrow types, and
  // rows of more than one number, in loops of their own.
  static void advance(uint32_t n, const int32_t* __restrict action,
                      const double* __restrict gravity, const double* __restrict thrust,
                      double* __restrict height, double* __restrict speed, double* __restrict left,
                      float* __restrict obs, float* __restrict info, double* __restrict reward,
                      uint8_t* __restrict terminated, uint8_t* __restrict truncated) {
    constexpr double dt = 0.1;
    for (uint32_t i = 0; i < n; ++i) {
      const double push = thrust[i];
      const double used = std::max(0.0, left[i] - dt);
      const bool burns = (action[i] == 1) & (left[i] > 0);
      left[i] = burns ? used : left[i];
      speed[i] += ((burns ? push : 0.0) - gravity[i]) * dt;
      height[i] = std::min(std::max(height[i] + speed[i] * dt, 0.0), 100.0);
      const double landing = speed[i] > -1 ? 10.0 : speed[i];  // softly, or the harder the worse
      const double flying = burns ? -0.01 : 0.0;
      reward[i] = height[i] <= 0 ? landing : flying;
    }
    for (uint32_t i = 0; i < n; ++i) {
      terminated[i] = height[i] <= 0 ? 1 : 0;
      truncated[i] = 0;
    }
    for (uint32_t i = 0; i < n; ++i) {
      obs[2 * i] = static_cast<float>(height[i]);
      obs[2 * i + 1] = static_cast<float>(speed[i]);
      info[i] = static_cast<float>(left[i]);
    }
  }

  std::vector<double> height_, speed_, fuel_;
  std::vector<double> gravity_, thrust_;
};

}  // namespace

PP_PLUGIN("{{ cookiecutter.family }}", pp::batch<{{ cookiecutter.env }}, 512>());
