// Environments whose constructor takes a seed: objects for an episode, for several, and one that
// resets itself.
#include <cstdint>
#include <stdexcept>
#include <tuple>

#include "parallel_pool/env.hpp"

namespace {

enum Kind { episode, engine, itself };

// Observes its seed, the level that it drew last, how often this object was reset, and steps. Ends
// at `length`; the constructor refuses the seed `refused`.
template <Kind kind>
struct Made {
  static constexpr const char* ids[] = {"made/Episode-v0", "made/Engine-v0", "made/Itself-v0"};
  static constexpr const char* id = ids[kind];
  static constexpr const char* summary = "Tells its seed";
  static constexpr bool outlives_episodes = kind == engine;
  static constexpr bool resets_itself = kind == itself;
  struct Options {
    int64_t length;
    int64_t refused;
    int64_t kept;
    static constexpr auto declared = pp::options(
        pp::option(&Options::length, "length", 3, "steps of an episode", pp::Range{1, 100}),
        pp::option(&Options::refused, "refused", -1, "seed"),
        pp::option(&Options::kept, "kept", -1, "steps after which it is not copied"));
  };
  using Obs = pp::Box<uint64_t, 4>;
  using Action = pp::Discrete<3>;

  Made(const Options& options, pp::Seed seed)
      : length_(options.length), kept_(options.kept), seed_(seed.value), own_(seed.value) {
    if (options.refused >= 0 && seed_ == static_cast<uint64_t>(options.refused)) {
      throw std::runtime_error("no such level");
    }
    level_ = own_.next_uint64();
  }
  Made(const Made&) = delete;

  void reset(pp::Rng&, Obs::Ref obs) {
    if (resets_++ > 0) begin();
    show(obs);
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    const bool over = ++steps_ == length_;
    if (over && kind == itself) begin();
    show(obs);
    return {static_cast<double>(action), over};
  }
  void save(pp::StateWriter& out) const {
    out(resets_, steps_);
    if (kind != episode) out(level_, own_);
  }
  void load(pp::StateReader& in) {
    in(resets_, steps_);
    if (kind != episode) in(level_, own_);
  }
  void copy_from(const Made& other) {
    if (other.steps_ == kept_) throw std::runtime_error("not now");
    std::tie(level_, own_, resets_, steps_) =
        std::tie(other.level_, other.own_, other.resets_, other.steps_);
  }

 private:
  void begin() {
    level_ = own_.next_uint64();
    steps_ = 0;
  }
  void show(Obs::Ref obs) const {
    obs[0] = seed_;
    obs[1] = level_;
    obs[2] = resets_;
    obs[3] = static_cast<uint64_t>(steps_);
  }
  int64_t length_;
  int64_t kept_;
  uint64_t seed_;
  pp::Rng own_;
  uint64_t level_;
  uint64_t resets_ = 0;
  int64_t steps_ = 0;
};

}  // namespace

PP_PLUGIN("made", pp::scalar<Made<episode>>(), pp::scalar<Made<engine>, 4>(),
          pp::scalar<Made<itself>>());
