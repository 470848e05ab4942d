// Says nothing of itself, nor of its option.
#include "parallel_pool/env.hpp"

namespace silent {

struct Silent {
  static constexpr const char* id = "silent/Silent-v0";
  struct Options {
    int64_t n;
    static constexpr auto declared = pp::options(pp::option(&Options::n, "n", 10, ""));
  };
  using Obs = pp::Box<float>;
  using Action = pp::Discrete<2>;
  explicit Silent(const Options&) {}
  void reset(pp::Rng& rng, Obs::Ref obs) { obs = static_cast<float>(rng.random()); }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs = 0;
    return {1, true};
  }
};

PP_PLUGIN("silent", pp::scalar<Silent>());

}  // namespace silent
