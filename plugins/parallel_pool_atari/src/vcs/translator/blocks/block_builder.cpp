// SPDX-License-Identifier: GPL-2.0-only
#include "block_builder.hpp"

#include <array>
#include <optional>
#include <utility>

#include "../../cpu6507/instructions.hpp"
#include "../../cpu6507/timer_wait.hpp"
#include "../../tia/registers.hpp"
#include "../decoding/instruction_set.hpp"

namespace pp::atari::vcs::translator {
namespace {

using cpu6507::opcode_cycles;

// The operations of a TIA register's stores from A; those from X and Y follow. `leave`: none.
constexpr auto tia_stores = [] {
  std::array<Operation, tia::write_lines + 1> table{};
  for (Operation& operation : table) operation = Operation::leave;
#define PP_TIA_REGISTER(name) table[tia::name] = Operation::tia_a_##name;
#include "tia_registers.inc"
#undef PP_TIA_REGISTER
  table[tia::VSYNC] = Operation::vsync_a;
  table[tia::WSYNC] = Operation::wait_for_line;
  return table;
}();

constexpr bool is_interval_timer(uint16_t address) {
  return (address & 0x1285U) == 0x0284U;
}

class Builder {
 public:
  Builder(const ProgramMap& map, unsigned region, uint16_t pc)
      : map_(map), region_(region), pc_(pc) {}

  Block build(const std::bitset<Cartridge::view_bytes>& begun) {
    for (int count = 0; !ended_; ++count) {
      if (!map_.holds_code(pc_)) {
        add(Operation::leave);
        break;
      }
      if (count == longest_block || (count != 0 && begun[pc_ & 0xfffU])) {
        link(Operation::jump, pc_);
        break;
      }
      opcode_ = byte(0);
      now_ = instruction_set[opcode_];
      low_ = byte(1);
      word_ = static_cast<uint16_t>(low_ | byte(2) << 8);
      cycles_ += opcode_cycles[opcode_];
      if (!translate()) interpret();
      pc_ = behind();
    }
    return std::move(block_);
  }

 private:
  uint8_t byte(unsigned n) const { return map_.byte(region_, static_cast<uint16_t>(pc_ + n)); }
  uint16_t behind() const { return static_cast<uint16_t>(pc_ + now_.length); }

  void add(Operation operation, uint32_t operand = 0) {
    block_.push_back({operation, static_cast<uint16_t>(cycles_), pc_, operand});
  }
  bool done(Operation operation, uint32_t operand = 0) { return add(operation, operand), true; }
  // Goes on at `target`, in a region that is known.
  void link(Operation operation, uint16_t target, unsigned more_cycles = 0, uint32_t operand = 0) {
    add(operation, operand);
    BlockOp& op = block_.back();
    op.cycles = static_cast<uint16_t>(op.cycles + more_cycles);
    op.linked = true;
    op.target = target;
  }
  bool can_link(uint16_t target) const {
    return Bus::is_cartridge(target) && map_.region_from(region_, pc_, target).has_value();
  }

  // The interpreter counts the instruction's cycles itself.
  void interpret() {
    const bool may_switch = map_.ever_switches() && now_.mode >= Mode::absolute;
    const bool stops = now_.instruction >= Instruction::BRK || now_.instruction == Instruction::jam;
    ended_ = may_switch || stops || is_branch(now_.instruction);
    if (ended_) return add(Operation::interpret_and_leave);
    cycles_ -= opcode_cycles[opcode_];
    add(Operation::interpret, now_.length);
    cycles_ = 0;
  }

  // False: there is no operation for the instruction.
  bool translate() {
    using I = Instruction;
    const I i = now_.instruction;
    if (is_read(i)) return translate_read();
    if (is_store(i)) return translate_store();
    if (is_change(i)) return translate_change();
    if (is_branch(i)) return translate_branch();
    switch (i) {
      case I::INX:
        return done(Operation::increment_x);
      case I::INY:
        return done(Operation::increment_y);
      case I::DEX:
        return done(Operation::decrement_x);
      case I::DEY:
        return done(Operation::decrement_y);
      case I::TAX:
        return done(Operation::a_to_x);
      case I::TAY:
        return done(Operation::a_to_y);
      case I::TXA:
        return done(Operation::x_to_a);
      case I::TYA:
        return done(Operation::y_to_a);
      case I::TSX:
        return done(Operation::sp_to_x);
      case I::TXS:
        return done(Operation::x_to_sp);
      case I::PHA:
        return done(Operation::push_a);
      case I::PHP:
        return done(Operation::push_status);
      case I::PLA:
        return done(Operation::pull_a);
      case I::PLP:
        return done(Operation::pull_status);
      case I::CLC:
        return done(Operation::clear_carry);
      case I::SEC:
        return done(Operation::set_carry);
      case I::CLI:
        return done(Operation::clear_interrupt);
      case I::SEI:
        return done(Operation::set_interrupt);
      case I::CLV:
        return done(Operation::clear_overflow);
      case I::CLD:
        return done(Operation::clear_decimal);
      case I::SED:
        return done(Operation::set_decimal);
      case I::NOP:
        return true;
      case I::JSR:
        return translate_jump(Operation::call);
      case I::JMP:
        return now_.mode == Mode::absolute ? translate_jump(Operation::jump)
                                           : translate_jump_indirect();
      case I::RTS:
        ended_ = true;
        return done(Operation::return_from_call);
      default:
        return false;
    }
  }

  bool translate_read() {
    const I first = I::LDA;
    const auto number = static_cast<unsigned>(now_.instruction) - static_cast<unsigned>(first);
    if (translate_wait(number)) return true;
    const auto operation =
        nth(Operation::load_a_constant, number * static_cast<unsigned>(Place::count));
    const auto read = [&](Place place, uint32_t operand) {
      return done(nth(operation, static_cast<unsigned>(place)), operand);
    };
    switch (now_.mode) {
      case Mode::immediate:
        return read(Place::constant, low_);
      case Mode::zero:
        if (low_ >= 0x80) return read(Place::ram, low_ - 0x80U);
        return read(Place::port, low_ | low_ << 16);
      case Mode::zero_x:
        return read(Place::zero_x, low_);
      case Mode::zero_y:
        return read(Place::zero_y, low_);
      case Mode::absolute:
        if (Bus::is_cartridge(word_)) {
          if (map_.switches(word_)) return false;
          if (map_.is_hot_read(word_)) return read(Place::cartridge, word_);
          if (const auto value = map_.constant(region_, pc_, word_))
            return read(Place::constant, *value);
          return read(Place::view, map_.view_offset(word_));
        }
        if (Bus::is_ram(word_)) return read(Place::ram, word_ & 0x7fU);
        if (is_interval_timer(word_)) return read(Place::timer, 0);
        return read(Place::port, word_ | (word_ >> 8U) << 16);
      case Mode::absolute_x:
      case Mode::absolute_y: {
        const unsigned y = now_.mode == Mode::absolute_y ? 1 : 0;
        const auto indexed = [&](Place with_x, uint32_t operand) {
          return read(static_cast<Place>(static_cast<unsigned>(with_x) + y), operand);
        };
        if (Bus::is_cartridge(word_)) {
          const bool edge = map_.reaches_edge(word_, 256);
          return indexed(edge ? Place::edge_x : Place::view_x, map_.view_offset(word_));
        }
        // Below these addresses the index cannot reach the cartridge.
        return (word_ & 0x0fffU) < 0x0f00U && word_ < 0x1000U && indexed(Place::low_x, word_);
      }
      case Mode::indirect_x:
        return read(Place::indirect_x, low_);
      case Mode::indirect_y:
        return has_pointer() && read(Place::indirect_y, low_ - 0x80U);
      default:
        return false;
    }
  }

  // LDA, LDX or LDY of INTIM and a branch back to it. The number is 0 to 2 for these three.
  bool translate_wait(unsigned number) {
    constexpr uint8_t back = 0xfb;
    const bool loads = number < 3 && now_.mode == Mode::absolute && is_interval_timer(word_);
    if (!loads || !map_.holds_code(behind())) return false;
    const uint8_t branch = byte(3);
    const bool knows = branch == cpu6507::TimerWait::bne || branch == cpu6507::TimerWait::bpl ||
                       branch == cpu6507::TimerWait::bmi;
    if (!knows || byte(4) != back) return false;
    const bool crosses = (((pc_ + 5U) ^ pc_) & 0xff00U) != 0;
    return done(nth(Operation::wait_a, number), branch | (crosses ? 0x100U : 0U));
  }

  bool translate_store() {
    const auto number = static_cast<unsigned>(now_.instruction) - static_cast<unsigned>(I::STA);
    const auto operation =
        nth(Operation::store_a_ram, number * static_cast<unsigned>(Target::count));
    const auto store = [&](Target target, uint32_t operand) {
      return done(nth(operation, static_cast<unsigned>(target)), operand);
    };
    switch (now_.mode) {
      case Mode::zero:
        return low_ >= 0x80 ? store(Target::ram, low_ - 0x80U) : store_tia(number, low_);
      case Mode::zero_x:
        return store(Target::zero_x, low_);
      case Mode::zero_y:
        return store(Target::zero_y, low_);
      case Mode::absolute:
        if (Bus::is_cartridge(word_)) {
          if (map_.switches(word_)) return false;
          return !map_.is_hot_write(word_) || store(Target::cartridge, word_);
        }
        if (Bus::is_ram(word_)) return store(Target::ram, word_ & 0x7fU);
        if (Bus::is_tia(word_)) return store_tia(number, word_);
        return store(Target::riot, word_);
      case Mode::absolute_x:
        return word_ < 0x0f00U && store(Target::low_x, word_);
      case Mode::absolute_y:
        return word_ < 0x0f00U && store(Target::low_y, word_);
      case Mode::indirect_y:
        return has_pointer() && store(Target::indirect_y, low_ - 0x80U);
      default:
        return false;
    }
  }
  bool store_tia(unsigned number, uint16_t address) {
    const Operation operation = tia_stores[address & tia::write_lines];
    if (operation == Operation::leave) return true;  // nothing happens
    return done(operation == Operation::wait_for_line ? operation : nth(operation, number));
  }

  bool translate_change() {
    const auto number = static_cast<unsigned>(now_.instruction) - static_cast<unsigned>(I::ASL);
    switch (now_.mode) {
      case Mode::accumulator:
        return done(nth(Operation::shift_left_a, number));
      case Mode::zero:
        return low_ >= 0x80 && done(nth(Operation::shift_left_ram, 2 * number), low_ - 0x80U);
      case Mode::zero_x:
        return done(nth(Operation::shift_left_zero_x, 2 * number), low_);
      case Mode::absolute:
        return Bus::is_ram(word_) &&
               done(nth(Operation::shift_left_ram, 2 * number), word_ & 0x7fU);
      default:
        return false;
    }
  }

  bool translate_branch() {
    const auto target = static_cast<uint16_t>(behind() + static_cast<int8_t>(low_));
    if (!can_link(target)) return false;
    const auto number = static_cast<unsigned>(now_.instruction) - static_cast<unsigned>(I::BPL);
    const bool crosses = ((behind() ^ target) & 0xff00U) != 0;
    link(nth(Operation::branch_plus, number), target, crosses ? 2 : 1);
    return true;
  }
  bool translate_jump(Operation operation) {
    if (!can_link(word_)) return false;
    // A call leaves the address of its last byte on the stack.
    link(operation, word_, 0, static_cast<uint16_t>(pc_ + 2));
    return ended_ = true;
  }
  bool translate_jump_indirect() {
    if (!Bus::is_ram(word_) || (word_ & 0x7fU) == 0x7fU) return false;
    ended_ = true;
    return done(Operation::jump_indirect, word_ & 0x7fU);
  }
  // In RAM, with both its bytes.
  bool has_pointer() const { return low_ >= 0x80 && low_ != 0xff; }

  using I = Instruction;

  const ProgramMap& map_;
  const unsigned region_;
  uint16_t pc_;
  Block block_;
  unsigned cycles_ = 0;  // cycles of the instructions so far, as operations count them
  bool ended_ = false;

  // The instruction being translated.
  uint8_t opcode_ = 0, low_ = 0;
  uint16_t word_ = 0;
  Decoded now_;
};

}  // namespace

Block build_block(const ProgramMap& map, unsigned region, uint16_t pc,
                  const std::bitset<Cartridge::view_bytes>& begun) {
  return Builder(map, region, pc).build(begun);
}

}  // namespace pp::atari::vcs::translator
