// SPDX-License-Identifier: GPL-2.0-only
// The functions that machine code calls: everything that is long, or rare. `now` is the cycle in
// which the instruction ends. Arguments are whole registers: only the low byte of a value counts.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_RUNTIME_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_RUNTIME_HPP_

#include <cstdint>

#include "../../bus.hpp"

namespace pp::atari::vcs::translator::x86_64::runtime {

// Any address. `on_bus` is what was on the data bus before.
uint32_t read(Bus* bus, uint32_t address, uint32_t on_bus, uint32_t now);
// Does what `read` does for a TIA or RIOT address.
uint32_t read_port(Bus* bus, uint32_t address, uint32_t on_bus, uint32_t now);
uint32_t read_timer(Bus* bus, uint32_t now);
// A loop that waits for the timer, as an operand of wait_a (operation.hpp): the byte that is read
// at last, and above it the cycles of the rounds that were skipped.
uint32_t wait_for_timer(Bus* bus, uint32_t operand, uint32_t now);
uint32_t read_cartridge(Bus* bus, uint32_t address, uint32_t now);

// Any address. Returns `now`, and WSYNC's wait if it was that.
uint32_t write(Bus* bus, uint32_t address, uint32_t value, uint32_t now);
void write_riot(Bus* bus, uint32_t address, uint32_t value, uint32_t now);
void write_cartridge(Bus* bus, uint32_t address, uint32_t value);

// The stack, wherever it lies. A push returns as `write`.
uint32_t push(Bus* bus, uint32_t value, uint32_t now);
uint32_t push_status(Bus* bus, uint32_t shown, uint32_t now);
uint32_t pull(Bus* bus, uint32_t opcode, uint32_t now);
// Sets the flags but N and Z, which it returns as CpuRegisters has them.
uint32_t pull_status(Bus* bus, uint32_t now);

// Decimal mode: the sum or difference, with the flags C and V set. N and Z follow from it.
uint32_t add_decimal(Bus* bus, uint32_t a, uint32_t value);
uint32_t subtract_decimal(Bus* bus, uint32_t a, uint32_t value);

// Executes the instruction at the state's program counter by the interpreter.
void step(Bus* bus);
// Makes a step. Returns true if the block goes on behind it: at `behind`, within the frame.
bool step_within_block(Bus* bus, uint32_t behind, uint32_t limit);

}  // namespace pp::atari::vcs::translator::x86_64::runtime

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_RUNTIME_HPP_
