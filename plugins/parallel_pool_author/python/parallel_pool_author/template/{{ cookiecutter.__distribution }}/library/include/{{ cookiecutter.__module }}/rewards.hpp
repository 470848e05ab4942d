// {{ cookiecutter.__module }}/rewards.hpp: what this plugin offers to other plugins.
//
// All of it is compiled into their libraries: none of it may keep a value for all of them.
#pragma once

namespace {{ cookiecutter.__module }} {

// The reward of a landing at a vertical speed in m/s: softly, or the harder the worse.
inline double landing(double speed) { return speed > -1 ? 10.0 : speed; }

}  // namespace {{ cookiecutter.__module }}
