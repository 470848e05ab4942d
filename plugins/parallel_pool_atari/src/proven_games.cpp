#include "proven_games.hpp"

#include <algorithm>
#include <iterator>

namespace pp::atari {
namespace {

// Each played for 20,000 frames and, in each of its modes and difficulties, for 300
// (tests/test_engines.py, slow ones included). A game that fails there is taken out here and from
// python/parallel_pool_atari/_games.py, and runs on ALE.
constexpr const char* kProven[] = {
    "adventure", "air_raid", "alien", "amidar", "assault", "asterix", "asteroids",
    "atlantis", "atlantis2", "backgammon", "bank_heist", "basic_math", "battle_zone",
    "beam_rider", "berzerk", "blackjack", "bowling", "boxing", "breakout", "carnival",
    "casino", "centipede", "chopper_command", "crazy_climber", "crossbow", "darkchambers",
    "defender", "demon_attack", "donkey_kong", "double_dunk", "earthworld",
    "elevator_action", "enduro", "entombed", "et", "fishing_derby", "flag_capture",
    "freeway", "frogger", "frostbite", "galaxian", "gopher", "gravitar", "hangman",
    "haunted_house", "hero", "human_cannonball", "ice_hockey", "jamesbond",
    "journey_escape", "kaboom", "kangaroo", "keystone_kapers", "king_kong", "klax",
    "koolaid", "krull", "kung_fu_master", "laser_gates", "lost_luggage", "mario_bros",
    "miniature_golf", "montezuma_revenge", "mr_do", "ms_pacman", "name_this_game",
    "othello", "pacman", "phoenix", "pitfall", "pitfall2", "pong", "pooyan", "private_eye",
    "qbert", "riverraid", "road_runner", "robotank", "seaquest", "sir_lancelot", "skiing",
    "solaris", "space_invaders", "space_war", "star_gunner", "superman", "surround",
    "tennis", "tetris", "tic_tac_toe_3d", "time_pilot", "trondead", "turmoil", "tutankham",
    "up_n_down", "venture", "video_checkers", "video_chess", "video_cube", "video_pinball",
    "wizard_of_wor", "word_zapper", "yars_revenge", "zaxxon",
};

}  // namespace

bool is_proven(const std::string& game) {
  return std::any_of(std::begin(kProven), std::end(kProven),
                     [&game](const char* proven) { return game == proven; });
}

}  // namespace pp::atari
