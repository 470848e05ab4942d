// The plugin's one exported symbol: one environment for each form of actions, which Python makes
// into scenarios by its options (python/parallel_pool_vizdoom/_scenarios.py).

#include "environment.hpp"
#include "match_environment.hpp"

PP_PLUGIN("vizdoom",                                       //
          pp::scalar<doom::Environment<doom::Buttons>>(),  //
          pp::scalar<doom::Environment<doom::MixedButtons>>(),
          pp::scalar<doom::MatchEnvironment>());
