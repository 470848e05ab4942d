// SPDX-License-Identifier: GPL-2.0-only
#include "machine_code.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)
#include "x86_64/x86_64_code.hpp"
#endif

namespace pp::atari::vcs::translator {

std::unique_ptr<MachineCode> MachineCode::of([[maybe_unused]] const ProgramMap& map) {
#if defined(PP_HOST_IS_X86_64_LINUX)
  return x86_64::make_code(map);
#else
  return nullptr;
#endif
}

}  // namespace pp::atari::vcs::translator
