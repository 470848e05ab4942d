// SPDX-License-Identifier: GPL-2.0-only
// One instruction at a time, every byte over the bus: for code outside of plain ROM.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_EXACT_CPU_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_EXACT_CPU_HPP_

#include "../bus.hpp"
#include "instructions.hpp"

namespace pp::atari::vcs::cpu6507 {

// Ignores what its caller knows of the last byte on the bus and keeps it itself.
struct ExactPort {
  Bus& bus;
  uint32_t cycles = 0;
  uint16_t program = 0;
  uint8_t on_bus = 0;

  explicit ExactPort(Bus& to) : bus(to) {}

  void enter(uint16_t address) { program = address; }
  void jam() { bus.s.cpu.jammed = 1; }
  uint16_t pc() const { return program; }
  void jump(uint16_t address, uint8_t /*last*/) { program = address; }
  bool move(int8_t distance) {
    const auto target = static_cast<uint16_t>(program + distance);
    const bool crosses = ((program ^ target) & 0xff00U) != 0;
    program = target;
    return crosses;
  }

  uint8_t read(uint16_t address, uint8_t /*known*/) {
    return on_bus = bus.read(address, on_bus, cycles);
  }
  uint8_t read_zero(uint8_t address, uint8_t known) { return read(address, known); }
  static const uint8_t* pair_in_ram(uint8_t /*address*/) { return nullptr; }
  PP_INLINE uint8_t fetch() {
    const uint16_t at = program++;
    if (Bus::is_ram(at)) return on_bus = bus.s.riot.ram[at & 0x7fU];
    return read(at, 0);
  }
  void read_unused(uint8_t address, uint8_t known) { read(address, known); }
  uint8_t read_program(uint16_t address, uint8_t known) { return read(address, known); }
  uint8_t absolute_polled() {
    const unsigned low = fetch();
    return read(static_cast<uint16_t>(low | unsigned{fetch()} << 8), 0);
  }
  void write(uint16_t address, uint8_t value) {
    bus.write(address, value, cycles, Turn::only);
    on_bus = value;
  }
  void write_zero(uint8_t address, uint8_t value) { write(address, value); }
  void write_stack(uint8_t address, uint8_t value, Turn turn) {
    bus.write(address, value, cycles, turn);
    on_bus = value;
  }
};

// Executes the instruction at the CPU's program counter.
void step(Bus& bus);

// Makes a step, then those that follow it outside of the cartridge until the frame is done, the CPU
// jammed or a cycle later than `limit` reached.
void steps_elsewhere(Bus& bus, uint32_t limit);

}  // namespace pp::atari::vcs::cpu6507

#endif  // PARALLEL_POOL_ATARI_VCS_CPU6507_EXACT_CPU_HPP_
