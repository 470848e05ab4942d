// The plugin's one exported symbol: one environment, which Python makes into scenarios by its
// options (python/parallel_pool_vizdoom/_scenarios.py).

#include "environment.hpp"

PP_PLUGIN("vizdoom", pp::scalar<doom::Environment>());
