// The plugin's one exported symbol: one environment for each layout of observations. Which tasks
// there are, and with what options, is data in python/parallel_pool_dmc/_tasks.py.

#include "acrobot.hpp"
#include "ball_in_cup.hpp"
#include "cartpole.hpp"
#include "cheetah.hpp"
#include "dog.hpp"
#include "dog_fetch.hpp"
#include "environment.hpp"
#include "finger.hpp"
#include "fish.hpp"
#include "hopper.hpp"
#include "humanoid.hpp"
#include "humanoid_cmu.hpp"
#include "lqr.hpp"
#include "manipulator.hpp"
#include "pendulum.hpp"
#include "point_mass.hpp"
#include "quadruped.hpp"
#include "quadruped_escape.hpp"
#include "quadruped_fetch.hpp"
#include "reacher.hpp"
#include "stacker.hpp"
#include "swimmer.hpp"
#include "walker.hpp"

using suite::environment;

PP_PLUGIN("dmc",
          environment<suite::Acrobot>(),          //
          environment<suite::BallInCup>(),        //
          environment<suite::Cartpole>(),         //
          environment<suite::Cheetah>(),          //
          environment<suite::Dog>(),              //
          environment<suite::DogFetch>(),         //
          environment<suite::Finger>(),           //
          environment<suite::Fish>(),             //
          environment<suite::Hopper>(),           //
          environment<suite::Humanoid>(),         //
          environment<suite::HumanoidCMU>(),      //
          environment<suite::Lqr>(),              //
          environment<suite::Manipulator>(),      //
          environment<suite::Pendulum>(),         //
          environment<suite::PointMass>(),        //
          environment<suite::Quadruped>(),        //
          environment<suite::QuadrupedEscape>(),  //
          environment<suite::QuadrupedFetch>(),   //
          environment<suite::Reacher>(),          //
          environment<suite::Stacker>(),          //
          environment<suite::Swimmer>(),          //
          environment<suite::Walker>());
