// SPDX-License-Identifier: GPL-2.0-only
// Makes machine code of blocks: what BlockCpu (portable/block_cpu.hpp) does for each operation.
//
// A chunk is the code of some blocks, with what they share in front of it: the ways in and out, and
// to the interpreter. Code is made once and stays as it is. A jump to a block that has no code so
// far goes through that block's entry of the table, which gets it later.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_EMITTER_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_EMITTER_HPP_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "../blocks/operation.hpp"
#include "../blocks/program_map.hpp"
#include "../machine_code.hpp"
#include "assembler.hpp"
#include "code_table.hpp"

namespace pp::atari::vcs::translator::x86_64 {

class Emitter {
 public:
  // The chunk will have the code of these blocks; emit() has to follow for each of them.
  Emitter(const ProgramMap& map, CodeTable& table, const std::vector<BlockKey>& blocks);

  void emit(BlockKey key, const Block& block);

  // Offsets in code(): of what begins and ends the execution of blocks, and of a block.
  size_t enter() const { return enter_; }
  size_t leave() const { return leave_at_; }
  size_t offset(BlockKey key) const { return offsets_.at(key.number()); }
  const std::vector<uint8_t>& code() const { return code_.code(); }

 private:
  // --- emitter.cpp
  void emit_shared();
  void give();
  void take();
  void operation();
  void interpret();
  // The interpreter executes the whole instruction, then the block ends.
  Label& instead();
  // The block ends behind this instruction if the frame is over, or nearly so.
  void leave_if_over();
  void leave_if_late(Label& over);
  void jump_if_within(HotRange range, Reg address, Label& to);

  template <class Result, class... Arguments>
  void call(Result (*function)(Arguments...)) {
    code_.mov64(rax, reinterpret_cast<uint64_t>(function));
    code_.call(rax);
  }
  void bus_to_first_argument();
  void add_cycles(int count);
  void now_to(Reg to);
  // The cycle that is the answer of a call is that in which the instruction ends.
  void continue_at_answer();
  void store_pc(uint16_t pc);
  uint8_t opcode() const;
  Label& label() { return labels_.emplace_back(); }
  // Rare code follows the block's code.
  void later(Label& from, std::function<void()> code);

  // --- emit_jumps.cpp
  void branch_operation(Operation what);
  void branch(If taken);
  // Jumps to the linked block.
  void go();
  // Jumps to the address in rcx.
  void go_to_address();
  void return_from_call();

  // --- emit_reads.cpp
  void read_operation(unsigned number);
  void read(Place place, Reg to);
  void read_indirect_x(Reg to);
  void read_indirect_y(Reg to);
  void load_from_view(Reg to, Label& elsewhere);
  void count_crossing();
  void add_cycle_if_carry(Reg index);
  // Sets the value that tells N and Z.
  void result(Reg from);
  void logic(Alu what);
  void add_or_subtract(Alu what);
  void compare(Reg with);
  void test_bits();
  void wait_for_timer(Reg to);

  // --- emit_writes.cpp
  void store_operation(unsigned number);
  void store_tia_operation(unsigned number);
  void write_tia(uint8_t address, Reg value);
  void wait_for_line();
  void change_operation(unsigned number);
  void change(unsigned number, Reg what);
  void push_a();
  void push_status();
  void pull_a();
  void pull_status();
  void call_subroutine();

  const ProgramMap& map_;
  CodeTable& table_;
  Assembler code_;
  Label leave_, leave_given_, instead_, interpret_;
  size_t enter_ = 0, leave_at_ = 0;
  std::map<uint32_t, Label> entries_;
  std::map<uint32_t, size_t> offsets_;

  // The region of the block.
  unsigned region_ = 0;
  const BlockOp* op_ = nullptr;
  std::deque<Label> labels_;
  std::deque<std::function<void()>> later_;
};

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_EMITTER_HPP_
