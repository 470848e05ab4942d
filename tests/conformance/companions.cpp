// Options of which one leaves the spaces as they are only beside another, and one refuses to be
// beside a third.
#include <stdexcept>
#include <vector>

#include "parallel_pool/env.hpp"

namespace companions {

template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk to a target";
  struct Options {
    bool all_keys;
    bool target;
    bool wind;
    bool calm;
    static constexpr auto declared = pp::options(
        pp::option(&Options::all_keys, "all_keys", false,
                   "the target is observed where there is none, too"),
        pp::option(&Options::target, "target", true, "there is a target"),
        pp::option(&Options::wind, "wind", false, "position is disturbed"),
        pp::option(&Options::calm, "calm", false, "nothing is disturbed; not with 'wind'"));
  };
  using Obs = pp::Box<double, pp::dynamic>;
  using Action = pp::Discrete<3>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.obs().shaped({width(options)});
  }
  explicit Walk(const std::vector<Options>& lanes) : position_(lanes.size()) {
    for (const Options& lane : lanes) {
      if (lane.wind && lane.calm) {
        throw std::invalid_argument("option 'calm' is not for an environment with 'wind'");
      }
      width_ = static_cast<size_t>(width(lane));
      target_.push_back((Fault::one_target ? lanes[0] : lane).target ? 1.0 : 0.0);
      wind_.push_back(lane.wind ? 0.5 : 0.0);
    }
  }
  void reset(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      position_[rows.first() + i] = rows.rng(i).uniform(-1, 1);
      observe(rows, i);
    }
  }
  void step(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const uint32_t lane = rows.first() + i;
      const double gust = rows.selected(i) ? rows.rng(i).uniform(-1, 1) : 0;
      position_[lane] += 0.1 * (rows.action()[i] - 1) + wind_[lane] * gust;
      rows.reward()[i] = -target_[lane] * position_[lane] * position_[lane];
      rows.terminated()[i] = position_[lane] > 2;
      rows.truncated()[i] = 0;
      observe(rows, i);
    }
  }

 private:
  static int64_t width(const Options& options) {
    return options.target || options.all_keys ? 2 : 1;
  }
  void observe(const pp::Rows<Walk>& rows, uint32_t i) const {
    const uint32_t lane = rows.first() + i;
    double* const row = rows.obs() + width_ * i;
    row[0] = position_[lane];
    if (width_ == 2) row[1] = target_[lane];
  }

  size_t width_ = 1;  // of all, or they would not be in one pool
  std::vector<double> position_, target_, wind_;
};

struct Sound {
  static constexpr const char* id = "companions/Sound-v0";
  static constexpr bool one_target = false;
};
struct OneTarget {  // the whole shard's
  static constexpr const char* id = "companions/OneTarget-v0";
  static constexpr bool one_target = true;
};

PP_PLUGIN("companions", pp::batch<Walk<Sound>, 64>(), pp::batch<Walk<OneTarget>, 64>());

}  // namespace companions
