// An environment whose options decide which arrays it is observed in: a number for each wheel, and
// whatever else is asked for.
#include <cstdint>
#include <string>

#include "parallel_pool/env.hpp"

namespace {

struct Wheels {
  static constexpr const char* id = "fields/Wheels-v0";
  struct Options {
    int64_t wheels;
    bool picture;
    static constexpr auto declared =
        pp::options(pp::option(&Options::wheels, "wheels", 2, "how many", pp::Range{0, 8}),
                    pp::option(&Options::picture, "picture", false, "there is one as well"));
  };
  using Obs = pp::Fields;
  using Action = pp::Box<double>;

  static void describe(pp::Spec& spec, const Options& options) {
    for (int64_t i = 0; i < options.wheels; ++i) {
      spec.add(PP_ROLE_OBS, "wheel" + std::to_string(i), PP_KIND_BOX, PP_FLOAT64, {});
    }
    spec.add(PP_ROLE_OBS, "state", PP_KIND_BOX, PP_FLOAT32, {options.wheels, 2});
    if (options.picture) spec.add(PP_ROLE_OBS, "picture", PP_KIND_BOX, PP_UINT8, {2, 3});
  }
  explicit Wheels(const Options& options)
      : wheels_(static_cast<size_t>(options.wheels)), picture_(options.picture) {}

  void reset(pp::Rng& rng, Obs::Ref obs) {
    angle_ = rng.uniform(0, 1);
    write(obs);
  }
  pp::Outcome step(double action, Obs::Ref obs) {
    angle_ += action;
    write(obs);
    return {};
  }

 private:
  void write(const Obs::Ref& obs) const {
    for (size_t i = 0; i < wheels_; ++i) {
      const double angle = angle_ + static_cast<double>(i);
      obs.get<double>(i)[0] = angle;
      obs.get<float>(wheels_)[2 * i] = static_cast<float>(angle);
      obs.get<float>(wheels_)[2 * i + 1] = static_cast<float>(i);
    }
    for (size_t i = 0; picture_ && i < 6; ++i) {
      obs.get<uint8_t>(wheels_ + 1)[i] = static_cast<uint8_t>(i);
    }
  }

  const size_t wheels_;
  const bool picture_;
  double angle_ = 0;
};

}  // namespace

PP_PLUGIN("fields", pp::scalar<Wheels>());
