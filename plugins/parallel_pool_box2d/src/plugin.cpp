#include "bipedal_walker/walker.hpp"
#include "car_racing/car_racing.hpp"
#include "lunar_lander/lander.hpp"

PP_PLUGIN("box2d", pp::scalar<box2d::lunar::Lander>(), pp::scalar<box2d::walker::Walker>(),
          pp::scalar<box2d::racing::CarRacing>());
