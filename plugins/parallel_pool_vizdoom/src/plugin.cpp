// The plugin's one exported symbol: one environment for each form of actions, which Python makes
// into scenarios by its options (python/parallel_pool_vizdoom/_scenarios.py).

#include "environment.hpp"
#include "match_environment.hpp"

namespace {
// Whose engines work at the same time for one thread: enough for several processors, few enough
// that other threads get some.
constexpr uint32_t at_once = 4;
}  // namespace

PP_PLUGIN("vizdoom", (pp::scalar<doom::Environment<doom::Buttons>, at_once>()),
          (pp::scalar<doom::Environment<doom::MixedButtons>, at_once>()),
          pp::scalar<doom::MatchEnvironment>());
