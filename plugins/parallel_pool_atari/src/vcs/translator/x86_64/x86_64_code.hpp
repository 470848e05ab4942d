// SPDX-License-Identifier: GPL-2.0-only
// MachineCode for x86-64 and Linux: the back end's one entrance.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_X86_64_CODE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_X86_64_CODE_HPP_

#include <memory>

#include "../machine_code.hpp"

namespace pp::atari::vcs::translator::x86_64 {

// Null where the kernel lets no program make code. The map has to outlive it.
std::unique_ptr<MachineCode> make_code(const ProgramMap& map);

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_X86_64_CODE_HPP_
