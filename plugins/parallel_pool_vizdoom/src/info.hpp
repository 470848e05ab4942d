// Infos: EnvPool's game variables, whatever is observed.
#ifndef PARALLEL_POOL_VIZDOOM_INFO_HPP_
#define PARALLEL_POOL_VIZDOOM_INFO_HPP_

#include "engine/shared_state.hpp"
#include "parallel_pool/env.hpp"
#include "variables.hpp"

namespace doom {

// `Number`: what each game variable is.
template <class Number>
using GameInfo =
    pp::Dict<pp::At<"AMMO2", Number>, pp::At<"AMMO3", Number>, pp::At<"AMMO4", Number>,
             pp::At<"AMMO5", Number>, pp::At<"AMMO6", Number>, pp::At<"AMMO7", Number>,
             pp::At<"ARMOR", Number>, pp::At<"DAMAGECOUNT", Number>, pp::At<"DEATHCOUNT", Number>,
             pp::At<"FRAGCOUNT", Number>, pp::At<"HEALTH", Number>, pp::At<"HITCOUNT", Number>,
             pp::At<"KILLCOUNT", Number>, pp::At<"SELECTED_WEAPON", Number>,
             pp::At<"SELECTED_WEAPON_AMMO", Number>, pp::At<"USER2", Number>>;

// The key of one, as an argument.
template <pp::Key Name>
struct Named {
  static constexpr auto key = Name;
};

// `game`: a Game or a MatchPlayer. Calls put(Named<key>{}, value) for each.
template <class Shown, class Put>
void put_info(const Shown& game, Put&& put) {
  const SharedState& state = game.state();
  put(Named<"AMMO2">{}, state.ammo[2]);
  put(Named<"AMMO3">{}, state.ammo[3]);
  put(Named<"AMMO4">{}, state.ammo[4]);
  put(Named<"AMMO5">{}, state.ammo[5]);
  put(Named<"AMMO6">{}, state.ammo[6]);
  put(Named<"AMMO7">{}, state.ammo[7]);
  put(Named<"ARMOR">{}, state.armor);
  put(Named<"DAMAGECOUNT">{}, state.damage);
  put(Named<"DEATHCOUNT">{}, game.variable(variable_death_count));
  put(Named<"FRAGCOUNT">{}, state.frags);
  put(Named<"HEALTH">{}, state.health);
  put(Named<"HITCOUNT">{}, state.hits);
  put(Named<"KILLCOUNT">{}, state.map_kills);
  put(Named<"SELECTED_WEAPON">{}, state.selected_weapon);
  put(Named<"SELECTED_WEAPON_AMMO">{}, state.selected_weapon_ammo);
  put(Named<"USER2">{}, state.user[1]);
}

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_INFO_HPP_
