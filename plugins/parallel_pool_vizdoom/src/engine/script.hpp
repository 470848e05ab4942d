// Several tics that an engine makes one after the other, and what ends them before: so that no
// process is woken between two tics. We set it together with the request for the first
// (Engine::run), what the engine has loaded makes the others' (tics.cpp) and says when all is done.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_SCRIPT_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_SCRIPT_HPP_

#include <cstddef>
#include <cstdint>

#include "shared_state.hpp"

namespace doom {

// Tell when an episode ends. `end`: a tic of the map; 0: none.
inline bool is_over(const SharedState& state) {
  return (!state.multiplayer && state.dead) || state.map_end;
}
inline bool is_late(const SharedState& state, uint32_t end) {
  return (end > 0 && end <= state.map_tic) ||
         (state.map_tic_limit > 0 && state.map_tic_limit <= state.map_tic);
}

struct Tics {
  // Each tic is answered, and there is room for 64 answers.
  static constexpr uint32_t most = 48;

  uint32_t count;      // at most
  uint32_t end;        // they end at this tic of the map; 0: at none
  bool of_episode;     // and where the episode does
  bool with_pictures;  // with the last request

  bool ended(const SharedState& state) const {
    return of_episode ? is_over(state) || is_late(state, end) : end > 0 && end <= state.map_tic;
  }
};

struct Script {
  uint32_t under_way;  // a futex: we may sleep on it
  uint32_t is_awaited;
  uint32_t last_tic;  // tic of the map that was asked for last
  Tics tics;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_SCRIPT_HPP_
