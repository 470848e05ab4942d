// SPDX-License-Identifier: GPL-2.0-only
// Everything in the machine that changes, as plain data: a snapshot is one copy of MachineState.
//
// Two clocks are used. A cycle is one of the 6507's; a clock is one of the TIA's colour clocks, and
// there are three to a cycle. Both count from the start of the frame, as ALE counts them: at each
// new frame, every remembered time is moved back by the length of the last one. Games can tell, as
// times are compared without regard to sign (paddles, the timer).

#ifndef PARALLEL_POOL_ATARI_VCS_STATE_HPP_
#define PARALLEL_POOL_ATARI_VCS_STATE_HPP_

#include <array>
#include <cstdint>
#include <type_traits>

namespace pp::atari::vcs {

inline constexpr int ram_bytes = 128;

struct CpuState {
  uint16_t pc;
  uint8_t a, x, y, sp;
  // Flags as the results they come from: N is the top bit of `negative`, Z is `nonzero` == 0.
  uint8_t negative, nonzero;
  uint8_t carry, overflow, decimal, interrupt;
  uint8_t jammed;  // an opcode without meaning stops the CPU until the next power-on
  // The last byte on the data bus, for code that runs where nothing drives all of its lines.
  uint8_t on_bus;
  uint8_t pad[2];
  uint32_t cycles;
};

struct RiotState {
  std::array<uint8_t, ram_bytes> ram;
  uint32_t timer;           // the number that was written, 0 to 255
  uint32_t interval_shift;  // one tick is 2^shift cycles
  uint32_t timer_set;       // cycle of that write
  uint32_t interrupt_read;  // cycle of the first read after the timer ran out
  uint8_t read_after_interrupt;
  uint8_t ddra;
  uint8_t pad[2];
};

// The six objects that the TIA puts on a line, in the order of their bits and masks.
enum Object : int { player0, player1, missile0, missile1, ball, playfield, object_count };
inline constexpr int movable_count = 5;  // all but the playfield

enum Colour : int { background_colour, playfield_colour, player0_colour, player1_colour };

// One bit per pixel of a line, pixel 0 in bit 0 of word 0.
using LineMask = std::array<uint64_t, 3>;

// The shapes of the missile-0 counter while the "Cosmic Ark" motion is on.
enum class MissileShape : uint8_t { plain, stretched, hidden };

struct TiaState {
  // The beam. Clocks are relative to the start of the frame; frame_start is at most 0.
  int32_t frame_start, display_start, display_stop;
  int32_t drawn_until;  // clock up to which pixels and collisions are done
  int32_t ahead;        // clock up to which ALE has drawn, if that is further
  int32_t line_left;    // clocks from there to the end of the line
  int32_t frame_limit;  // a write from this clock on ends the frame by force
  int32_t vsync_end;    // a VSYNC that ends from this clock on ends the frame
  int32_t last_hmove;
  int32_t row;             // byte offset of the current line in the frame buffer
  int32_t lines;           // lines of the frame that ended last
  int32_t dump_off_cycle;  // the time at which the paddles began to charge

  std::array<LineMask, object_count> masks;
  std::array<int16_t, movable_count> position;
  uint16_t collisions;  // the fifteen latches, in the order of the registers
  uint8_t enabled;      // bit per object: it can put a pixel somewhere
  uint8_t stale;        // bit per object: its mask has to be made again

  // Registers, by their names in the Stella Programmer's Guide.
  uint8_t vsync, vblank, ctrlpf;
  std::array<uint8_t, 2> nusiz, refp, grp, enam, vdelp, resmp;
  std::array<uint8_t, 3> pf;
  std::array<uint8_t, 4> colour;
  std::array<uint8_t, movable_count> hm;
  uint8_t enabl, vdelbl;

  // Latches behind them.
  std::array<uint8_t, 2> old_grp;    // the second copy of GRPx that VDELPx selects
  std::array<uint8_t, 2> shown_grp;  // after VDELPx and REFPx
  uint8_t old_enabl;
  uint8_t reflected;                    // CTRLPF's bit 0 as this line uses it
  std::array<uint8_t, 2> first_hidden;  // RESPx came too late for the first copy
  MissileShape missile0_shape;
  uint8_t hmove_blank;  // the next line's first eight pixels stay black
  uint8_t cosmic_motion, cosmic_phase;
  uint8_t paddles_dumped;
  uint8_t frame_done;  // the write just made ended the frame
  uint8_t unfinished;  // the frame goes on in the next call
  uint8_t greyed;      // and was shown greyed out
  uint8_t buffer;      // the one of two frame buffers that is drawn into
};

struct DpcState {
  std::array<uint8_t, 8> top, bottom, flag;
  std::array<uint16_t, 8> counter;
  std::array<uint8_t, 3> music;
  uint8_t random;
  uint32_t clocked;  // cycle of the last music clock
  double fractional_clocks;
};

struct CartridgeState {
  uint8_t bank;
  std::array<uint8_t, 3> slices;  // E0
  std::array<uint8_t, 128> ram;   // SC
  DpcState dpc;
};

struct MachineState {
  RiotState riot;
  CpuState cpu;
  TiaState tia;
  CartridgeState cartridge;
};
static_assert(std::is_trivially_copyable_v<MachineState>);
static_assert(std::is_standard_layout_v<MachineState>);

// The beam's clock at a cycle. Cycles wrap as ALE's do; a machine that never ends a frame gets
// here.
constexpr int32_t clock_of(uint32_t cycles) {
  return static_cast<int32_t>(cycles * 3U);
}

// Sums and differences of clocks that wrap, too.
constexpr int32_t after(int32_t clock, int clocks) {
  return static_cast<int32_t>(static_cast<uint32_t>(clock) + static_cast<uint32_t>(clocks));
}
constexpr int32_t between(int32_t from, int32_t to) {
  return static_cast<int32_t>(static_cast<uint32_t>(to) - static_cast<uint32_t>(from));
}

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_STATE_HPP_
