// The options of a match: those of a game, and its players.
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

  static constexpr auto declared = pp::options(
      pp::option(&MatchOptions::num_players, "num_players", 2,
                 "number of players; each has an engine of its own", pp::Range{1, max_players}),
      pp::option(&MatchOptions::bots, "bots", 0,
                 "number of players that the engine plays, in a deathmatch",
                 pp::Range{0, max_players - 1}),
      pp::option(&MatchOptions::game_mode, "game_mode", MatchMode::deathmatch,
                 "deathmatch: against each other; cooperative: together",
                 {{"deathmatch", MatchMode::deathmatch}, {"cooperative", MatchMode::cooperative}}),
      pp::option(&MatchOptions::respawn_delay, "respawn_delay", 1,
                 "seconds from a player's death to its return", pp::Range{0, 3600}),
      pp::option(&MatchOptions::new_match, "new_match", NewMatch::map,
                 "start of a match without a seed. map: as DoomGame's new_episode; engines: with "
                 "new engines, so that the match depends on its seed only",
                 {{"map", NewMatch::map}, {"engines", NewMatch::engines}}),
      pp::option(&MatchOptions::player_args, "player_args", "",
                 "additional arguments of the engines, one line or list element per player, such "
                 "as '+name A +colorset 3'"),
      DoomOptions::declared);
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_MATCH_OPTIONS_HPP_
