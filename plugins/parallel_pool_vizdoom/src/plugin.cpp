// The plugin's one exported symbol: one environment for each form of actions, which Python makes
// into scenarios by its options (python/parallel_pool_vizdoom/_scenarios.py).

#include "environment.hpp"
#include "match_environment.hpp"

namespace {
// Environments whose engines work at the same time for one thread: as many as it can serve, so that
// none waits for the one that begins a new episode.
constexpr uint32_t at_once = 16;
// Matches have several engines each, and all players of some are looked at by one thread.
constexpr uint32_t matches_at_once = 4;
}  // namespace

PP_PLUGIN("vizdoom", (pp::scalar<doom::Environment<doom::Buttons>, at_once>()),
          (pp::scalar<doom::Environment<doom::MixedButtons>, at_once>()),
          (pp::scalar<doom::MatchEnvironment, matches_at_once>()));
