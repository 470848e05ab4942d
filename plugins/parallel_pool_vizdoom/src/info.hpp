// Infos: EnvPool's game variables, whatever is observed.
#ifndef PARALLEL_POOL_VIZDOOM_INFO_HPP_
#define PARALLEL_POOL_VIZDOOM_INFO_HPP_

#include "engine/shared_state.hpp"
#include "parallel_pool/env.hpp"
#include "variables.hpp"

namespace doom {

PP_KEY(AMMO2);
PP_KEY(AMMO3);
PP_KEY(AMMO4);
PP_KEY(AMMO5);
PP_KEY(AMMO6);
PP_KEY(AMMO7);
PP_KEY(ARMOR);
PP_KEY(DAMAGECOUNT);
PP_KEY(DEATHCOUNT);
PP_KEY(FRAGCOUNT);
PP_KEY(HEALTH);
PP_KEY(HITCOUNT);
PP_KEY(KILLCOUNT);
PP_KEY(SELECTED_WEAPON);
PP_KEY(SELECTED_WEAPON_AMMO);
PP_KEY(USER2);

// `Number<Key>`: the member of one.
template <template <class> class Number>
using GameInfo = pp::Dict<Number<AMMO2>, Number<AMMO3>, Number<AMMO4>, Number<AMMO5>, Number<AMMO6>,
                          Number<AMMO7>, Number<ARMOR>, Number<DAMAGECOUNT>, Number<DEATHCOUNT>,
                          Number<FRAGCOUNT>, Number<HEALTH>, Number<HITCOUNT>, Number<KILLCOUNT>,
                          Number<SELECTED_WEAPON>, Number<SELECTED_WEAPON_AMMO>, Number<USER2>>;

// `game`: a Game or a MatchPlayer. Calls put(Key{}, value) for each.
template <class Shown, class Put>
void put_info(const Shown& game, Put&& put) {
  const SharedState& state = game.state();
  put(AMMO2{}, state.ammo[2]);
  put(AMMO3{}, state.ammo[3]);
  put(AMMO4{}, state.ammo[4]);
  put(AMMO5{}, state.ammo[5]);
  put(AMMO6{}, state.ammo[6]);
  put(AMMO7{}, state.ammo[7]);
  put(ARMOR{}, state.armor);
  put(DAMAGECOUNT{}, state.damage);
  put(DEATHCOUNT{}, game.variable(variable_death_count));
  put(FRAGCOUNT{}, state.frags);
  put(HEALTH{}, state.health);
  put(HITCOUNT{}, state.hits);
  put(KILLCOUNT{}, state.map_kills);
  put(SELECTED_WEAPON{}, state.selected_weapon);
  put(SELECTED_WEAPON_AMMO{}, state.selected_weapon_ammo);
  put(USER2{}, state.user[1]);
}

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_INFO_HPP_
