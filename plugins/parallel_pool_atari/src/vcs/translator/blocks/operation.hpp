// SPDX-License-Identifier: GPL-2.0-only
// The translator's operations: 6502 instructions of which everything is decided that does not
// depend on the machine's state. Back ends execute them.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_OPERATION_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_OPERATION_HPP_

#include <cstdint>
#include <vector>

namespace pp::atari::vcs::translator {

enum class Operation : uint16_t {
#define PP_OPERATION(name, ...) name,
#include "operations.inc"
#undef PP_OPERATION
  count,
};

// The place from which a byte is read; behind each, the operand of the operation.
enum class Place : uint8_t {
  constant,  // the byte
  ram,       // offset in RAM
  zero_x,    // zero page indexed: the address without index
  zero_y,
  low_x,  // indexed, somewhere below the cartridge: the address without index
  low_y,
  view,    // offset in the cartridge's view
  view_x,  // a view, indexed; never reaches a hot address or beyond the view
  view_y,
  edge_x,  // a view, indexed, if it might
  edge_y,
  indirect_x,  // the pointer's address without index
  indirect_y,  // offset in RAM of the pointer
  port,        // address, and in the high half what is on the bus
  timer,       // INTIM: none
  cartridge,   // address of a register or of RAM that is no part of the view; switches no bank
  count,
};

// The place to which a byte is stored, and the operand.
enum class Target : uint8_t {
  ram,  // the places of Place
  zero_x,
  zero_y,
  low_x,
  low_y,
  indirect_y,
  riot,       // address
  cartridge,  // address of what switches no bank
  count,
};

// The operation that does what `first` does, at the n-th Place or Target.
constexpr Operation nth(Operation first, unsigned n) {
  return static_cast<Operation>(static_cast<unsigned>(first) + n);
}
static_assert(nth(Operation::load_a_constant, static_cast<unsigned>(Place::timer)) ==
              Operation::load_a_timer);
static_assert(nth(Operation::load_a_constant, static_cast<unsigned>(Place::count)) ==
              Operation::load_x_constant);
static_assert(nth(Operation::store_a_ram, static_cast<unsigned>(Target::riot)) ==
              Operation::store_a_riot);
static_assert(nth(Operation::store_a_ram, static_cast<unsigned>(Target::count)) ==
              Operation::store_x_ram);

// One operation of a block, for any back end.
struct BlockOp {
  Operation operation;
  // The cycles of the block, or since an instruction of the interpreter, up to the end of this
  // instruction, without waits and indices that cost a cycle. For a branch: if it is taken.
  uint16_t cycles;
  uint16_t pc;  // pc of the instruction
  uint32_t operand;
  bool linked = false;  // another block may follow:
  uint16_t target = 0;  // its address
};

// The beginning of a block: an address in a region (program_map.hpp).
struct BlockKey {
  unsigned region;
  uint16_t pc;
  uint32_t number() const { return region << 16 | pc; }
};

// Instructions that follow one another, from one address on. Other blocks enter at its beginning
// only.
using Block = std::vector<BlockOp>;

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_OPERATION_HPP_
