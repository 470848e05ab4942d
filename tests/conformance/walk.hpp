// A walk with everything that a plugin can offer, all of it right, and the same as a kernel of many
// lanes. The libraries of this folder make mistakes of them: a fault of the walk is a struct that
// overrides a moment of Faultless, one of the kernel is a name that the kernel asks for. Faults are
// chosen when an environment is made: a library compiles the SDK for one walk and not for thirty.
#ifndef PARALLEL_POOL_TESTS_CONFORMANCE_WALK_HPP_
#define PARALLEL_POOL_TESTS_CONFORMANCE_WALK_HPP_

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "parallel_pool/env.hpp"

#define WALK(fault) (&walk::walk_with<fault>)
#define KERNEL(fault) (&walk::kernel_with<fault, false>)
#define LONG_KERNEL(fault) (&walk::kernel_with<fault, true>)

namespace walk {

// "late::StaysTired", as GCC and Clang write it.
template <class Fault>
constexpr std::string_view qualified_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("Fault = ") + 8);
  return name.substr(0, name.find_first_of(";]"));
}

// Gives an environment the id "late/StaysTired-v0".
template <class Fault>
class Named {
  static constexpr std::string_view name = qualified_name<Fault>();
  static constexpr size_t colons = name.find("::");
  static constexpr auto written = [] {
    std::array<char, name.size() + 3> text{};
    size_t end = 0;
    for (const std::string_view part : {name.substr(0, colons), std::string_view("/"),
                                        name.substr(colons + 2), std::string_view("-v0")}) {
      for (const char letter : part) text[end++] = letter;
    }
    return text;
  }();

 public:
  static constexpr const char* id = written.data();
  static constexpr std::string_view fault = name.substr(colons + 2);
};

struct Options {
  double drift;
  int64_t size;
  int64_t limit;
  static constexpr auto declared = pp::options(
      pp::option(&Options::drift, "drift", 0.25, "metres per step", pp::Range{0, 1}),
      pp::option(&Options::size, "size", 4, "of nothing in particular", pp::Range{1, 64}),
      pp::option(&Options::limit, "limit", 1000, "steps of an episode", pp::Range{1, 1000}));
};

struct World {
  Options options;
  double position = 0;
  double force = 0;
  double drag = 0;
  int64_t steps = 0;
  int32_t action = 0;
};

// What Walk asks of its fault.
struct Faultless {
  using Action = pp::Discrete<3>;
  static constexpr int64_t length = 30;  // of an episode, in steps
  static constexpr double luck = 0.05;   // that it ends before
  static constexpr bool uses_rng = true;
  static constexpr bool steps_draw = true;
  static constexpr bool cuts = false;  // an end is `truncated`
  static constexpr bool resets_itself = false;
  static constexpr int32_t first_wind = 0;
  static constexpr size_t picture = 4, info = 20;  // for `writes`: elements 0 .. 3 are the place

  virtual ~Faultless() noexcept(false) = default;
  static void describe(pp::Spec&) {}
  virtual void build(const Options&) {}
  virtual void unseen(bool) {}
  virtual void seed(uint64_t) {}
  virtual void begin(double given, double& start) { start = given; }
  virtual void reset(World&, pp::Rng&) {}
  virtual double drift(const World& world) { return world.options.drift; }
  virtual void step(World&) {}
  virtual bool writes(const World&, size_t) { return true; }
  virtual void observe(const World&, double*) {}
  virtual double fuel(const World& world) { return 1.0 / static_cast<double>(1 + world.steps); }
  virtual double reward(const World& world) { return world.position; }
  virtual const char* error(const World&) { return nullptr; }
  virtual void save(pp::StateWriter& out, const World& world) const {
    out(world.force, world.drag);
  }
  virtual void load(pp::StateReader& in, World& world) { in(world.force, world.drag); }
  virtual void draw(World&, uint8_t*) const {}
};
struct Long : Faultless {
  static constexpr int64_t length = 400;
  static constexpr double luck = 0;
};

// A fault as the walk is made with it.
struct Chosen {
  int64_t length;
  double luck;
  bool uses_rng, steps_draw, cuts, resets_itself;
  int32_t first_wind;
  void (*describe)(pp::Spec&);
  Faultless* (*make)();
};
template <class Fault>
constexpr Chosen as_chosen{Fault::length,
                           Fault::luck,
                           Fault::uses_rng,
                           Fault::steps_draw,
                           Fault::cuts,
                           Fault::resets_itself,
                           Fault::first_wind,
                           &Fault::describe,
                           []() -> Faultless* { return new Fault; }};  // sets no member to 0

// Those of the call in progress.
inline thread_local const Chosen* chosen;
inline thread_local std::string_view chosen_kernel;
inline thread_local bool chosen_kernel_is_long;

// The table of an environment, with the id of another that `Choice` makes of it.
template <const pp_env* (*Whole)(), class Fault, void (*Choice)()>
constexpr pp_env chosen_table() {
  pp_env env = *Whole();
  env.id = Named<Fault>::id;
  env.describe = [](const pp_host* host, const pp_value* options) {
    Choice();
    return Whole()->describe(host, options);
  };
  env.create = [](const pp_host* host, const pp_shard* shard) {
    Choice();
    return Whole()->create(host, shard);
  };
  return env;
}

template <class ActionOfFault>
struct Walk {
  static constexpr const char* id = "walk/Walk-v0";
  static constexpr const char* summary = "a walk";
  using Options = walk::Options;
  struct ResetOptions {
    double start;
    static constexpr auto declared = pp::options(
        pp::option(&ResetOptions::start, "start", -9.0, "-9: anywhere", pp::Range{-9, 9}));
  };
  using Obs = pp::Dict<pp::At<"place", double, 4>, pp::At<"wind", pp::Discrete<5>>,
                       pp::At<"picture", uint8_t, 4, 4>>;
  using Action = ActionOfFault;
  using Info = pp::Dict<pp::At<"fuel", double>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_episode_steps = options.limit;
    chosen->describe(spec);
  }
  explicit Walk(const Options& options) {
    world_.options = options;
    fault_->build(options);
  }
  void unseen(bool unseen) { fault_->unseen(unseen); }
  void seed(uint64_t seed) { fault_->seed(seed); }
  void set_reset_options(const ResetOptions& options) { fault_->begin(options.start, start_); }
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    const auto any = [&] { return how_.uses_rng ? rng.uniform(-1, 1) : 0.5; };
    world_ = {world_.options, any(), any(), any(), 0, 0};
    if (start_ > -9) world_.position = start_;
    fault_->reset(world_, rng);
    observe(obs, info);
  }
  pp::Outcome step(typename Action::Value action, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    ++world_.steps;
    world_.action = static_cast<int32_t>(action);
    const double noise = how_.uses_rng && how_.steps_draw ? rng.random() : 0.5;
    world_.position += fault_->drift(world_) * (action - 1) + 0.01 * noise;
    fault_->step(world_);
    const bool over = noise < how_.luck || world_.steps >= how_.length;
    const double reward = fault_->reward(world_);
    if (over && how_.resets_itself) {
      reset(rng, obs, info);
    } else {
      observe(obs, info);
    }
    const char* error = fault_->error(world_);
    return {reward, over && !how_.cuts, (over && how_.cuts) || error != nullptr, 1, error};
  }
  void save(pp::StateWriter& out) const {
    out(world_.position, world_.steps);
    fault_->save(out, world_);
  }
  void load(pp::StateReader& in) {
    in(world_.position);
    in.between(world_.steps, 0, 1000, "steps");
    fault_->load(in, world_);
  }
  pp::FrameSize frame_size() const { return {4, 4}; }
  void draw(uint8_t* rgb) const {
    for (int i = 0; i < 3 * 4 * 4; ++i) rgb[i] = static_cast<uint8_t>(world_.steps + i);
    fault_->draw(world_, rgb);
  }

 private:
  void observe(Obs::Ref obs, Info::Ref info) {
    const double all[] = {world_.position, static_cast<double>(world_.steps), 0.5, 0.25};
    auto places = obs.template get<"place">();
    auto pixels = obs.template get<"picture">();
    for (size_t i = 0; i < 4; ++i) {
      if (fault_->writes(world_, i)) places[i] = all[i];
    }
    for (size_t i = 0; i < 16; ++i) {
      if (!fault_->writes(world_, Faultless::picture + i)) continue;
      pixels[i] = static_cast<uint8_t>(static_cast<size_t>(world_.steps) + i);
    }
    obs.template get<"wind">() = static_cast<int32_t>(world_.steps % 4) + how_.first_wind;
    if (fault_->writes(world_, Faultless::info)) info.template get<"fuel">() = fault_->fuel(world_);
    fault_->observe(world_, &places[0]);
  }
  const Chosen& how_ = *chosen;
  const std::unique_ptr<Faultless> fault_{how_.make()};
  mutable World world_;
  double start_ = -9;
};

template <class Fault>
constexpr pp_env walk_with = chosen_table<&pp::scalar<Walk<typename Fault::Action>>, Fault,
                                          [] { chosen = &as_chosen<Fault>; }>();

struct Kernel {
  static constexpr const char* id = "walk/Kernel-v0";
  static constexpr const char* summary = "a walk of many lanes";
  static constexpr int64_t max_episode_steps = 500;
  struct Options {
    double drift;
    double noise;
    static constexpr auto declared =
        pp::options(pp::option(&Options::drift, "drift", 0.25, "metres per step", pp::Range{0, 1}),
                    pp::option(&Options::noise, "noise", 0.5, "metres", pp::Range{0, 1}));
  };
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<3>;

  explicit Kernel(const std::vector<Options>& lanes)
      : options_(lanes), position_(lanes.size()), steps_(lanes.size()) {
    for (Options& lane : options_) {
      if (is("OneOptions")) lane.drift = lanes[0].drift;
      if (is("OneNoise")) lane.noise = lanes[0].noise;
      random_.emplace_back(random_.size());
    }
  }
  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i) && !is("ResetsAll")) continue;
      const uint32_t lane = lane_of(rows, i);
      pp::Rng& rng = is("LaneAsSeed") ? random_[lane] : rows.rng(i);
      const double random = rng.uniform(-1, 1) + rows.rng(i).uniform(-1, 1);
      rows.obs()[i] = position_[lane] = is("OneStart") && lane == 3 ? 0.5 : random;
      steps_[lane] = 0;
    }
    if (is("PastReset")) rows.obs()[rows.size()] = 0;
  }
  void step(const pp::Rows<Kernel>& rows) {
    ++calls_;
    // Four at a time, and one by one what is left.
    const uint32_t fours = rows.size() / 4 * 4;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (is("SkipsLast") && i + 1 == rows.size()) break;
      const uint32_t lane = lane_of(rows, i);
      double change = options_[lane].drift * (rows.action()[i] - 1);
      ++steps_[lane];
      if (is("WrongRest") && rows.size() > 4 && i >= fours) change = -change;
      if (is("WrongWhenFull") && rows.size() == 64) change += 0.001;
      if (is("CountsLanes")) change += 0.001 * static_cast<double>(position_.size());
      if (is("CountsCalls") && calls_ > 400) change += 0.01;
      if (is("Neighbours") && steps_[lane] > 150 && lane > 0) change += position_[lane - 1];
      const bool draws = rows.selected(i) || is("DrawsForAll") || is("DrawsForAllTogether");
      const double noise = draws ? rows.rng(i).random() : 0.5;
      position_[lane] += change + options_[lane].noise * (noise - 0.5);
      rows.obs()[i] = position_[lane];
      rows.reward()[i] = noise;
      const bool over = is_long_ ? steps_[lane] >= 300 : noise > 0.9;
      rows.terminated()[i] = over ? (is("SaysTwo") ? 2 : 1) : 0;
      if (!is("NeverCuts")) rows.truncated()[i] = 0;
      if (is("WritesActions")) const_cast<int32_t*>(rows.action())[i] = 0;
    }
    if (is("PastStep")) rows.reward()[rows.size()] = 0;
  }

 private:
  bool is(std::string_view fault) const { return fault_ == fault; }
  uint32_t lane_of(const pp::Rows<Kernel>& rows, uint32_t i) const {
    return is("ByRow") ? i : rows.first() + i;
  }
  const std::string_view fault_ = chosen_kernel;
  const bool is_long_ = chosen_kernel_is_long;
  std::vector<Options> options_;
  std::vector<double> position_;
  std::vector<int64_t> steps_;
  std::vector<pp::Rng> random_;
  int64_t calls_ = 0;
};
template <class Fault, bool IsLong>
constexpr pp_env kernel_with = chosen_table<&pp::batch<Kernel, 64>, Fault, [] {
  chosen_kernel = Named<Fault>::fault;
  chosen_kernel_is_long = IsLong;
}>();

}  // namespace walk

#endif  // PARALLEL_POOL_TESTS_CONFORMANCE_WALK_HPP_
