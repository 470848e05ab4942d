// A random walk, stepped in every way there is: its trajectory shows every mix-up; part of
// test_envs.cpp.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace test_envs {

// A random walk that ends at random: its trajectory shows every mix-up of seeds, rows and actions.
struct WalkState {
  double position = 0;
  void start(pp::Rng& rng, double* obs) {
    position = rng.uniform(-1, 1);
    obs[0] = position;
    obs[1] = 0;
  }
  bool advance(pp::Rng& rng, int32_t action, double drift, double* obs) {
    const double noise = rng.random();
    position += drift + (action - 1) * noise;
    obs[0] = position;
    obs[1] = noise;
    return noise < 0.1;
  }
};

struct WalkOptions {
  double drift;
  static constexpr auto declared =
      pp::options(pp::option(&WalkOptions::drift, "drift", 0.0, "added to every step"));
};

template <int Variant>
struct Walk {
  static constexpr const char* ids[] = {"test/Walk-v0", "test/WalkLanes-v0", "test/WalkLate-v0",
                                        "test/WalkExclusive-v0"};
  static constexpr const char* id = ids[Variant];
  static constexpr bool late_rows = Variant == 2;
  static constexpr bool exclusive = Variant == 3;
  using Options = WalkOptions;
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<3>;

  explicit Walk(const Options& options) : drift_(options.drift) {}
  void reset(pp::Rng& rng, Obs::Ref obs) { state_.start(rng, obs.data()); }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    const bool over = state_.advance(rng, action, drift_, obs.data());
    return {state_.position, over};
  }
  void save(pp::StateWriter& out) const { out(state_.position); }
  void load(pp::StateReader& in) { in(state_.position); }

 private:
  double drift_;
  WalkState state_;
};

struct WalkBatch {
  static constexpr const char* id = "test/WalkBatch-v0";
  using Options = WalkOptions;
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<3>;

  explicit WalkBatch(const std::vector<Options>& lanes) : state_(lanes.size()) {
    for (const Options& lane : lanes) drift_.push_back(lane.drift);
  }
  void reset(const pp::Rows<WalkBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) state_[rows.first() + i].start(rows.rng(i), rows.obs() + 2 * i);
    }
  }
  void step(const pp::Rows<WalkBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.truncated()[i] = 0;
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      rows.terminated()[i] =
          state_[lane].advance(rows.rng(i), rows.action()[i], drift_[lane], rows.obs() + 2 * i);
      rows.reward()[i] = state_[lane].position;
    }
  }
  void save(uint32_t lane, pp::StateWriter& out) const { out(state_[lane].position); }
  void load(uint32_t lane, pp::StateReader& in) { in(state_[lane].position); }

 private:
  std::vector<WalkState> state_;
  std::vector<double> drift_;
};

// Moves a mark along eight cells. In rows that keep what it wrote it changes two of them.
struct Marks {
  static constexpr const char* id = "test/Marks-v0";
  using Obs = pp::Box<int32_t, 8>;
  using Action = pp::Discrete<3>;

  explicit Marks(const std::vector<pp::Options>& lanes) : lanes_(lanes.size()) {}
  void reset(const pp::Rows<Marks>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) move(rows, i, static_cast<int32_t>(rows.rng(i).integers(0, 4)));
    }
  }
  void step(const pp::Rows<Marks>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.truncated()[i] = 0;
      if (!rows.selected(i)) continue;
      const int32_t place = lanes_[rows.first() + i].place;
      rows.terminated()[i] = place == 7;
      rows.reward()[i] = place;
      move(rows, i, (place + rows.action()[i]) % 8);
    }
  }

 private:
  struct Lane {
    int32_t place = 0;
    int32_t* row = nullptr;  // keeps the mark at that place
  };
  void move(const pp::Rows<Marks>& rows, uint32_t i, int32_t to) {
    Lane& lane = lanes_[rows.first() + i];
    int32_t* row = rows.obs() + 8 * i;
    if (rows.kept() && lane.row == row) {
      row[lane.place] = 0;
    } else {
      std::fill_n(row, 8, 0);
    }
    row[to] = 1;
    lane = {to, rows.kept() ? row : nullptr};
  }
  std::vector<Lane> lanes_;
};

}  // namespace test_envs
