// Environments of many spaces and options: every dtype, and spaces that options decide; part of
// test_envs.cpp.
#include <cstdint>
#include <type_traits>

#include "parallel_pool/env.hpp"

namespace test_envs {

// Every dtype, in nested dicts and a tuple; a nested action of every kind, echoed in the
// observation.

struct Types {
  static constexpr const char* id = "test/Types-v0";
  using Controls = pp::Dict<
      pp::At<"arm", pp::Dict<pp::At<"force", float, 2>, pp::At<"grip", pp::MultiBinary<3>>>>,
      pp::At<"joint", pp::Discrete<5, int64_t, -2>>,
      pp::At<"pair", pp::Dict<pp::At<"0", pp::Discrete<3>>, pp::At<"1", pp::MultiDiscrete<2>>>>>;
  using Action = Controls;
  using Obs = pp::Dict<
      pp::At<
          "types",
          pp::Dict<pp::At<"b1", bool, 3>, pp::At<"i1", int8_t, 3>, pp::At<"i2", int16_t, 3>,
                   pp::At<"i4", int32_t, 3>, pp::At<"i8", int64_t, 3>, pp::At<"u1", uint8_t, 2, 2>,
                   pp::At<"u2", uint16_t, 3>, pp::At<"u4", uint32_t, 3>, pp::At<"u8", uint64_t, 3>,
                   pp::At<"f4", float, 3>, pp::At<"f8", double, 1, 3>>>,
      pp::At<"echo", Controls>>;

  static void describe(pp::Spec& spec, const pp::Options&) {
    spec.action("pair/1").bounds({0, 0}, {3, 1});
    spec.action("arm/force").bounds(-1, 1);
    spec.obs("echo/pair/1").bounds({0, 0}, {3, 1});
  }
  void reset(pp::Rng&, Obs::Ref obs) {
    count_ = 0;
    fill(obs);
    auto out = obs.get<"echo">();
    for (float& value : out.get<"arm">().get<"force">()) value = 0;
    for (int8_t& value : out.get<"arm">().get<"grip">()) value = 0;
    out.get<"joint">() = 0;
    out.get<"pair">().get<"0">() = 0;
    for (int32_t& value : out.get<"pair">().get<"1">()) value = 0;
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    ++count_;
    fill(obs);
    auto out = obs.get<"echo">();
    copy(action.get<"arm">().get<"force">(), out.get<"arm">().get<"force">());
    copy(action.get<"arm">().get<"grip">(), out.get<"arm">().get<"grip">());
    out.get<"joint">() = action.get<"joint">();
    out.get<"pair">().get<"0">() = action.get<"pair">().get<"0">();
    copy(action.get<"pair">().get<"1">(), out.get<"pair">().get<"1">());
    return {0.5};
  }
  void save(pp::StateWriter& out) const { out(count_); }
  void load(pp::StateReader& in) { in(count_); }

 private:
  template <class From, class To>
  static void copy(const From& from, const To& to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = from[i];
  }
  template <class To>
  void put(const To& to) const {
    for (auto& value : to) value = static_cast<std::remove_reference_t<decltype(value)>>(count_);
  }
  void fill(Obs::Ref obs) const {
    auto all = obs.get<"types">();
    for (bool& value : all.get<"b1">()) value = count_ % 2 == 1;
    put(all.get<"i1">());
    put(all.get<"i2">());
    put(all.get<"i4">());
    put(all.get<"i8">());
    put(all.get<"u1">());
    put(all.get<"u2">());
    put(all.get<"u4">());
    put(all.get<"u8">());
    put(all.get<"f4">());
    put(all.get<"f8">());
  }
  int32_t count_ = 0;
};

// Observes its continuous action.
struct Echo {
  static constexpr const char* id = "test/Echo-v0";
  using Obs = pp::Box<float, 2>;
  using Action = pp::Box<float, 2>;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.action().bounds(-1, 1); }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = 0; }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    obs[0] = action[0];
    obs[1] = action[1];
    return {action[0]};
  }
};

// Options of every kind, echoed; `size` decides the shape of the observation.
struct Optional {
  static constexpr const char* id = "test/Options-v0";
  static constexpr const char* const colours[] = {"red", "green"};
  struct Options {
    int64_t size;
    double gravity;
    bool verbose;
    std::string colour;
    std::string path;
    std::vector<double> weights;
    static constexpr auto declared = pp::options(
        pp::option(&Options::size, "size", 2, "of the observation", pp::Range{1, 1000000}),
        pp::option(&Options::gravity, "gravity", 9.8, "m/s^2", pp::Range{0, 100}),
        pp::option(&Options::verbose, "verbose", false, "whether to talk"),
        pp::option(&Options::colour, "colour", "red", "of the body", colours),
        pp::option(&Options::path, "path", "", "of a file"),
        pp::option(&Options::weights, "weights", {1, 2}, "of the parts"));
  };
  using Obs = pp::Box<float, pp::dynamic>;
  using Action = pp::Discrete<2>;
  using Info = pp::Dict<pp::At<"number", double>, pp::At<"flag", bool>, pp::At<"choice", int32_t>,
                        pp::At<"sum", double>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.obs().shape = {options.size};
  }
  explicit Optional(const Options& options)
      : gravity_(options.gravity), verbose_(options.verbose), green_(options.colour == "green") {
    for (const double weight : options.weights) sum_ += weight;
  }
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) { write(obs, info); }
  pp::Outcome step(int32_t, Obs::Ref obs, Info::Ref info) {
    write(obs, info);
    return {};
  }

 private:
  void write(Obs::Ref obs, Info::Ref info) const {
    for (float& value : obs) value = static_cast<float>(obs.size());
    info.get<"number">() = gravity_;
    info.get<"flag">() = verbose_;
    info.get<"choice">() = green_ ? 1 : 0;
    info.get<"sum">() = sum_;
  }
  double gravity_;
  bool verbose_;
  bool green_;
  double sum_ = 0;
};

// Two spaces that options decide: `reach` bounds what is observed, `buttons` what is done.
struct Mixed {
  static constexpr const char* id = "test/Mixed-v0";
  struct Options {
    double reach;
    int64_t buttons;
    bool all_buttons;
    bool verbose;
    static constexpr auto declared = pp::options(
        pp::option(&Options::reach, "reach", 1.0, "greatest value observed", pp::Range{0, 100}),
        pp::option(&Options::buttons, "buttons", 3, "actions", pp::Range{1, 10}),
        pp::option(&Options::all_buttons, "all_buttons", false,
                   "10 actions, whatever `buttons` says"),
        pp::option(&Options::verbose, "verbose", false, "changes nothing"));
  };
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<pp::dynamic>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.obs().bounds(-options.reach, options.reach);
    spec.action().discrete(options.all_buttons ? 10 : options.buttons);
  }
  explicit Mixed(const Options& options) : reach_(static_cast<float>(options.reach)) {}
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = -reach_; }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs[0] = reach_;
    obs[1] = 0;
    return {reach_ * action};
  }

 private:
  float reach_;
};

// Observes where in memory its observation is written: the low and the high word.
struct Address {
  static constexpr const char* id = "test/Address-v0";
  using Obs = pp::Box<uint32_t, 2>;
  using Action = pp::Discrete<2>;

  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    write(obs);
    return {};
  }

 private:
  static void write(Obs::Ref obs) {
    const auto address = reinterpret_cast<uintptr_t>(&obs[0]);
    obs[0] = static_cast<uint32_t>(address);
    obs[1] = static_cast<uint32_t>(uint64_t{address} >> 32U);
  }
};

}  // namespace test_envs
