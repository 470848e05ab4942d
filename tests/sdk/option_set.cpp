// Options as structs: every kind of member, sets that compose, options of a reset. What was read is
// shown in info and in observations.
#include <numeric>
#include <parallel_pool/env.hpp>

namespace {

enum class Ground { flat, steep };

struct Every {
  struct Options {
    bool flag;
    int64_t whole;
    uint8_t small;
    double real;
    float narrow;
    std::string path;
    std::string map;
    Ground ground;
    std::vector<double> many;
    std::vector<double> none;
    std::array<double, 3> three;
    pp::Range range;
    static constexpr auto declared =
        pp::options(pp::option(&Options::flag, "flag", true, "a bool"),
                    pp::option(&Options::whole, "whole", -1, "an integer"),
                    pp::option(&Options::small, "small", 2, "a small one", pp::Range{0, 255}),
                    pp::option(&Options::real, "real", 1, "a number", pp::Range{0, 1e9}),
                    pp::option(&Options::narrow, "narrow", 0.1, "a float"),
                    pp::option(&Options::path, "path", "", "of a file").local(),
                    pp::option(&Options::map, "map", "4x4", "a text of two", {"4x4", "8x8"}),
                    pp::option(&Options::ground, "ground", Ground::steep, "an enum",
                               {{"flat", Ground::flat}, {"steep", Ground::steep}}),
                    pp::option(&Options::many, "many", {1, 2.5}, "some numbers"),
                    pp::option(&Options::none, "none", "no numbers"),
                    pp::option(&Options::three, "three", {1, 2, 3}, "of three parts"),
                    pp::option(&Options::range, "range", {-1, 1}, "least and most"));
  };
  struct ResetOptions {
    double low;
    int64_t more;
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", 0.5, "first value"),
                    pp::option(&ResetOptions::more, "more", 1, "added", pp::Range{0, 10}));
  };
  static constexpr const char* id = "sets/Every-v0";
  using Obs = pp::Box<double, 9>;
  using Action = pp::Discrete<2>;
  using Info = pp::Dict<pp::At<"sum", double>, pp::At<"text", int64_t>, pp::At<"ground", int64_t>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.obs().bounds(-options.real, options.real);
  }
  explicit Every(const Options& options) : options_(options) {}
  static void check_reset_options(const ResetOptions& options) {
    if (options.low > 9) throw std::invalid_argument("low is above 9");
  }
  void set_reset_options(const ResetOptions& options) { reset_ = options; }
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    write(obs, info);
    obs[8] = reset_.low + static_cast<double>(reset_.more);
  }
  pp::Outcome step(Action::Value, Obs::Ref obs, Info::Ref info) {
    write(obs, info);
    return {};
  }

 private:
  void write(Obs::Ref obs, Info::Ref info) const {
    const double shown[] = {options_.flag ? 1.0 : 0.0,
                            static_cast<double>(options_.whole),
                            static_cast<double>(options_.small),
                            options_.real,
                            static_cast<double>(options_.narrow),
                            options_.three[2],
                            options_.range.low,
                            options_.range.high,
                            0};
    std::copy(std::begin(shown), std::end(shown), obs.begin());
    const auto add = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0);
    };
    info.get<"sum">() = add(options_.many) + 100 * add(options_.none);
    info.get<"text">() =
        static_cast<int64_t>(options_.path.size()) + (options_.map == "8x8" ? 100 : 0);
    info.get<"ground">() = options_.ground == Ground::steep ? 1 : 0;
  }
  Options options_;
  ResetOptions reset_ = pp::default_options<ResetOptions>();
};

// A family's common options, a set between, and two tasks that override what they inherit.
struct Common {
  int64_t skip;
  double noise;
  static constexpr auto declared =
      pp::options(pp::option(&Common::skip, "skip", 1, "steps", pp::Range{1, 100}),
                  pp::option(&Common::noise, "noise", 0.0, "of a reset"));
};
struct Running : Common {
  pp::Range healthy;
  Ground ground;
  static constexpr auto declared =
      pp::options(pp::option(&Running::healthy, "healthy", {0, 1}, "heights"),
                  Common::declared.with_default(&Running::skip, 4),
                  pp::option(&Running::ground, "ground", Ground::flat, "that it runs on",
                             {{"flat", Ground::flat}, {"steep", Ground::steep}}));
};

template <class Own, char Letter>
struct Task {
  using Options = Own;
  static constexpr char id[] = {'s', 'e', 't', 's', '/', Letter, '-', 'v', '0', 0};
  using Obs = pp::Box<double, 5>;
  using Action = pp::Discrete<2>;

  explicit Task(const std::vector<Options>& lanes) : lanes_(lanes) {}
  void reset(const pp::Rows<Task>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const Options& options = lanes_[rows.first() + i];
      double* obs = rows.obs() + 5 * i;
      obs[0] = static_cast<double>(options.skip);
      obs[1] = options.noise;
      obs[2] = options.healthy.low;
      obs[3] = options.healthy.high;
      obs[4] = options.ground == Ground::steep ? 1 : 0;
    }
  }
  void step(const pp::Rows<Task>& rows) { reset(rows); }

 private:
  std::vector<Options> lanes_;
};

struct Uphill : Running {
  static constexpr auto declared = Running::declared.with_default(&Uphill::noise, 0.1)
                                       .with_default(&Uphill::healthy, {0.5, 2})
                                       .with_default(&Uphill::ground, Ground::steep);
};

}  // namespace

PP_PLUGIN("sets", pp::scalar<Every>(), pp::batch<Task<Running, 'R'>, 64>(),
          pp::batch<Task<Uphill, 'U'>, 64>());
