// MachineCode where there is no back end for the processor and system.

#include "machine_code.hpp"

namespace pp::atari::vcs::translator {

std::unique_ptr<MachineCode> MachineCode::of(const ProgramMap& /*map*/) {
  return nullptr;
}

}  // namespace pp::atari::vcs::translator
