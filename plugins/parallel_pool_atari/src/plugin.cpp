// SPDX-License-Identifier: GPL-2.0-only
// The plugin's one exported symbol. The games are data in python/parallel_pool_atari/_plugin.py:
// each is one of these two environments with a ROM.

#include "ale_env.hpp"
#include "parallel_pool/env.hpp"
#include "preprocessed_env.hpp"

PP_PLUGIN("atari", pp::scalar<pp::atari::PreprocessedEnv>(), pp::scalar<pp::atari::AleEnv>());
