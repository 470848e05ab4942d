// SPDX-License-Identifier: GPL-2.0-only
// The ways in which the programs of games are executed, which change their speed only.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATION_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATION_HPP_

#include <cstdint>

namespace pp::atari::vcs {

enum class Translation : uint8_t {
  none,          // they are interpreted
  blocks,        // translated, for the portable back end
  machine_code,  // for the host's processor; as blocks where that cannot be
};

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATION_HPP_
