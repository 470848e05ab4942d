// SPDX-License-Identifier: GPL-2.0-only
// Writes to a TIA register, and draws the picture before that as far as needed.
//
// The delays, in colour clocks after the write, are Stella's; they stand for the time a register
// takes to reach the picture. A catch_up() by more than the current clock makes later writes come
// too late for the clocks already drawn, in Stella as here.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_REGISTER_WRITE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_REGISTER_WRITE_HPP_

#include <cstddef>
#include <cstdint>

#include "motion.hpp"
#include "objects.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {  // for write.cpp alone: what has one caller is inlined there

constexpr int delayed = 1;        // VBLANK, REFPx, GRPx
constexpr int size_delay = 8;     // NUSIZx, RESMx
constexpr int copy_goes_on = 11;  // RESPx while a copy is being drawn
// The playfield's registers are looked at every four clocks; by the write's cycle modulo 4.
constexpr int playfield_delays[4] = {4, 5, 2, 3};
// CTRLPF's reflection counts for the line's right half if it is written before its middle.
constexpr int reflection_latch = blank_clocks + 79;

// A part of the playfield is shown in pixels [left, left + size) and [right, right + size).
struct PlayfieldPart {
  int left, right, size;
  bool meets(int begin, int end) const {
    return (begin < left + size && left < end) || (begin < right + size && right < end);
  }
};
constexpr PlayfieldPart playfield_parts[2][3] = {
    {{0, 80, 16}, {16, 96, 32}, {48, 128, 32}},
    {{0, 144, 16}, {16, 112, 32}, {48, 80, 32}},  // reflected
};

int playfield_delay(const TiaState& s, int32_t clock) {
  // A line has a multiple of four cycles.
  static_assert(line_cycles % 4 == 0);
  return playfield_delays[static_cast<uint32_t>(between(s.frame_start, clock)) / 3 & 3];
}

// One write at one clock. `InTime`: on a canvas that is not eager.
template <bool InTime>
struct RegisterWrite {
  TiaState& s;
  const Television& tv;
  const Canvas& canvas;
  int32_t clock;

  // The beam passes what the old value still reaches.
  void draw(int delay = 0) { catch_up<!InTime>(s, canvas, after(clock, delay)); }
  // Draws before an object changes, or something that all of them depend on.
  void draw_and_keep(Object object, int delay = 0) {
    draw(delay);
    keep(s, canvas, object);
  }
  void draw_all(int delay = 0) {
    draw(delay);
    draw_line(s, canvas);
  }
  // Counts as drawn what draw() would have drawn: ALE has drawn it, and here that is not needed.
  void skip(int delay) { s.ahead = after(clock, delay); }
  // Clocks since the line began.
  int into_line() const {
    return static_cast<int>(static_cast<uint32_t>(between(s.frame_start, clock)) %
                            uint32_t{line_clocks});
  }
  static Object player(size_t p) { return p == 0 ? Object::player0 : Object::player1; }
  static Object missile(size_t p) { return p == 0 ? Object::missile0 : Object::missile1; }
  void enable(int object, bool on) {
    s.enabled = static_cast<uint8_t>(on ? s.enabled | bit(object) : s.enabled & ~bit(object));
  }
  bool enabled(int object) const { return (s.enabled & bit(object)) != 0; }
  void set_enabled(Object object, bool on) {
    if (on == enabled(object)) return;
    draw_and_keep(object);
    enable(object, on);
  }

  void vsync(uint8_t value) {
    s.vsync = value;
    if ((value & on_bit) != 0) {
      // The hardware wants three lines of it; some games give less than one and a half.
      s.vsync_end = after(clock, line_clocks);
    } else if (clock >= s.vsync_end) {
      draw();
      s.vsync_end = INT32_MAX;
      end_frame();
    }
  }
  void end_frame() {
    s.frame_done = 1;
    s.unfinished = 0;
  }

  void vblank(uint8_t value, uint32_t cycles) {
    if ((s.vblank & dump_paddles_bit) == 0 && (value & dump_paddles_bit) != 0) s.paddles_dumped = 1;
    if ((s.vblank & dump_paddles_bit) != 0 && (value & dump_paddles_bit) == 0) {
      s.paddles_dumped = 0;
      s.dump_off_cycle = static_cast<int32_t>(cycles);
    }
    if (((value ^ s.vblank) & blanked_bit) != 0) {
      draw_all(delayed);
    } else {
      skip(delayed);
    }
    s.vblank = value;
  }

  void nusiz(size_t p, uint8_t value) {
    const bool plain =
        s.first_hidden[p] == 0 && (p != 0 || s.missile0_shape == MissileShape::plain);
    if (value == s.nusiz[p] && plain) return skip(size_delay);
    draw_and_keep(player(p), size_delay);
    keep(s, canvas, missile(p));
    s.nusiz[p] = value;
    s.first_hidden[p] = 0;
    if (p == 0) s.missile0_shape = MissileShape::plain;
    s.stale |= static_cast<uint8_t>((bit(Object::player0) | bit(Object::missile0)) << p);
  }

  void colour(Colour which, uint8_t value) {
    value &= 0xfe;
    // A PAL television shows no colour if a frame has an odd number of lines.
    if (tv.pal && (s.lines & 1) != 0) value |= 1;
    if (s.colour[which] == value) return;
    if (canvas.draw) draw_all();
    s.colour[which] = value;
  }

  void ctrlpf(uint8_t value) {
    const uint8_t reflected = value & reflected_bit;
    const bool in_time = into_line() < reflection_latch;
    if (value == s.ctrlpf && (!in_time || reflected == s.reflected)) return;
    draw_all();  // this may end a line, and so look at the old value
    if (((value ^ s.ctrlpf) & ball_size_bits) != 0) s.stale |= bit(Object::ball);
    s.ctrlpf = value;
    if (in_time && s.reflected != reflected) {
      s.reflected = reflected;
      s.stale |= bit(Object::playfield);
    }
  }

  void refp(size_t p, uint8_t value) {
    value &= mirrored_bit;
    if (value == s.refp[p]) return skip(delayed);
    draw_and_keep(player(p), delayed);
    s.refp[p] = value;
    s.shown_grp[p] = mirror[s.shown_grp[p]];
    s.stale |= static_cast<uint8_t>(bit(Object::player0) << p);
  }

  void playfield(size_t part, uint8_t value) {
    if (part == 0) value >>= 4;
    const int delay = playfield_delay(s, clock);
    if (value == s.pf[part]) return skip(delay);
    const uint8_t others = s.pf[(part + 1) % 3] | s.pf[(part + 2) % 3];
    const bool on = (others | value) != 0;
    if (on == enabled(Object::playfield) && !awaits_drawing(part, after(clock, delay))) {
      skip(delay);
    } else {
      draw_and_keep(Object::playfield, delay);
    }
    s.pf[part] = value;
    s.stale |= bit(Object::playfield);
    enable(Object::playfield, on);
  }
  // Returns true if a part of the playfield is to be drawn before the clock `until`. Games that
  // show a playfield without symmetry write a part while others are drawn.
  bool awaits_drawing(size_t part, int32_t until) const {
    if (until < s.display_start || s.drawn_until >= s.display_stop) return false;
    if ((s.vblank & blanked_bit) != 0) return false;
    const int beam = line_clocks - s.line_left - blank_clocks;  // in pixels
    // Or further: a reset player that goes on has been drawn ahead.
    const int end = beam + std::max(between(s.drawn_until, until), 0);
    const int begin = std::min(beam, int{canvas.line->from[Object::playfield]});
    const PlayfieldPart& now = playfield_parts[s.reflected != 0][part];
    if (end <= line_pixels) return now.meets(begin, end);
    // The end of a line, and the beginning of the next one, where every part is on the left first.
    return now.meets(begin, line_pixels) || end - line_clocks > now.left;
  }

  // Returns the place of an object that is reset now, `delay` clocks after the write.
  int reset_position(int in_blank, int delay) const {
    const int clocks = into_line();
    if (clocks < blank_clocks) return in_blank;
    const int pixel = clocks - blank_clocks + delay;
    return pixel < line_pixels ? pixel : pixel - line_pixels;
  }

  void resp(size_t p) {
    draw();
    const int position = reset_position(3, 5);
    const int right = position - s.position[Object::player0 + p];
    const int distance = right < 0 ? right + line_pixels : right;
    const Meets meets = meets_by_mode[s.nusiz[p] & copy_mode_bits][static_cast<size_t>(distance)];
    if (meets == Meets::copy) draw(copy_goes_on);
    keep(s, canvas, player(p));
    s.position[Object::player0 + p] = static_cast<int16_t>(position);
    s.first_hidden[p] = meets != Meets::start;
    s.stale |= static_cast<uint8_t>(bit(Object::player0) << p);
  }

  // Called after draw().
  void put(Object object, int position) {
    keep(s, canvas, object);
    s.position[object] = static_cast<int16_t>(position);
    s.stale |= bit(object);
    if (object == Object::missile0) s.missile0_shape = MissileShape::plain;
  }

  // A reset while HMOVE's pulses still run. Stella knows these by the games that depend on them:
  // Dolphin, Pitfall II, Escape from the Mindmaster, Decathlon, Robot Tank, Hole Hunter.
  void resm(size_t p) {
    draw(size_delay);
    int position = reset_position(2, 4);
    const int since_hmove = between(s.last_hmove, clock);
    if (p == 0 && since_hmove == 20 * 3 && into_line() == 69) position = 8;
    if (p == 1 && since_hmove == 3 * 3 && into_line() == 18) position = 3;
    put(missile(p), position);
  }
  void resbl() {
    draw();
    int position = reset_position(2, 4);
    const int since_hmove = between(s.last_hmove, clock);
    const int clocks = into_line();
    if (since_hmove == 18 * 3 && (clocks == 60 || clocks == 69)) position = 10;
    if (since_hmove == 3 * 3 && clocks == 18) position = 3;
    if (since_hmove == 7 * 3 && clocks == 30) position = 6;
    if (since_hmove == 6 * 3 && clocks == 27) position = 5;
    put(Object::ball, position);
  }

  // Stella draws up to `delay` clocks after the write before the object changes.
  void show_player(size_t p, int delay) {
    const uint8_t grp = s.vdelp[p] != 0 ? s.old_grp[p] : s.grp[p];
    const uint8_t shown = s.refp[p] != 0 ? mirror[grp] : grp;
    if (shown == s.shown_grp[p]) return skip(delay);
    draw_and_keep(player(p), delay);
    s.shown_grp[p] = shown;
    s.stale |= static_cast<uint8_t>(bit(Object::player0) << p);
    enable(Object::player0 + static_cast<int>(p), shown != 0);
  }
  void show_ball(int delay) {
    const bool on = (s.vdelbl != 0 ? s.old_enabl : s.enabl) != 0;
    if (on == enabled(Object::ball)) return;
    draw_and_keep(Object::ball, delay);
    enable(Object::ball, on);
  }

  // Each player's graphics register latches the other's delayed copy.
  void grp(size_t p, uint8_t value) {
    // Then all that is shown stays as it is.
    const bool same = value == s.grp[p] && s.old_grp[1 - p] == s.grp[1 - p];
    if (same && (p == 0 || s.old_enabl == s.enabl)) return skip(delayed);
    s.grp[p] = value;
    s.old_grp[1 - p] = s.grp[1 - p];
    show_player(0, delayed);
    show_player(1, delayed);
    if (p == 1) {
      s.old_enabl = s.enabl;
      show_ball(delayed);
    }
  }

  void show_missile(size_t p) { set_enabled(missile(p), s.enam[p] != 0 && s.resmp[p] == 0); }
  // While RESMPx is set, the missile is hidden; when it is cleared, it is in its player's middle.
  void resmp(size_t p, uint8_t value) {
    value &= on_bit;
    if (s.resmp[p] != 0 && value == 0) {
      draw();
      const unsigned mode = s.nusiz[p] & copy_mode_bits;
      const int middle = mode == 5 ? 8 : mode == 7 ? 16 : 4;
      put(missile(p), (s.position[Object::player0 + p] + middle) % line_pixels);
    }
    s.resmp[p] = value;
    show_missile(p);
  }

  void hmm0(uint8_t value) {
    value >>= 4;
    if (between(s.last_hmove, clock) == 21 * 3 && s.hm[Object::missile0] == 7 && value == 6) {
      draw();
      s.cosmic_motion = 1;
      s.cosmic_phase = 0;
    }
    s.hm[Object::missile0] = value;
  }

  void hmove() {
    draw_all();
    const int cycle = into_line() / 3;
    if (tv.hmove_blank && lengthens_blank(cycle)) s.hmove_blank = 1;
    // Mostly no object moves. Bytes written a moment ago are read one by one, without a wait.
    unsigned motions = 0;
    for (const uint8_t motion : s.hm) motions |= motion;
    const bool still = motions == 0 && motion_by_cycle[static_cast<size_t>(cycle)][0] == 0;
    for (size_t object = 0; object < movable_count && !still; ++object) {
      const int step = motion_by_cycle[static_cast<size_t>(cycle)][s.hm[object]];
      if (step == 0) continue;
      int position = s.position[object] + step;
      if (position >= line_pixels) position -= line_pixels;
      if (position < 0) position += line_pixels;
      s.position[object] = static_cast<int16_t>(position);
      s.stale |= bit(static_cast<int>(object));
    }
    show_first_copies(s);
    if (s.missile0_shape != MissileShape::plain) s.stale |= bit(Object::missile0);
    s.missile0_shape = MissileShape::plain;
    s.last_hmove = clock;
    s.cosmic_motion = 0;
  }
};

}  // namespace
}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_REGISTER_WRITE_HPP_
