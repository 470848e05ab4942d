// SPDX-License-Identifier: GPL-2.0-only
#include "runtime.hpp"

#include "../../cpu6507/cpu_registers.hpp"
#include "../../cpu6507/exact_cpu.hpp"
#include "../../cpu6507/timer_wait.hpp"
#include "../../tia/registers.hpp"
#include "../machine_code.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64::runtime {
namespace {

using cpu6507::CpuRegisters;

constexpr uint16_t word(uint32_t v) {
  return static_cast<uint16_t>(v);
}
constexpr uint8_t byte(uint32_t v) {
  return static_cast<uint8_t>(v);
}

CpuRegisters registers(const Bus* bus) {
  CpuRegisters cpu;
  cpu.take(bus->s.cpu);
  return cpu;
}

// Games put the stack there to switch a missile or the ball by the flag Z. Mostly it stays as it
// is.
bool leaves_object_alone(const TiaState& s, uint8_t at, uint32_t shown) {
  if (at < tia::ENAM0 || at > tia::ENABL) return false;
  const uint8_t enabled = at == tia::ENABL ? s.enabl : s.enam[at - tia::ENAM0];
  static_assert(tia::on_bit == 1 << 1, "where the status has Z");
  return enabled == ((shown & 0xffU) == 0 ? tia::on_bit : 0);
}

// Returns what `with` makes of A; the flags go to the state.
template <class With>
uint32_t calculate(Bus* bus, uint32_t a, const With& with) {
  CpuRegisters cpu = registers(bus);
  cpu.a = byte(a);
  with(cpu);
  cpu.give(bus->s.cpu);
  return cpu.a;
}

}  // namespace

uint32_t read(Bus* bus, uint32_t address, uint32_t on_bus, uint32_t now) {
  return bus->read(word(address), byte(on_bus), now);
}
uint32_t read_port(Bus* bus, uint32_t address, uint32_t on_bus, uint32_t now) {
  return bus->read_port(word(address), byte(on_bus), now);
}
uint32_t read_timer(Bus* bus, uint32_t now) {
  return riot::read_timer(bus->s.riot, now);
}
uint32_t wait_for_timer(Bus* bus, uint32_t operand, uint32_t now) {
  const cpu6507::TimerWait wait{byte(operand), (operand & 0x100U) != 0};
  uint32_t skipped;
  const uint32_t value = wait.last_read(bus->s.riot, now, skipped);
  return skipped << 8 | value;
}
uint32_t read_cartridge(Bus* bus, uint32_t address, uint32_t now) {
  return bus->read_cartridge(word(address), now);
}

uint32_t write(Bus* bus, uint32_t address, uint32_t value, uint32_t now) {
  bus->write(word(address), byte(value), now, Turn::only);
  return now;
}
void write_riot(Bus* bus, uint32_t address, uint32_t value, uint32_t now) {
  riot::write(bus->s.riot, word(address), byte(value), now);
}
void write_cartridge(Bus* bus, uint32_t address, uint32_t value) {
  bus->write_cartridge(word(address), byte(value));
}

uint32_t push(Bus* bus, uint32_t value, uint32_t now) {
  const uint8_t at = bus->s.cpu.sp--;
  if (at >= 0x80) {
    bus->s.riot.ram[at - 0x80U] = byte(value);
    return now;
  }
  return write(bus, at, value, now);
}
uint32_t push_status(Bus* bus, uint32_t shown, uint32_t now) {
  uint8_t& sp = bus->s.cpu.sp;
  if (leaves_object_alone(bus->s.tia, sp, shown)) return --sp, now;
  CpuRegisters cpu = registers(bus);
  cpu.shown = shown;
  return push(bus, cpu.status(), now);
}
uint32_t pull(Bus* bus, uint32_t opcode, uint32_t now) {
  const uint8_t before = bus->s.cpu.sp++;
  const uint8_t at = bus->s.cpu.sp;
  if (at >= 0x80) return bus->s.riot.ram[at - 0x80U];
  return read(bus, at, read(bus, before, opcode, now), now);
}
uint32_t pull_status(Bus* bus, uint32_t now) {
  CpuRegisters cpu = registers(bus);
  constexpr uint32_t plp = 0x28;
  cpu.set_status(byte(pull(bus, plp, now)));
  cpu.sp = bus->s.cpu.sp;
  cpu.give(bus->s.cpu);
  return cpu.shown;
}

uint32_t add_decimal(Bus* bus, uint32_t a, uint32_t value) {
  return calculate(bus, a, [value](CpuRegisters& cpu) { cpu.add(byte(value)); });
}
uint32_t subtract_decimal(Bus* bus, uint32_t a, uint32_t value) {
  return calculate(bus, a, [value](CpuRegisters& cpu) { cpu.subtract(byte(value)); });
}

void step(Bus* bus) {
  cpu6507::step(*bus);
}
bool step_within_block(Bus* bus, uint32_t behind, uint32_t limit) {
  cpu6507::step(*bus);
  const CpuState& cpu = bus->s.cpu;
  return bus->s.tia.frame_done == 0 && cpu.jammed == 0 && cpu.pc == behind && cpu.cycles <= limit;
}

}  // namespace pp::atari::vcs::translator::x86_64::runtime

#endif
