// SPDX-License-Identifier: GPL-2.0-only
// The blocks of one program as code of the host's processor.
//
// Blocks get code some at a time, after they were executed by the portable back end, so a chunk of
// code has its pages to itself. All machines with the same cartridge execute the same code.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_MACHINE_CODE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_MACHINE_CODE_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../bus.hpp"
#include "blocks/operation.hpp"
#include "blocks/program_map.hpp"

// Tells whether there is a back end for the host. Its sources are empty elsewhere.
#if defined(__x86_64__) && defined(__linux__)
#define PP_HOST_IS_X86_64_LINUX 1
#endif

namespace pp::atari::vcs::translator {

class MachineCode {
 public:
  // Bytes of code of one program at most; blocks beyond that have none. A game has some 100,000.
  static constexpr size_t most_bytes = size_t{1} << 22;

  // Null where there is no back end for the processor, or the kernel lets no program make code.
  static std::unique_ptr<MachineCode> of(const ProgramMap& map);
  virtual ~MachineCode() = default;

  // The code of the block at `pc`, if it has some. Any thread may ask.
  virtual const void* find(unsigned region, uint16_t pc) const = 0;
  // Gives blocks code. One thread at a time.
  virtual void add(const std::vector<std::pair<BlockKey, Block>>& blocks) = 0;
  // Executes a block's code and what follows it, until something else is due at the CPU's program
  // counter. No block begins in a later cycle than `limit`.
  virtual void run(Bus& bus, const void* code, uint32_t limit) const = 0;
};

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_MACHINE_CODE_HPP_
