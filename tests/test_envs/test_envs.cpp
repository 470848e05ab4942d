// Environments that do one thing each, for the tests of the pool.
#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parallel_pool/env.hpp"
#include "players.hpp"

namespace test_envs {

void sleep_ms(int64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

PP_KEY(total);

// Observes the number of steps; the reward is the action. Ends at max_count.
struct Count {
  static constexpr const char* id = "test/Count-v0";
  static constexpr const char* summary = "Counts its steps";
  struct Options {
    int64_t max_count;
    int64_t truncate_at;
    double scale;
    static constexpr auto declared =
        pp::options(pp::option(&Options::max_count, "max_count", 5, "steps until terminated",
                               pp::Range{1, 1000000}),
                    pp::option(&Options::truncate_at, "truncate_at", 0,
                               "steps until the environment itself truncates; 0: never"),
                    pp::option(&Options::scale, "scale", 1.0, "of the reward", pp::Range{0, 10}));
  };
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<3>;
  using Info = pp::Dict<pp::At<total, pp::Scalar<double>>>;

  explicit Count(const Options& options)
      : max_count_(options.max_count), truncate_at_(options.truncate_at), scale_(options.scale) {}
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    count_ = 0;
    sum_ = 0;
    obs = 0;
    info.get<total>() = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs, Info::Ref info) {
    obs = ++count_;
    sum_ += scale_ * action;
    info.get<total>() = sum_;
    return {scale_ * action, count_ >= max_count_, count_ == truncate_at_};
  }
  void save(pp::StateWriter& out) const { out(count_, sum_); }
  void load(pp::StateReader& in) { in(count_, sum_); }

 private:
  int64_t max_count_;
  int64_t truncate_at_;
  double scale_;
  int32_t count_ = 0;
  double sum_ = 0;
};

// A random walk that ends at random: its trajectory shows every mix-up of seeds, rows and actions.
struct WalkState {
  double position = 0;
  void start(pp::Rng& rng, double* obs) {
    position = rng.uniform(-1, 1);
    obs[0] = position;
    obs[1] = 0;
  }
  bool advance(pp::Rng& rng, int32_t action, double drift, double* obs) {
    const double noise = rng.random();
    position += drift + (action - 1) * noise;
    obs[0] = position;
    obs[1] = noise;
    return noise < 0.1;
  }
};

template <int Variant>
struct Walk {
  static constexpr const char* ids[] = {"test/Walk-v0", "test/WalkLanes-v0", "test/WalkLate-v0",
                                        "test/WalkExclusive-v0"};
  static constexpr const char* id = ids[Variant];
  static constexpr bool late_rows = Variant == 2;
  static constexpr bool exclusive = Variant == 3;
  static constexpr pp_option options[] = {pp::option("drift", 0.0, "added to every step")};
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<3>;

  explicit Walk(const pp::Options& options) : drift_(options.real("drift")) {}
  void reset(pp::Rng& rng, Obs::Ref obs) { state_.start(rng, obs.data()); }
  pp::Outcome step(int32_t action, pp::Rng& rng, Obs::Ref obs) {
    const bool over = state_.advance(rng, action, drift_, obs.data());
    return {state_.position, over};
  }
  void save(pp::StateWriter& out) const { out(state_.position); }
  void load(pp::StateReader& in) { in(state_.position); }

 private:
  double drift_;
  WalkState state_;
};

struct WalkBatch {
  static constexpr const char* id = "test/WalkBatch-v0";
  static constexpr pp_option options[] = {pp::option("drift", 0.0, "added to every step")};
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<3>;

  explicit WalkBatch(const pp::LaneOptions& options) : state_(options.size()) {
    for (uint32_t i = 0; i < options.size(); ++i) drift_.push_back(options[i].real("drift"));
  }
  void reset(const pp::Rows<WalkBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) state_[rows.first() + i].start(rows.rng(i), rows.obs() + 2 * i);
    }
  }
  void step(const pp::Rows<WalkBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.truncated()[i] = 0;
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      rows.terminated()[i] =
          state_[lane].advance(rows.rng(i), rows.action()[i], drift_[lane], rows.obs() + 2 * i);
      rows.reward()[i] = state_[lane].position;
    }
  }
  void save(uint32_t lane, pp::StateWriter& out) const { out(state_[lane].position); }
  void load(uint32_t lane, pp::StateReader& in) { in(state_[lane].position); }

 private:
  std::vector<WalkState> state_;
  std::vector<double> drift_;
};

// Fails on demand.
struct Faulty {
  static constexpr const char* id = "test/Faulty-v0";
  static constexpr const char* const never[] = {"nowhere", "constructor", "describe"};
  static constexpr pp_option options[] = {
      pp::text_option("fails_in", "nowhere", "where to throw before any step", never),
  };
  using Obs = pp::Box<int32_t>;
  using Action =
      pp::Discrete<7>;  // 1: throw, 2: throw no exception class, 3: end, 4: next reset throws,
                        // 5: save() throws from now on, 6: load() of its states does

  static void describe(pp::Spec&, const pp::Options& options) {
    if (options.text("fails_in") == "describe") throw std::runtime_error("no such level");
  }
  explicit Faulty(const pp::Options& options) {
    if (options.text("fails_in") == "constructor")
      throw std::runtime_error("no such file: level.bin");
  }
  void reset(pp::Rng&, Obs::Ref obs) {
    if (reset_throws_) {
      reset_throws_ = false;
      throw std::runtime_error("boom in reset");
    }
    count_ = 0;
    obs = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs = ++count_;
    if (action == 1) throw std::runtime_error("boom at step " + std::to_string(count_));
    if (action == 2) throw 42;
    if (action == 4) reset_throws_ = true;
    if (action >= 5) state_throws_ = action;
    return {1.0, action == 3};
  }
  void save(pp::StateWriter& out) const {
    if (state_throws_ == 5) throw std::runtime_error("boom in save");
    out(count_, reset_throws_, state_throws_);
  }
  void load(pp::StateReader& in) {
    in(count_, reset_throws_, state_throws_);
    if (state_throws_ == 6) throw std::runtime_error("boom in load");
  }

 private:
  int32_t count_ = 0;
  bool reset_throws_ = false;
  int32_t state_throws_ = 0;
};

// A batch kernel fails as a whole.
struct FaultyBatch {
  static constexpr const char* id = "test/FaultyBatch-v0";
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<2>;

  explicit FaultyBatch(const pp::LaneOptions&) {}
  void reset(const pp::Rows<FaultyBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) rows.obs()[i] = 0;
    }
  }
  void step(const pp::Rows<FaultyBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i) && rows.action()[i] == 1) throw std::runtime_error("kernel failed");
      rows.obs()[i] = 1;
      rows.reward()[i] = 1;
      rows.terminated()[i] = rows.truncated()[i] = 0;
    }
  }
};

// The action is how many milliseconds the step takes.
template <bool Late>
struct Sleepy {
  static constexpr const char* id = Late ? "test/SleepyLate-v0" : "test/Sleepy-v0";
  static constexpr bool late_rows = Late;
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<60001>;

  void reset(pp::Rng&, Obs::Ref obs) {
    count_ = 0;
    obs = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    sleep_ms(action);
    obs = ++count_;
    return {static_cast<double>(action)};
  }
  void save(pp::StateWriter& out) const { out(count_); }
  void load(pp::StateReader& in) { in(count_); }

 private:
  int32_t count_ = 0;
};

// Its library keeps state: notices when two threads are inside. Observes how often that happened.
struct Exclusive {
  static constexpr const char* id = "test/Exclusive-v0";
  static constexpr bool exclusive = true;
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<2>;

  static inline std::atomic<int32_t> inside{0};
  static inline std::atomic<int32_t> violations{0};
  struct Visit {
    Visit() {
      if (inside.fetch_add(1) != 0) violations.fetch_add(1);
      sleep_ms(1);
    }
    ~Visit() { inside.fetch_sub(1); }
  };
  Exclusive() { const Visit visit; }
  ~Exclusive() { const Visit visit; }
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;

  void reset(pp::Rng&, Obs::Ref obs) {
    const Visit visit;
    obs = violations.load();
  }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    const Visit visit;
    obs = violations.load();
    return {};
  }
};

// Every dtype, in nested dicts and a tuple; a nested action of every kind, echoed in the
// observation.
PP_KEY(types);
PP_KEY(b1);
PP_KEY(i1);
PP_KEY(i2);
PP_KEY(i4);
PP_KEY(i8);
PP_KEY(u1);
PP_KEY(u2);
PP_KEY(u4);
PP_KEY(u8);
PP_KEY(f4);
PP_KEY(f8);
PP_KEY(echo);
PP_KEY(arm);
PP_KEY(force);
PP_KEY(joint);
PP_KEY(grip);
PP_KEY(pair);
struct First {
  static constexpr const char* name = "0";
};
struct Second {
  static constexpr const char* name = "1";
};

struct Types {
  static constexpr const char* id = "test/Types-v0";
  using Controls = pp::Dict<
      pp::At<arm, pp::Dict<pp::At<force, pp::Box<float, 2>>, pp::At<grip, pp::MultiBinary<3>>>>,
      pp::At<joint, pp::Discrete<5, int64_t, -2>>,
      pp::At<pair, pp::Dict<pp::At<First, pp::Discrete<3>>, pp::At<Second, pp::MultiDiscrete<2>>>>>;
  using Action = Controls;
  using Obs = pp::Dict<
      pp::At<types, pp::Dict<pp::At<b1, pp::Box<bool, 3>>, pp::At<i1, pp::Box<int8_t, 3>>,
                             pp::At<i2, pp::Box<int16_t, 3>>, pp::At<i4, pp::Box<int32_t, 3>>,
                             pp::At<i8, pp::Box<int64_t, 3>>, pp::At<u1, pp::Box<uint8_t, 2, 2>>,
                             pp::At<u2, pp::Box<uint16_t, 3>>, pp::At<u4, pp::Box<uint32_t, 3>>,
                             pp::At<u8, pp::Box<uint64_t, 3>>, pp::At<f4, pp::Box<float, 3>>,
                             pp::At<f8, pp::Box<double, 1, 3>>>>,
      pp::At<echo, Controls>>;

  static void describe(pp::Spec& spec, const pp::Options&) {
    spec.action("pair/1").bounds({0, 0}, {3, 1});
    spec.action("arm/force").bounds(-1, 1);
    spec.obs("echo/pair/1").bounds({0, 0}, {3, 1});
  }
  void reset(pp::Rng&, Obs::Ref obs) {
    count_ = 0;
    fill(obs);
    auto out = obs.get<echo>();
    for (float& value : out.get<arm>().get<force>()) value = 0;
    for (int8_t& value : out.get<arm>().get<grip>()) value = 0;
    out.get<joint>() = 0;
    out.get<pair>().get<First>() = 0;
    for (int32_t& value : out.get<pair>().get<Second>()) value = 0;
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    ++count_;
    fill(obs);
    auto out = obs.get<echo>();
    copy(action.get<arm>().get<force>(), out.get<arm>().get<force>());
    copy(action.get<arm>().get<grip>(), out.get<arm>().get<grip>());
    out.get<joint>() = action.get<joint>();
    out.get<pair>().get<First>() = action.get<pair>().get<First>();
    copy(action.get<pair>().get<Second>(), out.get<pair>().get<Second>());
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
    auto all = obs.get<types>();
    for (bool& value : all.get<b1>()) value = count_ % 2 == 1;
    put(all.get<i1>());
    put(all.get<i2>());
    put(all.get<i4>());
    put(all.get<i8>());
    put(all.get<u1>());
    put(all.get<u2>());
    put(all.get<u4>());
    put(all.get<u8>());
    put(all.get<f4>());
    put(all.get<f8>());
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
PP_KEY(number);
PP_KEY(flag);
PP_KEY(choice);
PP_KEY(sum);
struct Options {
  static constexpr const char* id = "test/Options-v0";
  static constexpr const char* const colours[] = {"red", "green"};
  static constexpr double weights[] = {1, 2};
  static constexpr pp_option options[] = {
      pp::option("size", 2, "of the observation", pp::Range{1, 1000000}),
      pp::option("gravity", 9.8, "m/s^2", pp::Range{0, 100}),
      pp::option("verbose", false, "whether to talk"),
      pp::text_option("colour", "red", "of the body", colours),
      pp::text_option("path", "", "of a file"),
      pp::array_option("weights", weights, "of the parts"),
  };
  using Obs = pp::Box<float, pp::dynamic>;
  using Action = pp::Discrete<2>;
  using Info = pp::Dict<pp::At<number, pp::Scalar<double>>, pp::At<flag, pp::Scalar<bool>>,
                        pp::At<choice, pp::Scalar<int32_t>>, pp::At<sum, pp::Scalar<double>>>;

  static void describe(pp::Spec& spec, const pp::Options& options) {
    spec.obs().shape = {options.integer("size")};
  }
  explicit Options(const pp::Options& options)
      : gravity_(options.real("gravity")),
        verbose_(options.flag("verbose")),
        green_(options.text("colour") == "green") {
    for (const double weight : options.array("weights")) sum_ += weight;
  }
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) { write(obs, info); }
  pp::Outcome step(int32_t, Obs::Ref obs, Info::Ref info) {
    write(obs, info);
    return {};
  }

 private:
  void write(Obs::Ref obs, Info::Ref info) const {
    for (float& value : obs) value = static_cast<float>(obs.size());
    info.get<number>() = gravity_;
    info.get<flag>() = verbose_;
    info.get<choice>() = green_ ? 1 : 0;
    info.get<sum>() = sum_;
  }
  double gravity_;
  bool verbose_;
  bool green_;
  double sum_ = 0;
};

// Remembers, in every type that a state may hold; observes a sum of all.
struct Memory {
  static constexpr const char* id = "test/Memory-v0";
  struct Options {
    std::string path;
    uint32_t depth;
    static constexpr auto declared = pp::options(
        pp::option(&Options::path, "path", "", "of a file: where, not what").local(),
        pp::option(&Options::depth, "depth", 3, "actions remembered", pp::Range{1, 1000}));
  };
  enum class Mood : uint8_t { calm, angry };
  using Obs = pp::Box<double, 4>;
  using Action = pp::Discrete<8>;

  explicit Memory(const Options& options) : recent_(options.depth) {}
  void reset(pp::Rng& rng, Obs::Ref obs) {
    own_ = pp::Rng(rng.next_uint64());
    text_.clear();
    history_.clear();
    write(obs);
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    text_ += static_cast<char>('a' + action);
    history_.push_back(action);
    recent_[history_.size() % recent_.size()] = action;
    mood_ = action > 5 ? Mood::angry : Mood::calm;
    flag_ = action % 2 == 1;
    grid_[1][static_cast<size_t>(action % 2)] += own_.random();
    write(obs);
    return {grid_[1][0], history_.size() >= 40};
  }
  void save(pp::StateWriter& out) const {
    out(own_, text_, history_, recent_, mood_, flag_, grid_);
  }
  void load(pp::StateReader& in) {
    const size_t depth = recent_.size();
    in(own_, text_, history_, recent_, mood_, flag_, grid_);
    if (recent_.size() != depth) throw std::invalid_argument("another depth");
  }

 private:
  void write(Obs::Ref obs) const {
    obs[0] = static_cast<double>(history_.size());
    obs[1] = static_cast<double>(text_.empty() ? 0 : text_.front()) + (flag_ ? 0.5 : 0);
    obs[2] = mood_ == Mood::angry ? -1 : 1;
    obs[3] = grid_[1][0] - grid_[1][1];
    for (const int32_t each : recent_) obs[3] += each;
  }
  pp::Rng own_{0};
  std::string text_;
  std::vector<int32_t> history_;
  std::vector<int32_t> recent_;
  Mood mood_ = Mood::calm;
  bool flag_ = false;
  std::array<std::array<double, 2>, 2> grid_{};
};

// Has a discount of its own, and episodes of three steps.
struct Discount {
  static constexpr const char* id = "test/Discount-v0";
  static constexpr bool has_discount = true;
  static constexpr int64_t max_episode_steps = 3;
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().bounds(0, 10); }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = 0; }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs[0] = obs[1] = static_cast<float>(action);
    return {2.0, false, false, 0.25};
  }
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

// Observes the CPUs on which it was built and stepped. A step takes a while.
struct Where {
  static constexpr const char* id = "test/Where-v0";
  static constexpr bool late_rows = true;
  using Obs = pp::Box<int32_t, 2>;
  using Action = pp::Discrete<1001>;

  Where() : built_on_(sched_getcpu()) {}
  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(int32_t milliseconds, Obs::Ref obs) {
    sleep_ms(milliseconds);
    write(obs);
    return {};
  }

 private:
  void write(Obs::Ref obs) const {
    obs[0] = built_on_;
    obs[1] = sched_getcpu();
  }
  int32_t built_on_;
};

}  // namespace test_envs

PP_PLUGIN("test", pp::scalar<test_envs::Count>(), pp::scalar<test_envs::Walk<0>>(),
          pp::scalar<test_envs::Walk<1>, 8>(), pp::scalar<test_envs::Walk<2>>(),
          pp::scalar<test_envs::Walk<3>>(), pp::batch<test_envs::WalkBatch, 64>(),
          pp::scalar<test_envs::Faulty>(), pp::batch<test_envs::FaultyBatch, 4>(),
          pp::scalar<test_envs::Sleepy<false>>(), pp::scalar<test_envs::Sleepy<true>>(),
          pp::scalar<test_envs::Exclusive>(), pp::scalar<test_envs::Types>(),
          pp::scalar<test_envs::Echo>(), pp::scalar<test_envs::Options>(),
          pp::scalar<test_envs::Memory>(), pp::scalar<test_envs::Discount>(),
          pp::scalar<test_envs::Mixed>(), pp::scalar<test_envs::Where>(),
          pp::scalar<test_envs::Team>(), pp::scalar<test_envs::Crowd>(),
          pp::scalar<test_envs::Shared>());
