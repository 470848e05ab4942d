// Environments whose options decide which arrays they are observed in, which actions they take and
// which infos they give: a number and a reward for each term.
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace {

// Options decide all kinds, types, names and sizes.
struct ArmOptions {
  std::string terms;
  int64_t joints;
  std::string form;
  std::string mistake;
  static constexpr auto declared = pp::options(
      pp::option(&ArmOptions::terms, "terms", "alive", "names of the terms of the reward"),
      pp::option(&ArmOptions::joints, "joints", 2, "that it has", pp::Range{1, 9}),
      pp::option(&ArmOptions::form, "form", "float32", "of the action",
                 {"float32", "float64", "key", "both"}),
      pp::option(&ArmOptions::mistake, "mistake", "", "of the author"));
};

// What it does, however it is stepped. In describe() the roles are mixed.
struct Arm {
  using Options = ArmOptions;
  using Obs = pp::Fields;
  using Action = pp::Fields;
  using Info = pp::Dict<pp::At<"total", double>, pp::At<"reward", pp::Fields>>;

  static std::vector<std::string> terms(const Options& options) {
    std::istringstream words(options.terms);
    std::vector<std::string> each;
    for (std::string word; words >> word;) each.push_back(word);
    return each;
  }
  static void describe(pp::Spec& spec, const Options& options) {
    for (const std::string& each : terms(options)) {
      spec.add(PP_ROLE_INFO, "reward/" + each, PP_KIND_BOX, PP_FLOAT32);
      spec.add(PP_ROLE_OBS, each, PP_KIND_BOX, PP_FLOAT64);
    }
    if (options.mistake == "place") {
      spec.add(PP_ROLE_INFO, "elsewhere", PP_KIND_BOX, PP_FLOAT32);
    }
    if (options.mistake == "part_of_a_name") {
      spec.add(PP_ROLE_INFO, "rewards/alive", PP_KIND_BOX, PP_FLOAT32);
    }
    spec.add(PP_ROLE_OBS, "asked", PP_KIND_BOX, PP_FLOAT64, {options.joints});
    const bool both = options.form == "both";
    if (both || options.form == "key") {
      spec.add(PP_ROLE_ACTION, both ? "key" : "", PP_KIND_DISCRETE, PP_INT64)
          .discrete(options.joints);
    }
    if (options.form != "key") {
      const uint32_t dtype = options.form == "float64" ? PP_FLOAT64 : PP_FLOAT32;
      const auto limit = static_cast<double>(options.joints);
      spec.add(PP_ROLE_ACTION, both ? "push" : "", PP_KIND_BOX, dtype, {options.joints})
          .bounds(-limit, limit);
    }
    spec.add(PP_ROLE_OBS, "count", PP_KIND_BOX, PP_INT32);
    const auto n_term = static_cast<int64_t>(terms(options).size());
    spec.add(PP_ROLE_OBS, "pairs", PP_KIND_BOX, PP_UINT8, {n_term, 2});
  }

  explicit Arm(const Options& options)
      : options(options),
        n_term(terms(options).size()),
        asked(static_cast<size_t>(options.joints)) {}

  void begin() {
    std::fill(asked.begin(), asked.end(), 0.0);
    count = 0;
  }
  // `number(n, T{})` is what points to the n-th array of the action.
  template <class Number>
  void take(const Number& number) {
    std::fill(asked.begin(), asked.end(), 0.0);
    size_t next = 0;
    if (options.form == "key" || options.form == "both") {
      asked[static_cast<size_t>(number(next++, int64_t{})[0])] = 1;
    }
    for (size_t i = 0; i < asked.size() && options.form != "key"; ++i) {
      asked[i] += options.form == "float64" ? number(next, double{})[i]
                                            : static_cast<double>(number(next, float{})[i]);
    }
    ++count;
  }
  double sum() const {
    double all = 0;
    for (const double each : asked) all += each;
    return all;
  }
  // The n-th term of the reward.
  float term(size_t n) const { return static_cast<float>(n + 1) * static_cast<float>(count); }
  static uint8_t pair(size_t n, size_t k) { return static_cast<uint8_t>(10 * n + k); }

  Options options;
  size_t n_term;
  std::vector<double> asked;
  int32_t count = 0;
};

struct OneArm : Arm {
  static constexpr const char* id = "fields/OneArm-v0";
  using Arm::Arm;
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    begin();
    write(obs, info);
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    take([&action](size_t n, auto type) { return action.get<decltype(type)>(n).data(); });
    if (options.mistake == "type") action.get<int8_t>(0);
    if (options.mistake == "number") obs.get<double>(9);
    write(obs, info);
    return {sum(), false};
  }

 private:
  void write(const Obs::Ref& obs, const Info::Ref& info) const {
    for (size_t i = 0; i < asked.size(); ++i) obs.get<double>(n_term)[i] = asked[i];
    obs.get<int32_t>(n_term + 1) = count;
    info.get<"total">() = sum();
    const auto terms = info.get<"reward">();
    for (size_t n = 0; n < terms.size(); ++n) {
      terms.get<float>(n) = term(n);
      obs.get<double>(n) = static_cast<double>(term(n));
      for (size_t k = 0; k < 2; ++k) obs.get<uint8_t>(n_term + 2)[2 * n + k] = pair(n, k);
    }
  }
};

struct ManyArms {
  static constexpr const char* id = "fields/ManyArms-v0";
  using Options = Arm::Options;
  using Obs = Arm::Obs;
  using Action = Arm::Action;
  using Info = Arm::Info;
  static void describe(pp::Spec& spec, const Options& options) { Arm::describe(spec, options); }
  explicit ManyArms(const std::vector<Options>& lanes) : arms_(lanes.begin(), lanes.end()) {}

  void reset(const pp::Rows<ManyArms>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      arms_[rows.first() + i].begin();
      write(rows, i);
    }
  }
  void step(const pp::Rows<ManyArms>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      Arm& arm = arms_[rows.first() + i];
      arm.take([&](size_t n, auto type) {
        const auto size = sizeof type == sizeof(int64_t) && arm.options.form != "float64"
                              ? size_t{1}
                              : arm.asked.size();
        return rows.action().get<decltype(type)>(n).data() + i * size;
      });
      if (arm.options.mistake == "type") rows.action().get<int8_t>(0);
      if (arm.options.mistake == "number") rows.obs().get<double>(9);
      rows.reward()[i] = arm.sum();
      rows.terminated()[i] = 0;
      rows.truncated()[i] = 0;
      write(rows, i);
    }
  }

 private:
  void write(const pp::Rows<ManyArms>& rows, uint32_t i) const {
    const Arm& arm = arms_[rows.first() + i];
    const auto obs = rows.obs();
    const size_t count = arm.n_term;
    std::copy(arm.asked.begin(), arm.asked.end(), &obs.get<double>(count)[i * arm.asked.size()]);
    obs.get<int32_t>(count + 1)[i] = arm.count;
    rows.info<"total">()[i] = arm.sum();
    const auto terms = rows.info<"reward">();
    for (size_t n = 0; n < count; ++n) {
      terms.get<float>(n)[i] = arm.term(n);
      obs.get<double>(n)[i] = static_cast<double>(arm.term(n));
      uint8_t* const pair = &obs.get<uint8_t>(count + 2)[2 * (count * i + n)];
      for (size_t k = 0; k < 2; ++k) pair[k] = Arm::pair(n, k);
    }
  }

  std::vector<Arm> arms_;
};

// The same of each of several players.
struct Crowd {
  static constexpr const char* id = "fields/Crowd-v0";
  static constexpr uint32_t max_players = 8;
  struct Options {
    int64_t players;
    int64_t size;
    static constexpr auto declared =
        pp::options(pp::option(&Options::players, "players", 2, "how many", pp::Range{1, 8}),
                    pp::option(&Options::size, "size", 3, "of what each sees", pp::Range{1, 9}));
  };
  using Obs = pp::PerPlayer<pp::Fields>;
  using Action = pp::PerPlayer<pp::Fields>;
  using Info = pp::Dict<pp::At<"mine", pp::PerPlayer<pp::Fields>>, pp::At<"total", double>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_players = static_cast<uint32_t>(options.players);
    spec.add(PP_ROLE_INFO, "mine", PP_KIND_BOX, PP_INT16);
    spec.add(PP_ROLE_OBS, "number", PP_KIND_BOX, PP_INT64, {options.size});
    spec.add(PP_ROLE_ACTION, "", PP_KIND_DISCRETE, PP_INT32).discrete(9);
    spec.add(PP_ROLE_OBS, "action", PP_KIND_BOX, PP_FLOAT32, {1});
  }

  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) write(obs, info, k, -1);
    info.get<"total">() = 0;
  }
  pp::Ending step(Action::Value action, Obs::Ref obs, Info::Ref info, pp::Players<Crowd> players) {
    info.get<"total">() = 0;
    for (size_t k = 0; k < players.size(); ++k) {
      const int32_t asked = action[k].get<int32_t>(0)[0];
      write(obs, info, k, static_cast<float>(asked));
      info.get<"total">() = info.get<"total">()[0] + asked;
    }
    return {};
  }

 private:
  static void write(const Obs::Ref& obs, const Info::Ref& info, size_t player, float action) {
    for (int64_t& each : obs[player].get<int64_t>(0)) each = static_cast<int64_t>(player);
    obs[player].get<float>(1) = action;
    info.get<"mine">()[player].get<int16_t>(0) = static_cast<int16_t>(10 * player);
  }
};

}  // namespace

PP_PLUGIN("fields", pp::scalar<OneArm>(), pp::batch<ManyArms, 4>(), pp::scalar<Crowd>());
