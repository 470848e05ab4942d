// The classic control family.
#include "cartpole.hpp"
#include "two_player_pong.hpp"

PP_PLUGIN("classic", pp::batch<classic::CartPole, 256>(), pp::scalar<classic::TwoPlayerPong, 16>());
