// The family: classic control and toy text.
#include "classic_control/acrobot.hpp"
#include "classic_control/cartpole.hpp"
#include "classic_control/mountain_car.hpp"
#include "classic_control/mountain_car_continuous.hpp"
#include "classic_control/pendulum.hpp"

PP_PLUGIN("classic",                                         //
          pp::batch<classic::CartPole, 256>(),               //
          pp::batch<classic::Pendulum, 256>(),               //
          pp::batch<classic::MountainCar, 256>(),            //
          pp::batch<classic::MountainCarContinuous, 256>(),  //
          pp::batch<classic::Acrobot, 256>());
