// SPDX-License-Identifier: GPL-2.0-only
// The 6507 while it executes operations: its registers, and what they do with memory. Everything
// but the slow ways is inlined into the loop of run_blocks.cpp.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_BLOCK_CPU_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_BLOCK_CPU_HPP_

#include <cstdint>
#include <cstring>

#include "../../bus.hpp"
#include "../../cpu6507/cpu_registers.hpp"
#include "../../cpu6507/timer_wait.hpp"
#include "../../tia/no_change.hpp"
#include "program.hpp"

namespace pp::atari::vcs::translator {

struct BlockCpu : cpu6507::CpuRegisters {
  Bus& bus;
  uint8_t* const ram;
  const uint8_t* view;
  // Without those of the block's instructions, which operations know.
  uint32_t cycles = 0;
  const HotRange hot_reads, hot_writes;
  const bool follows_address;

  PP_INLINE BlockCpu(Bus& to, const ProgramMap& map)
      : bus(to),
        ram(to.s.riot.ram.data()),
        view(nullptr),
        hot_reads(map.hot_reads()),
        hot_writes(map.hot_writes()),
        follows_address(map.follows_address()) {}

  PP_INLINE uint32_t now(const Op& op) const { return cycles + op.cycles; }
  // The clock goes on: `now` is the cycle in which this instruction ended.
  PP_INLINE void continue_at(const Op& op, uint32_t now) { cycles = now - op.cycles; }

  // Two bytes of RAM, the low one first.
  PP_INLINE uint16_t pair(unsigned offset) const {
    uint16_t word;
    std::memcpy(&word, ram + offset, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap16(word);
#endif
    return word;
  }

  // --- Reads. An index that carries into the address's high byte costs a cycle.

  PP_INLINE unsigned ram_offset(const Op& op, uint8_t index) const {
    return static_cast<uint8_t>(op.operand + index) - 0x80U;
  }
  PP_INLINE uint8_t zero(const Op& op, uint8_t index) {
    const unsigned at = ram_offset(op, index);
    if (__builtin_expect(at < ram_bytes, 1)) return ram[at];
    return bus.read_port(static_cast<uint8_t>(op.operand + index), static_cast<uint8_t>(op.operand),
                         now(op));
  }
  PP_INLINE uint8_t low(const Op& op, uint8_t index) {
    cycles += ((op.operand & 0xffU) + index) >> 8;
    const uint32_t address = op.operand + index;
    if (__builtin_expect(address - 0x80U < ram_bytes, 1)) return ram[address - 0x80U];
    return read_slowly(static_cast<uint16_t>(address), static_cast<uint8_t>(op.operand >> 8),
                       now(op));
  }
  PP_INLINE uint8_t indexed_view(const Op& op, uint8_t index) {
    cycles += ((op.operand & 0xffU) + index) >> 8;
    return view[op.operand + index];
  }
  // Otherwise the byte is beyond the view, or reading it has a side effect.
  PP_INLINE bool within_view(const Op& op, uint8_t index) const {
    const uint32_t at = (op.operand & 0xfffU) + index;
    return at < Cartridge::view_bytes && !hot_reads.holds(static_cast<uint16_t>(at));
  }
  PP_INLINE uint16_t pointer(const Op& op) const { return pair(op.operand); }
  PP_INLINE bool is_hot_read(uint16_t address) const {
    return Bus::is_cartridge(address) && hot_reads.holds(address);
  }
  PP_INLINE bool is_hot_write(uint16_t address) const {
    return Bus::is_cartridge(address) && hot_writes.holds(address);
  }
  // Both bytes of an indexed pointer are in RAM.
  PP_INLINE bool has_pointer(const Op& op) const { return ram_offset(op, x) < ram_bytes - 1; }
  PP_INLINE uint16_t indexed_pointer(const Op& op) const { return pair(ram_offset(op, x)); }
  PP_INLINE uint8_t indirect(const Op& op, uint16_t base, uint16_t address) {
    cycles += ((base ^ address) & 0xff00U) != 0;
    return at_pointer(op, base, address);
  }
  PP_INLINE uint8_t at_pointer(const Op& op, uint16_t base, uint16_t address) {
    if (__builtin_expect(Bus::is_cartridge(address) && !follows_address, 1)) {
      return view[address & 0xfffU];
    }
    return read_slowly(address, static_cast<uint8_t>(base >> 8), now(op));
  }
  PP_INLINE uint8_t port(const Op& op) {
    return bus.read_port(static_cast<uint16_t>(op.operand), static_cast<uint8_t>(op.operand >> 16),
                         now(op));
  }
  PP_INLINE uint8_t timer(const Op& op) { return riot::read_timer(bus.s.riot, now(op)); }
  PP_INLINE uint8_t cartridge(const Op& op) {
    return bus.read_cartridge(static_cast<uint16_t>(op.operand), now(op));
  }
  __attribute__((noinline)) uint8_t read_slowly(uint16_t address, uint8_t on_bus, uint32_t now) {
    return bus.read(address, on_bus, now);
  }
  PP_INLINE uint8_t wait_for_timer(const Op& op) {
    const cpu6507::TimerWait wait{static_cast<uint8_t>(op.operand), (op.operand & 0x100U) != 0};
    uint32_t skipped;
    const uint8_t value = wait.last_read(bus.s.riot, now(op), skipped);
    cycles += skipped;
    return value;
  }

  // --- Stores. True: not into RAM, so the frame may be over, or the CPU may have waited.

  PP_INLINE bool store_zero(const Op& op, uint8_t index, uint8_t value) {
    const unsigned at = ram_offset(op, index);
    if (__builtin_expect(at < ram_bytes, 1)) return ram[at] = value, false;
    return store_slowly(op, static_cast<uint8_t>(op.operand + index), value);
  }
  PP_INLINE bool store_low(const Op& op, uint8_t index, uint8_t value) {
    const uint32_t address = op.operand + index;
    if (__builtin_expect(address - 0x80U < ram_bytes, 1))
      return ram[address - 0x80U] = value, false;
    return store_slowly(op, static_cast<uint16_t>(address), value);
  }
  PP_INLINE bool store_any(const Op& op, uint16_t address, uint8_t value) {
    if (Bus::is_cartridge(address)) return false;
    if (__builtin_expect(Bus::is_ram(address), 1)) return ram[address & 0x7fU] = value, false;
    return store_slowly(op, address, value);
  }
  PP_INLINE bool store_slowly(const Op& op, uint16_t address, uint8_t value) {
    continue_at(op, write_and_count(bus, address, value, now(op)));
    return true;
  }
  __attribute__((noinline)) static uint32_t write_and_count(Bus& bus, uint16_t address,
                                                            uint8_t value, uint32_t now) {
    bus.write(address, value, now, Turn::only);
    return now;
  }
  PP_INLINE void store_riot(const Op& op, uint8_t value) {
    riot::write(bus.s.riot, static_cast<uint16_t>(op.operand), value, now(op));
  }
  PP_INLINE void store_cartridge(const Op& op, uint8_t value) {
    bus.write_cartridge(static_cast<uint16_t>(op.operand), value);
  }
  template <uint8_t Address>
  PP_INLINE void store_tia(const Op& op, uint8_t value) {
    if (tia::changes_nothing<Address>(bus.s.tia, value)) return;
    tia::writers_in_time[Address](bus.s.tia, bus.tv, bus.canvas, value, now(op));
  }
  PP_INLINE void wait_for_line(const Op& op) {
    cycles += tia::cycles_to_line_end(bus.s.tia, now(op));
  }

  // --- The stack.

  PP_INLINE bool push(const Op& op, uint8_t value) {
    const uint8_t at = sp--;
    if (__builtin_expect(at >= 0x80, 1)) return ram[at - 0x80U] = value, false;
    return store_slowly(op, at, value);
  }
  PP_INLINE uint8_t pull(const Op& op, uint8_t opcode) {
    const uint8_t before = sp++;
    if (__builtin_expect(sp >= 0x80, 1)) return ram[sp - 0x80U];
    const uint8_t on_bus = read_slowly(before, opcode, now(op));
    return read_slowly(sp, on_bus, now(op));
  }
  PP_INLINE bool push_address(const Op& op) {
    if (__builtin_expect(sp <= 0x80, 0)) return false;
    ram[sp - 0x80U] = static_cast<uint8_t>(op.operand >> 8);
    ram[sp - 0x81U] = static_cast<uint8_t>(op.operand);
    sp = static_cast<uint8_t>(sp - 2);
    return true;
  }
  PP_INLINE uint16_t top_address() const { return pair(sp - 0x7fU); }
  // From RAM, to the cartridge, where the byte that a return reads and does not use is no hot one.
  PP_INLINE bool can_return() const {
    if (sp < 0x80 || sp > 0xfd) return false;
    const uint16_t back = top_address();
    return Bus::is_cartridge(static_cast<uint16_t>(back + 1)) && !is_hot_read(back);
  }
  PP_INLINE uint16_t pull_address() {
    const uint16_t address = top_address();
    sp = static_cast<uint8_t>(sp + 2);
    return address;
  }
};

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_BLOCK_CPU_HPP_
