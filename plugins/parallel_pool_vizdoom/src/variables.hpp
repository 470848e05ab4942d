// The game variables of vizdoom, by the numbers of its GameVariable.
#ifndef PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_
#define PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_

#include <stdexcept>
#include <string>

#include "engine/shared_state.hpp"

namespace doom {

// The first of each run of numbers; _names.py has all names.
enum Variable : int {
  variable_kill_count,
  variable_item_count,
  variable_secret_count,
  variable_frag_count,
  variable_death_count,
  variable_hit_count,
  variable_hits_taken,
  variable_damage_count,
  variable_damage_taken,
  variable_health,
  variable_armor,
  variable_dead,
  variable_on_ground,
  variable_attack_ready,
  variable_alt_attack_ready,
  variable_selected_weapon,
  variable_selected_weapon_ammo,
  variable_ammo0,
  variable_weapon0 = variable_ammo0 + 10,
  variable_position_x = variable_weapon0 + 10,
  variable_camera_position_x = variable_position_x + 10,
  variable_player_number = variable_camera_position_x + 7,
  variable_player_count,
  variable_player1_frag_count,
  variable_user1 = variable_player1_frag_count + 16,
  variable_count = variable_user1 + 60,
};

inline double variable(const SharedState& state, int number) {
  switch (number) {
    case variable_kill_count:
      return state.map_kills;
    case variable_item_count:
      return state.map_items;
    case variable_secret_count:
      return state.map_secrets;
    case variable_frag_count:
      return state.frags;
    case variable_death_count:
      return state.deaths;
    case variable_hit_count:
      return state.hits;
    case variable_hits_taken:
      return state.hits_taken;
    case variable_damage_count:
      return state.damage;
    case variable_damage_taken:
      return state.damage_taken;
    case variable_health:
      return state.health;
    case variable_armor:
      return state.armor;
    case variable_dead:
      return state.dead ? 1 : 0;
    case variable_on_ground:
      return state.on_ground ? 1 : 0;
    case variable_attack_ready:
      return state.attack_ready ? 1 : 0;
    case variable_alt_attack_ready:
      return state.alt_attack_ready ? 1 : 0;
    case variable_selected_weapon:
      return state.selected_weapon;
    case variable_selected_weapon_ammo:
      return state.selected_weapon_ammo;
    case variable_player_number:
      return state.player_number;
    case variable_player_count:
      return state.player_count;
    default:
      break;
  }
  if (number >= variable_ammo0 && number < variable_weapon0)
    return state.ammo[number - variable_ammo0];
  if (number >= variable_weapon0 && number < variable_position_x)
    return state.weapon[number - variable_weapon0];
  if (number >= variable_position_x && number < variable_camera_position_x) {
    return state.movement[number - variable_position_x];
  }
  if (number >= variable_camera_position_x && number < variable_player_number) {
    return state.camera[number - variable_camera_position_x];
  }
  if (number >= variable_player1_frag_count && number < variable_user1) {
    return state.player_frags[number - variable_player1_frag_count];
  }
  if (number >= variable_user1 && number < variable_count)
    return state.user[number - variable_user1];
  throw std::invalid_argument("there is no game variable " + std::to_string(number));
}

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_
