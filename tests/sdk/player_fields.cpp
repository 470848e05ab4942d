// Several players whose observations only the options know.
#include <parallel_pool/env.hpp>

namespace {

struct Crowd {
  static constexpr const char* id = "crowd/Crowd-v0";
  static constexpr uint32_t max_players = 8;
  struct Options {
    int64_t players;
    int64_t size;
    static constexpr auto declared =
        pp::options(pp::option(&Options::players, "players", 2, "how many", pp::Range{1, 8}),
                    pp::option(&Options::size, "size", 3, "of what each sees", pp::Range{1, 9}));
  };
  using Obs = pp::PerPlayer<pp::Fields>;
  using Action = pp::PerPlayer<pp::Discrete<9>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_players = static_cast<uint32_t>(options.players);
    spec.add(PP_ROLE_OBS, "number", PP_KIND_BOX, PP_INT64, {options.size}).flags =
        PP_FIELD_PER_PLAYER;
    spec.add(PP_ROLE_OBS, "action", PP_KIND_BOX, PP_FLOAT32, {1}).flags = PP_FIELD_PER_PLAYER;
  }

  void reset(pp::Rng&, Obs::Ref obs, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) write(obs, k, -1);
  }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) write(obs, k, static_cast<float>(action[k]));
    return {};
  }

 private:
  static void write(const Obs::Ref& obs, size_t player, float action) {
    for (int64_t& each : obs[player].get<int64_t>(0)) each = static_cast<int64_t>(player);
    obs[player].get<float>(1) = action;
  }
};

}  // namespace

PP_PLUGIN("crowd", pp::scalar<Crowd>());
