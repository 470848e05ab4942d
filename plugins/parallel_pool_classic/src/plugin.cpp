// The classic control family.
#include "cartpole.hpp"

PP_PLUGIN("classic", pp::batch<classic::CartPole, 256>());
