"""Mistakes in options that are members of a struct."""

TYPED = """#include <parallel_pool/env.hpp>

enum class Ground { flat, steep };

struct Walk {
  struct Options {
    int64_t n;
    uint8_t legs;
    Ground ground;
    pp::Range wind;
    static constexpr auto declared = pp::options(
        pp::option(&Options::n, "n", 10, "steps", pp::Range{1, 1000}),
        pp::option(&Options::legs, "legs", 2, "that it has", pp::Range{0, 255}),
        pp::option(&Options::ground, "ground", Ground::flat, "that it walks on",
                   {{"flat", Ground::flat}, {"steep", Ground::steep}}),
        pp::option(&Options::wind, "wind", {-1, 1}, "least and most"));
  };
  struct ResetOptions {
    double low;
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", 0.0, "first value"));
  };
  static constexpr const char* id = "walk/Walk-v0";
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;

  static void describe(pp::Spec& spec, const Options& options) { spec.obs().bounds(0, options.n); }
  explicit Walk(const Options& options) : n_(options.n) {}
  void set_reset_options(const ResetOptions& options) { low_ = options.low; }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = static_cast<float>(low_); }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    obs[0] += static_cast<float>(action);
    return {1.0, obs[0] > static_cast<float>(n_)};
  }
  // more

 private:
  int64_t n_;
  double low_ = pp::default_options<ResetOptions>().low;
};

PP_PLUGIN("walk", pp::scalar<Walk>());
"""

TYPED_BATCH = """#include <parallel_pool/env.hpp>

struct Common {
  double gravity;
  static constexpr auto declared =
      pp::options(pp::option(&Common::gravity, "gravity", 9.8, "m/s^2"));
};

struct Fall {
  struct Options : Common {
    double height;
    static constexpr auto declared =
        pp::options(Common::declared.with_default(&Options::gravity, 1.6),
                    pp::option(&Options::height, "height", 3, "m"));
  };
  static constexpr const char* id = "walk/Fall-v0";
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;

  explicit Fall(const std::vector<Options>& options) {
    for (const Options& lane : options) height_.push_back(lane.height);
  }
  void reset(const pp::Rows<Fall>&) {}
  void step(const pp::Rows<Fall>&) {}

 private:
  std::vector<double> height_;
};

PP_PLUGIN("walk", pp::batch<Fall, 64>());
"""

UNDECLARED = "a member of these options is not declared"
SMALL = "an option whose member is a smaller integer than int64_t needs a"

BAD_TYPED = {
    "a list of nothing": (
        "static constexpr auto declared = pp::options(\n        pp::option(&Options::n",
        "static constexpr auto declared = (pp::option(&Options::n",
        "`declared` is a list: `static constexpr auto declared = pp::options(",
    ),
    "no list": (
        "declared = pp::options(\n        pp::option(&Options::n",
        "declares = pp::options(\n        pp::option(&Options::n",
        "the struct Options does not say which options it holds",
    ),
    "a member that nobody declares": ("int64_t n;", "int64_t n; bool forgotten;", UNDECLARED),
    "a member twice": (
        "pp::option(&Options::legs,",
        'pp::option(&Options::n, "m", 10, "steps"),\n        pp::option(&Options::legs,',
        "two options are read into the same member",
    ),
    "a name twice": ('"legs"', '"n"', "two options have the same name"),
    "a small integer without a range": (", pp::Range{0, 255}", "", SMALL),
    "a small integer with a wide range": ("{0, 255}", "{0, 256}", SMALL),
    "a default that is no choice": (
        '"ground", Ground::flat',
        '"ground", static_cast<Ground>(7)',
        "is none of its choices",
    ),
    "a default of another kind": (
        '"n", 10',
        '"n", 9.5',
        "the default of an option that is an integer is an integer",
    ),
    "a bool as a number": ('"n", 10', '"n", true', "a bool member has the default true or false"),
    "too many numbers": (
        "{-1, 1}",
        "{-1, 0, 1}",
        "the default of an option that holds so many numbers has as many",
    ),
    "a member of no kind": ("pp::Range wind", "double wind[2]", "the member of an option is a"),
    "a misnamed member": ("n_(options.n)", "n_(options.m)", "m"),
    "a misnamed declaration": ("&Options::n,", "&Options::m,", "m"),
    "the options of no environment": (
        "Walk(const Options& options) : n_(options.n)",
        "Walk(const pp::Options&) : n_(10)",
        "takes its own options, `const Options&`",
    ),
    "describe without the options": (
        "describe(pp::Spec& spec, const Options& options) { spec.obs().bounds(0, options.n); }",
        "describe(pp::Spec&, const pp::Options&) {}",
        "with the struct Options of this environment",
    ),
    "reset options of no environment": (
        "set_reset_options(const ResetOptions& options) { low_ = options.low; }",
        "set_reset_options(const pp::Options&) {}",
        "set_reset_options is `void set_reset_options(const ResetOptions& options)`",
    ),
    "a reset option that nobody declares": ("double low;", "double low, high;", UNDECLARED),
}

BAD_TYPED_BATCH = {
    "an object of one lane": (
        "const std::vector<Options>& options) {\n    for (const Options& lane : options)",
        "const Options& lane) {\n    ",
        "takes the options of each, `const std::vector<Options>&`",
    ),
    "a base that nobody declares": (
        "pp::options(Common::declared.with_default(&Options::gravity, 1.6),",
        "pp::options(",
        UNDECLARED,
    ),
    "a member of the base that nobody declares": (
        "double gravity;",
        "double gravity; bool forgotten;",
        UNDECLARED,
    ),
    "a default of nothing": (
        "with_default(&Options::gravity, 1.6)",
        "with_default(&Options::height, 1.6)",
        "none of these options is read into this member",
    ),
}
