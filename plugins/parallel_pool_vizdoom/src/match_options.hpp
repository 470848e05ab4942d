// The options of a match: those of a game, and who plays it.
#ifndef PARALLEL_POOL_VIZDOOM_MATCH_OPTIONS_HPP_
#define PARALLEL_POOL_VIZDOOM_MATCH_OPTIONS_HPP_

#include <cstdint>
#include <string>

#include "options.hpp"

namespace doom {

enum class MatchMode { deathmatch, cooperative };
enum class NewMatch { map, engines };

struct MatchOptions : DoomOptions {
  int64_t num_players;
  int64_t bots;
  MatchMode game_mode;
  int64_t respawn_delay;
  NewMatch new_match;
  std::string player_args;
  std::string bots_path;

  static constexpr auto declared = pp::options(
      pp::option(&MatchOptions::num_players, "num_players", 2, "who act, an engine each",
                 pp::Range{1, max_players}),
      pp::option(&MatchOptions::bots, "bots", 0, "players whom the engine plays, in a deathmatch",
                 pp::Range{0, max_players - 1}),
      pp::option(&MatchOptions::game_mode, "game_mode", MatchMode::deathmatch,
                 "against each other or not",
                 {{"deathmatch", MatchMode::deathmatch}, {"cooperative", MatchMode::cooperative}}),
      pp::option(&MatchOptions::respawn_delay, "respawn_delay", 1,
                 "seconds from a player's death to its coming back", pp::Range{0, 3600}),
      pp::option(&MatchOptions::new_match, "new_match", NewMatch::map,
                 "how the next match begins without a seed. map: as DoomGame's new_episode; "
                 "engines: with new ones, so that it follows from its seed alone",
                 {{"map", NewMatch::map}, {"engines", NewMatch::engines}}),
      pp::option(&MatchOptions::player_args, "player_args", "",
                 "more arguments for the engine of each player, a line or a list's element each, "
                 "such as '+name A +colorset 3'"),
      DoomOptions::declared,
      pp::option(&MatchOptions::bots_path, "bots_path", "", "set by the plugin, not for users")
          .local());
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_MATCH_OPTIONS_HPP_
