// Describes itself wrongly, in the one way that the option `wrong` asks for.
#include <string>

#include "parallel_pool/env.hpp"

namespace {

struct Misdescribed {
  static constexpr const char* id = "misdescribed/Env-v0";
  struct Options {
    std::string wrong;
    static constexpr auto declared =
        pp::options(pp::option(&Options::wrong, "wrong", "", "what to get wrong"));
  };
  using Obs = pp::Box<float, 3>;
  using Action = pp::Discrete<2>;
  using Info = pp::Fields;

  static void describe(pp::Spec& spec, const Options& options) {
    const std::string& wrong = options.wrong;
    pp::Field& obs = spec.obs();
    pp::Field& action = spec.action();
    const auto drop = [&spec](uint32_t role) {
      std::erase_if(spec.fields, [role](const pp::Field& field) { return field.role == role; });
    };
    const auto find = [&spec](uint32_t role) -> pp::Field& {
      for (pp::Field& field : spec.fields) {
        if (field.role == role) return field;
      }
      throw std::logic_error("no such role");
    };
    if (wrong == "role") obs.role = 99;
    if (wrong == "kind") obs.kind = 99;
    if (wrong == "shape") obs.shape = {2, pp::dynamic};
    if (wrong == "huge") obs.shape = {int64_t{1} << 40, int64_t{1} << 40};
    if (wrong == "bounds") obs.bounds({0, 0}, {1, 1});
    if (wrong == "high") obs.bounds({0}, {1, 1});
    if (wrong == "dims") obs.shape = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (wrong == "no_obs") drop(PP_ROLE_OBS);
    if (wrong == "no_action") drop(PP_ROLE_ACTION);
    if (wrong == "no_reward") drop(PP_ROLE_REWARD);
    if (wrong == "no_terminated") drop(PP_ROLE_TERMINATED);
    if (wrong == "two_rewards") spec.add(PP_ROLE_REWARD, "again", PP_KIND_BOX, PP_FLOAT64);
    if (wrong == "reward_dtype") find(PP_ROLE_REWARD).dtype = PP_FLOAT32;
    if (wrong == "flag_dtype") find(PP_ROLE_TRUNCATED).dtype = PP_INT32;
    if (wrong == "discrete_bounds") action.high.clear();
    if (wrong == "discrete_dtype")
      action = pp::Field{PP_ROLE_ACTION, "", PP_KIND_DISCRETE, PP_FLOAT32, 0, {}, {}, {}};
    if (wrong == "multi_discrete") {
      action = pp::Field{PP_ROLE_ACTION, "push", PP_KIND_MULTI_DISCRETE, PP_INT32, 0, {2}, {}, {}};
    }
    if (wrong == "multi_binary") {
      action = pp::Field{PP_ROLE_ACTION, "push", PP_KIND_MULTI_BINARY, PP_FLOAT32, 0, {2}, {}, {}};
    }
    if (wrong == "text") obs.kind = PP_KIND_TEXT;
    if (wrong == "text_per_player") spec.obs().text(4).flags = PP_FIELD_PER_PLAYER;
    if (wrong == "text_action") {
      action = pp::Field{PP_ROLE_ACTION, "say", PP_KIND_TEXT, PP_UINT8, 0, {4}, {}, {}};
    }
    const auto add_info = [&spec](const char* name) {
      spec.add(PP_ROLE_INFO, name, PP_KIND_BOX, PP_FLOAT32);
    };
    for (const char* name : {"twice", "leaf_and_branch"}) {
      if (wrong != name) continue;
      add_info("arm");
      add_info(wrong == "twice" ? "arm" : "arm/left");
    }
    if (wrong == "nameless_info") add_info("");
    if (wrong == "host_info") add_info("elapsed_step");
    if (wrong == "host_branch") add_info("episode/r");
    if (wrong == "host_mask") add_info("_env_id");
    const auto score = [&spec] {
      spec.add(PP_ROLE_CONTINUES, "", PP_KIND_BOX, PP_BOOL);
      return &spec.add(PP_ROLE_SCORE, "", PP_KIND_BOX, PP_FLOAT64);
    };
    if (wrong == "score_alone") spec.add(PP_ROLE_SCORE, "", PP_KIND_BOX, PP_FLOAT64);
    if (wrong == "continues_alone") spec.add(PP_ROLE_CONTINUES, "", PP_KIND_BOX, PP_BOOL);
    if (wrong == "score_dtype") score()->dtype = PP_INT32;
    if (wrong == "score_players") {
      score();
      find(PP_ROLE_REWARD).flags = PP_FIELD_PER_PLAYER;
    }
    if (wrong == "score_info") {
      score();
      add_info("score");
    }
    if (wrong == "players") spec.max_players = 0;
    if (wrong == "steps") spec.max_episode_steps = -1;
    if (wrong == "no_such_field") spec.obs("camera");
  }
  void reset(pp::Rng&, Obs::Ref, Info::Ref) {}
  pp::Outcome step(int32_t, Obs::Ref, Info::Ref) { return {}; }
};

// The same of several players.
struct MisdescribedPlayers {
  static constexpr const char* id = "misdescribed/Players-v0";
  static constexpr uint32_t max_players = 2;
  using Options = Misdescribed::Options;
  using Obs = pp::PerPlayer<pp::Scalar<float>>;
  using Action = pp::PerPlayer<pp::Discrete<2>>;
  using Info = pp::PerPlayer<pp::Fields>;

  static void describe(pp::Spec& spec, const Options& options) {
    const std::string& wrong = options.wrong;
    for (pp::Field& field : spec.fields) {
      if (field.role != PP_ROLE_REWARD) continue;
      if (wrong == "own_discounts") field.flags = 0;
      if (wrong == "many_rewards") field.shape = {2};
    }
    if (wrong == "own_discounts") {
      spec.add(PP_ROLE_DISCOUNT, "", PP_KIND_BOX, PP_FLOAT64).flags = PP_FIELD_PER_PLAYER;
    }
    if (wrong == "host_name") {
      spec.add(PP_ROLE_INFO, "acting", PP_KIND_BOX, PP_INT32);
    }
    if (wrong == "too_many") spec.max_players = 65537;
  }
  void reset(pp::Rng&, Obs::Ref, Info::Ref) {}
  pp::Ending step(Action::Value, Obs::Ref, Info::Ref, pp::Players<MisdescribedPlayers>) {
    return {};
  }
};

}  // namespace

PP_PLUGIN("misdescribed", pp::scalar<Misdescribed>(), pp::scalar<MisdescribedPlayers>());
