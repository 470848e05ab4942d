// SPDX-License-Identifier: GPL-2.0-only
// The TIA: picture and collisions.
//
// Pixels are made late. A write to a register first moves the beam as far as the old value still
// reaches (catch_up), and that only where the new value differs in something that can be seen; most
// writes do not. What the beam passes is not drawn at once: a line notes from where on each object
// is as it is now (line.hpp), and is drawn as a whole at its end, or in a few pieces if colours
// change along it (draw_line). What ALE does at each access without being visible is not done here;
// where it does become visible, `eager` has it done (machine.cpp says when).
//
// If silicon and Stella differ, this is Stella's TIA, because that is what ALE's games run on.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_TIA_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_TIA_HPP_

#include <array>
#include <cstdint>

#include "../pins.hpp"
#include "../state.hpp"
#include "line.hpp"
#include "painter.hpp"
#include "registers.hpp"

namespace pp::atari::vcs {

// The properties of a television and a cartridge that matter to the TIA, and never change.
struct Television {
  int first_line = 34;      // the first line of the picture
  int height = 210;         // lines of the picture
  int most_lines = 290;     // after which a frame ends without VSYNC
  bool pal = false;         // colours go when a frame has an odd number of lines
  bool hmove_blank = true;  // HMOVE lengthens the blank
};

namespace tia {

// Says where and how to draw.
struct Canvas {
  uint8_t* pixels = nullptr;  // rows of 160; buffer_rows of them
  Painter paint = nullptr;
  bool draw = true;    // otherwise collisions only
  bool eager = false;  // do what ALE does, when ALE does it
  Line* line = nullptr;
};
// More than the largest picture and the lines above it, which show after a reset in mid-frame.
inline constexpr int buffer_rows = 320;

void power_on(TiaState& s, const Television& tv);

// A new frame begins in cycle `cycles`, and cycles count from zero again.
void start_frame(TiaState& s, const Television& tv, uint32_t cycles);

// Begins or continues to run: nothing of the line was noted.
void begin_line(const TiaState& s, Line& line);

// The pixel that the beam is at; negative in the blank.
inline int beam_pixel(const TiaState& s) {
  return line_clocks - blank_clocks - s.line_left;
}

// The beam moves to `clock`.
void move_beam(TiaState& s, const Canvas& canvas, int32_t clock);
template <bool MayBeEager = true>
inline void catch_up(TiaState& s, const Canvas& canvas, int32_t clock) {
  if (clock < s.display_start || clock <= s.drawn_until) return;
  const bool eager = MayBeEager && canvas.eager;
  if (clock > s.drawn_until + s.line_left || clock >= s.display_stop || eager) {
    return move_beam(s, canvas, clock);
  }
  s.line_left -= clock - s.drawn_until;
  s.drawn_until = clock;
}

// Draws what the beam has passed on its line, collisions included. Has to come before a change of
// what the line does not note, and before the picture or the latches are looked at.
void draw_passed(TiaState& s, const Canvas& canvas);
inline void draw_line(TiaState& s, const Canvas& canvas) {
  if (beam_pixel(s) > canvas.line->begin) draw_passed(s, canvas);
}

// Notes what the beam has passed of an object, which is about to change.
void keep_passed(TiaState& s, const Canvas& canvas, Object object);
inline void keep(TiaState& s, const Canvas& canvas, Object object) {
  if (beam_pixel(s) > canvas.line->from[object]) keep_passed(s, canvas, object);
}

// A write to any register, WSYNC's wait excepted, by an instruction that ends in `cycles`.
void write(TiaState& s, const Television& tv, const Canvas& canvas, uint8_t address, uint8_t value,
           uint32_t cycles);

// Writes to the register of one address, without a look at the address.
using Writer = void (*)(TiaState& s, const Television& tv, const Canvas& canvas, uint8_t value,
                        uint32_t cycles);
extern const std::array<Writer, write_lines + 1> writers;
// For writes before frame_limit, on a canvas that is not eager.
extern const std::array<Writer, write_lines + 1> writers_in_time;

// Has drawn what ALE draws before it looks at the value written.
void catch_up_to_write(TiaState& s, const Canvas& canvas, uint8_t address, uint32_t cycles);

// `bus` is what was on the data bus before: the TIA drives only the top two lines.
uint8_t read(TiaState& s, const Canvas& canvas, const Pins& pins, uint16_t address, uint8_t bus,
             uint32_t cycles);

// Returns the number that makes cycles count from the start of a line. It stays for the whole
// frame.
inline uint32_t line_start(const TiaState& s) {
  return static_cast<uint32_t>(-(s.frame_start / 3));
}
// Cycles that WSYNC stops the CPU for.
inline uint32_t cycles_to_line_end(const TiaState& s, uint32_t cycles) {
  const uint32_t into = (cycles + line_start(s)) % line_cycles;
  return into == 0 ? 0 : line_cycles - into;
}

// Returns true if all of the picture was drawn.
inline bool picture_complete(const TiaState& s) {
  return s.drawn_until >= s.display_stop;
}

}  // namespace tia
}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_TIA_HPP_
