#include "bipedal_walker/walker.hpp"
#include "lunar_lander.hpp"

PP_PLUGIN("box2d", pp::scalar<box2d::lunar::Lander<false>>(),
          pp::scalar<box2d::lunar::Lander<true>>(), pp::scalar<box2d::walker::Walker>());
