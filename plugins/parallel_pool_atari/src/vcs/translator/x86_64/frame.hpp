// SPDX-License-Identifier: GPL-2.0-only
// Where machine code keeps things: in registers that calls preserve, in the machine's state, and in
// a frame on the stack.
//
// CpuState has the flags C, V, D and I and the stack pointer all the time; A, X, Y, N, Z and the
// clock only while the code is left.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_FRAME_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_FRAME_HPP_

#include <cstddef>
#include <cstdint>

#include "../../bus.hpp"
#include "../../state.hpp"
#include "assembler.hpp"

namespace pp::atari::vcs::translator::x86_64 {

// --- Registers.

inline constexpr Reg state = rbx;                // MachineState
inline constexpr Reg shown = rbp;                // N and Z, as in CpuRegisters
inline constexpr Reg a = r12, x = r13, y = r14;  // with zeros above the byte
inline constexpr Reg cycles =
    r15;  // cycles without those of the block's instructions, as in BlockCpu

// --- The frame, which enter() copies to the stack.

struct Frame {
  Bus* bus;
  MachineState* state;
  const uint8_t* view;
  const Television* tv;
  const tia::Canvas* canvas;
  const Pins* pins;
  uint32_t limit;       // no block begins in a later cycle
  uint32_t line_start;  // added to cycles, it counts them from the start of a line
};
static_assert(sizeof(Frame) % 16 == 8, "behind six registers and the address to return to");

#define PP_IN_FRAME(name) (Mem{rsp, static_cast<int32_t>(offsetof(Frame, name))})

// --- The state.

static_assert(offsetof(MachineState, riot) == 0 && offsetof(RiotState, ram) == 0);
inline Mem ram(int32_t offset) {
  return {state, offset};
}
// RAM at the address in `index`, which is 0x80 or more.
inline Mem ram_at_address(Reg index, int32_t more = 0) {
  return {state, more - 0x80, index};
}
#define PP_IN_CPU(name) \
  (Mem{state, static_cast<int32_t>(offsetof(MachineState, cpu) + offsetof(CpuState, name))})
inline constexpr int32_t tia_state = offsetof(MachineState, tia);
#define PP_IN_TIA(name) (Mem{state, tia_state + static_cast<int32_t>(offsetof(TiaState, name))})
#define PP_IN_CARTRIDGE(name) \
  (Mem{state,                 \
       static_cast<int32_t>(offsetof(MachineState, cartridge) + offsetof(CartridgeState, name))})

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_FRAME_HPP_
