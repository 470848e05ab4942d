// Environments that take memory: so much for each, and so much that all of a process share.
#include <cstddef>
#include <vector>

#include "parallel_pool/env.hpp"

namespace heavy {

struct Heavy {
  static constexpr const char* id = "heavy/Heavy-v0";
  struct Options {
    int64_t kilobytes;
    int64_t shared_kilobytes;
    static constexpr auto declared = pp::options(
        pp::option(&Options::kilobytes, "kilobytes", 0, "of this environment"),
        pp::option(&Options::shared_kilobytes, "shared_kilobytes", 0, "of all together"));
  };
  using Obs = pp::Box<float, 1>;
  using Action = pp::Discrete<2>;

  explicit Heavy(const Options& options) : own_(static_cast<size_t>(options.kilobytes) << 10, 1) {
    static const std::vector<char> shared(static_cast<size_t>(options.shared_kilobytes) << 10, 1);
  }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = 0; }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs[0] = own_.empty() ? 0.0f : static_cast<float>(own_[0]);
    return {1, false};
  }

 private:
  std::vector<char> own_;
};

}  // namespace heavy

PP_PLUGIN("heavy", pp::scalar<heavy::Heavy>());
