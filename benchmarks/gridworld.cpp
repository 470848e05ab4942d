// gridworld.cpp: a scalar environment of the kind that docs/writing-a-plugin.md shows, as light as
// one can be: what the pool adds to a step is most of its time. sharing.py compiles it.
#include <parallel_pool/env.hpp>

struct Gridworld {  // a walk on 8 x 8 fields with walls all around, to the far corner
  static constexpr const char* id = "sharing/Gridworld-v0";
  static constexpr int64_t max_episode_steps = 100;
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<4>;

  explicit Gridworld(const pp::Options&) {}
  void reset(pp::Rng& rng, Obs::Ref obs) {
    x_ = rng.integers(0, size, false);
    y_ = rng.integers(0, size, false);
    look(obs);
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    constexpr int64_t dx[] = {1, 0, -1, 0};
    constexpr int64_t dy[] = {0, 1, 0, -1};
    x_ = inside(x_ + dx[action]);
    y_ = inside(y_ + dy[action]);
    look(obs);
    const bool there = x_ == size - 1 && y_ == size - 1;
    return {there ? 1.0 : -0.01, there};
  }

 private:
  static constexpr int64_t size = 8;
  static int64_t inside(int64_t place) { return place < 0 ? 0 : place >= size ? size - 1 : place; }
  void look(Obs::Ref obs) const {
    obs[0] = static_cast<float>(x_);
    obs[1] = static_cast<float>(y_);
  }

  int64_t x_ = 0;
  int64_t y_ = 0;
};

PP_PLUGIN("sharing", pp::scalar<Gridworld>());
