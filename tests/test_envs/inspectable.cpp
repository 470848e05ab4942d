// An environment that one can look into: arrays, pictures, reset options. Once as an object, once
// as a kernel, so that both ways of the SDK are seen.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/env.hpp"

namespace inspectable {

struct FirstPosition {
  double low;
  double high;
  static constexpr auto declared = pp::options(
      pp::option(&FirstPosition::low, "low", -1.0, "least first position", pp::Range{-10, 10}),
      pp::option(&FirstPosition::high, "high", 1.0, "greatest first position", pp::Range{-10, 10}));

  void check() const {
    if (low > high) throw std::invalid_argument("low is above high");
  }
};

struct State {
  double position = 0;
  double speed = 0.25;
  int32_t steps = 0;
  float trace[2][3] = {};
  double low = -1;
  double high = 1;
  int32_t writes = 0;

  void start(pp::Rng& rng, double* obs) {
    position = rng.uniform(low, high);
    steps = 0;
    *obs = position;
  }
  void advance(int32_t action, double* obs) {
    position += (action - 1) * speed;
    ++steps;
    *obs = position;
  }
  void list(pp::ArrayList& arrays) {
    arrays.values("motion", position, speed);
    arrays.value("steps", std::as_const(steps));
    arrays.value("writes", std::as_const(writes));
    arrays.array("trace", &trace[0][0], {2, 3});
    if (position > 100) throw std::runtime_error("out of sight");
  }
  void draw(uint8_t* rgb) const {
    if (steps == 7) throw std::runtime_error("camera-shy");
    for (int i = 0; i < 2 * 3 * 3; ++i) rgb[i] = static_cast<uint8_t>(10 * steps + i);
  }
};

struct Inspectable {
  static constexpr const char* id = "inspectable/Inspectable-v0";
  struct Options {
    int64_t rows;
    static constexpr auto declared =
        pp::options(pp::option(&Options::rows, "rows", 2, "of the picture"));
  };
  using ResetOptions = FirstPosition;
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Inspectable(const Options& options) : rows_(options.rows) {}
  void reset(pp::Rng& rng, Obs::Ref obs) { state_.start(rng, obs.data()); }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    state_.advance(action, obs.data());
    return {};
  }
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void set_reset_options(const ResetOptions& options) {
    state_.low = options.low;
    state_.high = options.high;
    if (state_.low == 3) throw std::runtime_error("not three");
  }
  void arrays(pp::ArrayList& list) {
    // Of environments that differ, an array is not in the same place.
    if (rows_ == 5) list.value("rows", std::as_const(rows_));
    state_.list(list);
  }
  void arrays_written() { ++state_.writes; }
  pp::FrameSize frame_size() const { return {static_cast<uint32_t>(rows_), 3}; }
  void draw(uint8_t* rgb) const { state_.draw(rgb); }

 private:
  int64_t rows_;
  State state_;
};

struct InspectableBatch {
  static constexpr const char* id = "inspectable/InspectableBatch-v0";
  using ResetOptions = FirstPosition;
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit InspectableBatch(const std::vector<pp::Options>& lanes) : states_(lanes.size()) {}
  void reset(const pp::Rows<InspectableBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) states_[rows.first() + i].start(rows.rng(i), rows.obs() + i);
    }
  }
  void step(const pp::Rows<InspectableBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      State& state = states_[rows.first() + i];
      state.advance(rows.action()[i], rows.obs() + i);
      rows.reward()[i] = 0;
      rows.terminated()[i] = rows.truncated()[i] = 0;
    }
  }
  void set_reset_options(uint32_t lane, const ResetOptions& options) {
    states_[lane].low = options.low;
    states_[lane].high = options.high;
  }
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void arrays(uint32_t lane, pp::ArrayList& list) { states_[lane].list(list); }
  void arrays_written(uint32_t lane) { ++states_[lane].writes; }
  pp::FrameSize frame_size(uint32_t) const { return {2, 3}; }
  void draw(uint32_t lane, uint8_t* rgb) const { states_[lane].draw(rgb); }

 private:
  std::vector<State> states_;
};

}  // namespace inspectable

PP_PLUGIN("inspectable", pp::scalar<inspectable::Inspectable>(),
          pp::batch<inspectable::InspectableBatch, 4>());
