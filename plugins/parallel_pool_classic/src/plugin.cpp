// The family: classic control, toy text and games.
#include "classic_control/acrobot.hpp"
#include "classic_control/cartpole.hpp"
#include "classic_control/mountain_car.hpp"
#include "classic_control/mountain_car_continuous.hpp"
#include "classic_control/pendulum.hpp"
#include "games/two_player_pong.hpp"
#include "toy_text/blackjack.hpp"
#include "toy_text/catch.hpp"
#include "toy_text/cliff_walking.hpp"
#include "toy_text/frozen_lake.hpp"
#include "toy_text/n_chain.hpp"
#include "toy_text/taxi.hpp"

// One line each.
PP_PLUGIN("classic",                                         //
          pp::batch<classic::CartPole, 512>(),               //
          pp::batch<classic::Pendulum, 256>(),               //
          pp::batch<classic::MountainCar, 512>(),            //
          pp::batch<classic::MountainCarContinuous, 512>(),  //
          pp::batch<classic::Acrobot, 64>(),                 //
          pp::batch<classic::FrozenLake, 1024>(),            //
          pp::batch<classic::CliffWalking, 1024>(),          //
          pp::batch<classic::Taxi, 1024>(),                  //
          pp::batch<classic::Blackjack, 256>(),              //
          pp::batch<classic::BlackjackBox, 256>(),           //
          pp::batch<classic::NChain, 1024>(),                //
          pp::batch<classic::Catch, 256>(),                  //
          pp::scalar<classic::TwoPlayerPong, 16>());
