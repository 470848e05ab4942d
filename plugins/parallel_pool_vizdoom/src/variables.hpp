// The game variables of vizdoom, by the numbers of its GameVariable.
#ifndef PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_
#define PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_

#include <stdexcept>
#include <string>

#include "engine/shared_state.hpp"

namespace doom {

// The first of each run of numbers; vizdoom_names.py has all names.
enum Variable : int {
  kKillCount,
  kItemCount,
  kSecretCount,
  kFragCount,
  kDeathCount,
  kHitCount,
  kHitsTaken,
  kDamageCount,
  kDamageTaken,
  kHealth,
  kArmor,
  kDead,
  kOnGround,
  kAttackReady,
  kAltAttackReady,
  kSelectedWeapon,
  kSelectedWeaponAmmo,
  kAmmo0,
  kWeapon0 = kAmmo0 + 10,
  kPositionX = kWeapon0 + 10,
  kCameraPositionX = kPositionX + 10,
  kPlayerNumber = kCameraPositionX + 7,
  kPlayerCount,
  kPlayer1FragCount,
  kUser1 = kPlayer1FragCount + 16,
  kVariables = kUser1 + 60,
};

inline double variable(const SharedState& state, int number) {
  switch (number) {
    case kKillCount:
      return state.map_kills;
    case kItemCount:
      return state.map_items;
    case kSecretCount:
      return state.map_secrets;
    case kFragCount:
      return state.frags;
    case kDeathCount:
      return state.deaths;
    case kHitCount:
      return state.hits;
    case kHitsTaken:
      return state.hits_taken;
    case kDamageCount:
      return state.damage;
    case kDamageTaken:
      return state.damage_taken;
    case kHealth:
      return state.health;
    case kArmor:
      return state.armor;
    case kDead:
      return state.dead ? 1 : 0;
    case kOnGround:
      return state.on_ground ? 1 : 0;
    case kAttackReady:
      return state.attack_ready ? 1 : 0;
    case kAltAttackReady:
      return state.alt_attack_ready ? 1 : 0;
    case kSelectedWeapon:
      return state.selected_weapon;
    case kSelectedWeaponAmmo:
      return state.selected_weapon_ammo;
    case kPlayerNumber:
      return state.player_number;
    case kPlayerCount:
      return state.player_count;
    default:
      break;
  }
  if (number >= kAmmo0 && number < kWeapon0) return state.ammo[number - kAmmo0];
  if (number >= kWeapon0 && number < kPositionX) return state.weapon[number - kWeapon0];
  if (number >= kPositionX && number < kCameraPositionX) {
    return state.movement[number - kPositionX];
  }
  if (number >= kCameraPositionX && number < kPlayerNumber) {
    return state.camera[number - kCameraPositionX];
  }
  if (number >= kPlayer1FragCount && number < kUser1) {
    return state.player_frags[number - kPlayer1FragCount];
  }
  if (number >= kUser1 && number < kVariables) return state.user[number - kUser1];
  throw std::invalid_argument("there is no game variable " + std::to_string(number));
}

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_VARIABLES_HPP_
