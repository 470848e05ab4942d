// SPDX-License-Identifier: GPL-2.0-only
// The bus that the 6507 is connected to: thirteen address lines, and behind them RAM, RIOT, TIA,
// cartridge.
//
//   A12    1 cartridge
//   A12 A7 0 0 TIA, A12 A7 A9 0 1 0 RAM, A12 A7 A9 0 1 1 RIOT's ports and timer
//
// These are the slow ways, for whatever is not RAM or plain ROM.

#ifndef PARALLEL_POOL_ATARI_VCS_BUS_HPP_
#define PARALLEL_POOL_ATARI_VCS_BUS_HPP_

#include <cstdint>

#include "cartridge/cartridge.hpp"
#include "pins.hpp"
#include "riot.hpp"
#include "state.hpp"
#include "tia/tia.hpp"

namespace pp::atari::vcs {

// A write among the writes of its instruction. Calls and BRK write several bytes at one clock; each
// then has the picture drawn as far as it wants, whether it changes anything or not.
enum class Turn { only, first, again };

struct Bus {
  MachineState& s;
  Cartridge& cartridge;
  const Television& tv;
  const Pins& pins;
  tia::Canvas canvas;

  static bool is_cartridge(uint16_t address) { return (address & 0x1000U) != 0; }
  static bool is_ram(uint16_t address) { return (address & 0x1280U) == 0x0080U; }
  static bool is_tia(uint16_t address) { return (address & 0x1080U) == 0; }

  // Anything but the cartridge and RAM.
  __attribute__((noinline)) uint8_t read_port(uint16_t address, uint8_t on_bus, uint32_t cycles) {
    if (is_tia(address)) return tia::read(s.tia, canvas, pins, address, on_bus, cycles);
    return riot::read(s.riot, pins, address, cycles);
  }
  __attribute__((noinline)) uint8_t read_cartridge(uint16_t address, uint32_t cycles) {
    return cartridge.read(s.cartridge, address, cycles);
  }
  __attribute__((noinline)) void write_cartridge(uint16_t address, uint8_t value) {
    cartridge.write(s.cartridge, address, value);
  }
  // WSYNC's wait is added to `cycles`.
  void write_tia(uint16_t address, uint8_t value, uint32_t& cycles, Turn turn) {
    if (turn != Turn::only) {
      tia::catch_up_to_write(s.tia, canvas, address & tia::write_lines, cycles);
    }
    tia::write(s.tia, tv, canvas, address & tia::write_lines, value, cycles);
    // The CPU can only be stopped while it reads, so the second of two writes does not wait.
    if ((address & tia::write_lines) == tia::WSYNC && turn != Turn::again) {
      cycles += tia::cycles_to_line_end(s.tia, cycles);
    }
  }
  // Writes, and returns the cycles, so that the caller need not keep them in memory.
  __attribute__((noinline)) uint32_t write_tia_and_count(uint8_t address, uint8_t value,
                                                         uint32_t cycles, Turn turn) {
    write_tia(address, value, cycles, turn);
    return cycles;
  }

  // Any address.
  uint8_t read(uint16_t address, uint8_t on_bus, uint32_t cycles) {
    if (is_cartridge(address)) return read_cartridge(address, cycles);
    if (is_ram(address)) return s.riot.ram[address & 0x7fU];
    return read_port(address, on_bus, cycles);
  }
  void write(uint16_t address, uint8_t value, uint32_t& cycles, Turn turn) {
    if (is_cartridge(address)) {
      write_cartridge(address, value);
    } else if (is_ram(address)) {
      s.riot.ram[address & 0x7fU] = value;
    } else if (is_tia(address)) {
      write_tia(address, value, cycles, turn);
    } else {
      riot::write(s.riot, address, value, cycles);
    }
  }
};

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_BUS_HPP_
