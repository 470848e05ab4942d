// SPDX-License-Identifier: GPL-2.0-only
#include "fast_cpu.hpp"

#include "exact_cpu.hpp"
#include "instructions.hpp"
#include "timer_wait.hpp"

namespace pp::atari::vcs::cpu6507 {
namespace {

struct FastPort {
  Bus& bus;
  uint8_t* const ram;
  const uint8_t* view;
  uint32_t cycles = 0;
  uint32_t budget;
  int left;  // instructions
  // The program counter is origin + at; `at` is beyond the view unless address line 12 is set.
  uint32_t origin = 0, at = 0;
  uint8_t on_bus = 0;  // after a jump
  uint32_t plain_begin, plain_size;
  const HotRange hot_reads, hot_writes;
  const bool by_address;

  PP_INLINE FastPort(Bus& to, const uint32_t& limit, const int& most)
      : bus(to),
        ram(to.s.riot.ram.data()),
        view(to.cartridge.view(to.s.cartridge, to.s.cpu.pc)),
        budget(limit),
        left(most),
        plain_begin(to.cartridge.fetch_begin()),
        plain_size(to.cartridge.fetch_end() - to.cartridge.fetch_begin()),
        hot_reads(to.cartridge.hot_reads()),
        hot_writes(to.cartridge.hot_writes()),
        by_address(to.cartridge.view_by_address()) {}

  PP_INLINE bool plain() const { return at - plain_begin < plain_size; }
  PP_INLINE void leave() { plain_size = 0; }
  PP_INLINE void jam() {
    bus.s.cpu.jammed = 1;
    leave();
  }
  PP_INLINE void look_again() { view = bus.cartridge.view(bus.s.cartridge, 0); }

  PP_INLINE void enter(uint16_t address) {
    constexpr uint32_t elsewhere = 0x10000;
    origin = address & 0xf000U;
    at = address & 0xfffU;
    if (!Bus::is_cartridge(address)) at |= elsewhere;
    if (__builtin_expect(by_address, 0)) view = bus.cartridge.view(bus.s.cartridge, address);
  }
  PP_INLINE uint16_t pc() const { return static_cast<uint16_t>(origin + at); }
  PP_INLINE void jump(uint16_t address, uint8_t last) {
    on_bus = last;
    enter(address);
    // Programs that go on without end jump somewhere.
    if (__builtin_expect(cycles > budget, 0)) leave();
  }
  PP_INLINE bool move(int8_t distance) {
    const uint32_t target = at + static_cast<uint32_t>(int32_t{distance});
    const bool crosses = ((at ^ target) & ~0xffU) != 0;
    at = target;
    on_bus = static_cast<uint8_t>(distance);
    if (__builtin_expect(cycles > budget, 0)) leave();
    return crosses;
  }

  PP_INLINE uint8_t fetch() { return view[at++]; }

  PP_INLINE uint8_t read(uint16_t address, uint8_t on_bus) {
    if (Bus::is_cartridge(address)) {
      if (__builtin_expect(by_address, 0)) {
        return bus.cartridge.view(bus.s.cartridge, address)[address & 0xfffU];
      }
      if (__builtin_expect(hot_reads.holds(address), 0)) {
        const uint8_t value = bus.read_cartridge(address, cycles);
        look_again();
        return value;
      }
      return view[address & 0xfffU];
    }
    if (Bus::is_ram(address)) return ram[address & 0x7fU];
    return bus.read_port(address, on_bus, cycles);
  }
  PP_INLINE uint8_t read_zero(uint8_t address, uint8_t on_bus) {
    if (__builtin_expect(address >= 0x80, 1)) return ram[address - 0x80];
    return bus.read_port(address, on_bus, cycles);
  }
  PP_INLINE const uint8_t* pair_in_ram(uint8_t address) const {
    return __builtin_expect(address >= 0x80 && address != 0xff, 1) ? ram + (address - 0x80)
                                                                   : nullptr;
  }
  // A read whose byte is not even left on the bus; only hot addresses care, and it has none.
  PP_INLINE void read_unused(uint8_t address, uint8_t on_bus) {
    if (__builtin_expect(bus.canvas.eager, 0)) read_zero(address, on_bus);
  }
  PP_INLINE uint8_t read_program(uint16_t address, uint8_t last) { return read(address, last); }

  PP_INLINE void write(uint16_t address, uint8_t value) {
    if (Bus::is_cartridge(address)) {
      if (__builtin_expect(hot_writes.holds(address), 0)) {
        bus.write_cartridge(address, value);
        look_again();
      }
    } else if (Bus::is_tia(address)) {
      write_tia(address & tia::write_lines, value, Turn::only);
    } else if (Bus::is_ram(address)) {
      ram[address & 0x7fU] = value;
    } else {
      riot::write(bus.s.riot, address, value, cycles);
    }
  }
  PP_INLINE void write_zero(uint8_t address, uint8_t value) {
    if (address >= 0x80) {
      ram[address - 0x80] = value;
    } else {
      write_tia(address & tia::write_lines, value, Turn::only);
    }
  }
  PP_INLINE void write_stack(uint8_t address, uint8_t value, Turn turn) {
    if (address >= 0x80) {
      ram[address - 0x80] = value;
    } else {
      write_tia(address & tia::write_lines, value, turn);
    }
  }
  PP_INLINE void write_tia(uint8_t address, uint8_t value, Turn turn) {
    const TiaState& state = bus.s.tia;
    // Nothing but the wait, and by far the most frequent write.
    if (address == tia::WSYNC && turn == Turn::only && clock_of(cycles) < state.frame_limit &&
        !bus.canvas.eager) {
      cycles += tia::cycles_to_line_end(state, cycles);
      return;
    }
    if (address == tia::WSYNC || turn != Turn::only) {
      cycles = bus.write_tia_and_count(address, value, cycles, turn);
    } else {
      tia::writers[address](bus.s.tia, bus.tv, bus.canvas, value, cycles);
    }
    if (__builtin_expect(state.frame_done != 0, 0)) leave();
  }

  // LDA, LDX or LDY absolute, which may wait for the timer (timer_wait.hpp).
  PP_INLINE uint8_t absolute_polled() {
    const unsigned low = fetch();
    const auto address = static_cast<uint16_t>(low | unsigned{fetch()} << 8);
    const uint8_t value = read(address, static_cast<uint8_t>(address >> 8));
    constexpr uint16_t timer_lines = 0x1285, timer = 0x0284;
    constexpr uint8_t back = 0xfb;
    if ((address & timer_lines) != timer || !plain() || view[at + 1] != back) return value;
    return wait_for_timer(value);
  }
  // The branch is at `at`, and goes back to a load of INTIM, which gave `value`.
  PP_INLINE uint8_t wait_for_timer(uint8_t value) {
    const bool crosses = (((at + 2) ^ (at - 3)) & ~0xffU) != 0;
    const TimerWait wait{view[at], crosses};
    const uint32_t skipped = wait.cycles_skipped(bus.s.riot, value, cycles);
    const uint32_t instructions = skipped / wait.round_cycles() * 2;
    if (skipped == 0 || instructions >= static_cast<uint32_t>(left)) return value;
    cycles += skipped;
    left -= static_cast<int>(instructions);
    if (cycles > budget) leave();
    return static_cast<uint8_t>(riot::ticks_left(bus.s.riot, cycles));
  }
};

}  // namespace

// Each instruction jumps to the next one itself, through a table of labels, a GNU extension that
// Clang has too: a switch in a loop takes six host instructions more.
bool run_frame(Bus& bus, uint32_t budget, int most) {
  using Cpu = Instructions<FastPort>;
  static const void* const labels[] = {
#define PP_OPCODE(code, statement) &&opcode_##code,
#define PP_UNDOCUMENTED(code, statement) &&undocumented,
#include "opcodes.inc"
#undef PP_UNDOCUMENTED
#undef PP_OPCODE
  };
  const uint32_t limit = budget;
  const int instructions = most;
  Cpu cpu(bus, limit, instructions);
  const uint32_t plain_size = cpu.plain_size;
#define PP_NEXT                                             \
  if (__builtin_expect(!cpu.plain(), 0)) goto elsewhere;    \
  if (__builtin_expect(cpu.left-- <= 0, 0)) goto elsewhere; \
  goto* labels[cpu.fetch()];
  PP_NEXT
  // clang-format off: it takes the label for something else.
#define PP_OPCODE(code, statement)   \
  opcode_##code:                     \
  cpu.cycles += opcode_cycles[code]; \
  statement;                         \
  PP_NEXT
// clang-format on
#define PP_UNDOCUMENTED(code, statement)
#include "opcodes.inc"
#undef PP_UNDOCUMENTED
#undef PP_OPCODE
// Two fifths of all opcodes, and rare: the exact interpreter executes them.
undocumented:
  --cpu.at;
  ++cpu.left;
elsewhere:
  cpu.give(bus.s.cpu);
  if (bus.s.tia.frame_done != 0) return true;
  if (cpu.cycles > budget || cpu.left <= 0 || bus.s.cpu.jammed != 0) return false;
  step(bus);
  --cpu.left;
  cpu.look_again();
  cpu.take(bus.s.cpu);
  cpu.plain_size = bus.s.tia.frame_done == 0 ? plain_size : 0;
  if (bus.s.cpu.jammed != 0) return false;
  PP_NEXT
#undef PP_NEXT
}

}  // namespace pp::atari::vcs::cpu6507
