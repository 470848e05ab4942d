// SPDX-License-Identifier: GPL-2.0-only
// The beam: frames, lines, and what is drawn along them.

#include <algorithm>
#include <array>
#include <cstring>

#include "objects.hpp"
#include "segment.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {

// Adds what the beam has passed since pixel `from` of an object that is so now.
inline void note(Line& line, int object, const LineMask& now, int from, int to) {
  LineMask& before = line.before[static_cast<size_t>(object)];
  const bool first = (line.noted & bit(object)) == 0;
  if (from == 0 && to == line_pixels) {
    before = now;  // nothing can have been noted before
  } else {
    const LineMask span = span_mask(from, to);
    for (size_t w = 0; w < 3; ++w) before[w] = (first ? 0 : before[w]) | (now[w] & span[w]);
  }
  line.noted |= bit(object);
}

// Pixels from line.begin to `to`.
void draw_piece(TiaState& s, const Canvas& canvas, int to) {
  Line& line = *canvas.line;
  const int from = line.begin;
  if ((s.vblank & blanked_bit) != 0) {
    if (canvas.draw) {
      std::memset(canvas.pixels + s.row + from, 0, static_cast<size_t>(to - from));
    }
    return;
  }
  if ((s.stale & s.enabled) != 0) refresh_masks(s, s.enabled);
  if (line.changed) {
    for (unsigned left = s.enabled; left != 0; left &= left - 1) {
      const int object = lowest_bit(left);
      const int since = line.from[static_cast<size_t>(object)];
      if (since < to) note(line, object, s.masks[static_cast<size_t>(object)], since, to);
    }
  }
  const Objects objects{line.changed ? line.noted : s.enabled,
                        line.changed ? line.before : s.masks};
  draw_objects(s, canvas, objects, from, to);
}

// Draws the line, and the blank that HMOVE lengthens. The line does not know of that yet.
void draw_to(TiaState& s, const Canvas& canvas, int to) {
  const int from = canvas.line->begin;
  if (to > from && is_seen(s, canvas)) draw_piece(s, canvas, to);
  if (s.hmove_blank != 0 && from < hmove_blank_pixels) {
    if (canvas.draw) {
      uint8_t* pixels = canvas.pixels + s.row;
      if (from == 0) {
        std::memset(pixels, 0, hmove_blank_pixels);  // no call
      } else {
        std::memset(pixels + from, 0, static_cast<size_t>(hmove_blank_pixels - from));
      }
    }
    if (to >= hmove_blank_pixels) s.hmove_blank = 0;
  }
}
void draw_until(TiaState& s, const Canvas& canvas, int to) {
  draw_to(s, canvas, to);
  canvas.line->start_at(to);
}

// Draws as ALE does: at once, from clock `begin` of the line to `end`, and beyond.
void draw_eagerly(TiaState& s, const Canvas& canvas, int begin, int end) {
  const int visible = begin < blank_clocks ? std::min(end, blank_clocks) : begin;
  if (end > visible) {
    canvas.line->start_at(visible - blank_clocks);
    draw_piece(s, canvas, end - blank_clocks);
  }
  constexpr int comb_end = blank_clocks + hmove_blank_pixels;
  if (s.hmove_blank != 0 && visible < comb_end) {
    if (canvas.draw) {
      // Too many, as in Stella, if the line has not come as far; as its objects (segment.cpp).
      const int pixel = std::max(visible - blank_clocks, 0);
      std::memset(canvas.pixels + s.row + pixel, 0, static_cast<size_t>(comb_end - visible));
    }
    if (end >= comb_end) s.hmove_blank = 0;
  }
  canvas.line->start_at(std::max(end - blank_clocks, 0));
}

void end_line(TiaState& s) {
  const uint8_t reflected = s.ctrlpf & reflected_bit;
  if (reflected != s.reflected) {
    s.reflected = reflected;
    s.stale |= bit(Object::playfield);
  }
  show_first_copies(s);
  if (s.cosmic_motion != 0) {
    // HMM0 changed while HMOVE's pulses ran, so that they never stop: the stars of Cosmic Ark.
    constexpr std::array<int, 4> steps = {18, 33, 0, 17};
    s.cosmic_phase = (s.cosmic_phase + 1) & 3;
    int position = s.position[Object::missile0] - steps[s.cosmic_phase];
    if (position < 0) position += line_pixels;
    s.position[Object::missile0] = static_cast<int16_t>(position);
    s.missile0_shape = s.cosmic_phase == 1   ? MissileShape::stretched
                       : s.cosmic_phase == 2 ? MissileShape::hidden
                                             : MissileShape::plain;
    s.stale |= bit(Object::missile0);
  }
}

// Whole lines up to `clock` that follow a whole line and cannot differ from it.
void repeat_line(TiaState& s, const Canvas& canvas, int32_t clock) {
  const int lines = (clock - s.drawn_until - 1) / line_clocks;
  if (lines <= 0) return;
  if (canvas.draw) {
    const uint8_t* line = canvas.pixels + s.row - line_pixels;
    for (int i = 0; i < lines; ++i) {
      std::memcpy(canvas.pixels + s.row + i * line_pixels, line, line_pixels);
    }
  }
  s.row += lines * line_pixels;
  s.drawn_until += lines * line_clocks;
}

}  // namespace

void power_on(TiaState& s, const Television& tv) {
  // The chip does not forget whether a frame is going on, and which buffer it is drawn into.
  const TiaState before = s;
  s = TiaState{};
  s.unfinished = before.unfinished;
  s.greyed = before.greyed;
  s.buffer = before.buffer;
  s.stale = (1U << object_count) - 1;
  s.display_start = line_clocks * tv.first_line;
  s.display_stop = s.display_start + line_clocks * tv.height;
  s.ahead = INT32_MIN;
  s.line_left = line_clocks;
  s.vsync_end = INT32_MAX;
  s.frame_limit = line_clocks * (tv.most_lines + 1);
}

void start_frame(TiaState& s, const Television& tv, uint32_t cycles) {
  s.buffer ^= 1;
  // VSYNC does not reset the place in the line.
  const int32_t clocks = clock_of(cycles);
  const auto into_line =
      static_cast<uint32_t>(between(s.frame_start, clocks)) % uint32_t{line_clocks};
  s.vsync_end = between(clocks, s.vsync_end);
  s.last_hmove = between(clocks, s.last_hmove);
  s.dump_off_cycle = between(static_cast<int32_t>(cycles), s.dump_off_cycle);
  s.frame_start = -static_cast<int32_t>(into_line);
  s.display_start = s.frame_start + line_clocks * tv.first_line;
  s.display_stop = s.display_start + line_clocks * tv.height;
  s.drawn_until = s.display_start;
  s.ahead = INT32_MIN;
  s.line_left = line_clocks;
  s.frame_limit = s.frame_start + line_clocks * (tv.most_lines + 1);
  s.row = 0;
  if (tv.pal) {
    for (uint8_t& colour : s.colour) {
      colour = static_cast<uint8_t>((s.lines & 1) != 0 ? colour | 1 : colour & 0xfe);
    }
  }
  s.greyed = 0;
}

void begin_line(const TiaState& s, Line& line) {
  line.start_at(std::max(beam_pixel(s), 0));
}

void draw_passed(TiaState& s, const Canvas& canvas) {
  draw_until(s, canvas, beam_pixel(s));
}

void keep_passed(TiaState& s, const Canvas& canvas, Object object) {
  Line& line = *canvas.line;
  const int to = beam_pixel(s);
  uint8_t& from = line.from[object];
  // The colours of a playfield depend on the objects beside it, where Stella takes its shortcut.
  constexpr unsigned both = score_bit | priority_bit;
  if ((s.ctrlpf & both) == both) return draw_until(s, canvas, to);
  const bool shown = (s.enabled & bit(object)) != 0 && (s.vblank & blanked_bit) == 0;
  if (shown && is_seen(s, canvas)) {
    // The mask itself is stale soon.
    const bool stale = (s.stale & bit(object)) != 0;
    note(line, object, stale ? mask_of(s, object) : s.masks[object], from, to);
  }
  from = static_cast<uint8_t>(to);
  line.changed = true;
}

void move_beam(TiaState& s, const Canvas& canvas, int32_t clock) {
  if (s.drawn_until >= s.display_stop) return;
  clock = std::min(clock, s.display_stop);
  // A line whose last clock is `clock` is finished by the next call only, after the write that this
  // one precedes. Registers that the line's end looks at may change in between.
  while (clock > s.drawn_until + s.line_left) {
    const int begin = line_clocks - s.line_left;
    const bool whole = canvas.line->begin == 0 && !canvas.line->changed;
    const bool combed = s.hmove_blank != 0;
    s.drawn_until += s.line_left;
    s.line_left = line_clocks;
    if (canvas.eager) {
      draw_eagerly(s, canvas, begin, line_clocks);
    } else {
      draw_to(s, canvas, line_pixels);
    }
    s.row += line_pixels;
    const bool repeats = whole && !combed && s.cosmic_motion == 0 && s.first_hidden[0] == 0 &&
                         s.first_hidden[1] == 0 && s.reflected == (s.ctrlpf & reflected_bit);
    end_line(s);
    canvas.line->start_at(0);
    if (repeats && !canvas.eager) repeat_line(s, canvas, clock);
  }
  const int begin = line_clocks - s.line_left;
  s.line_left -= clock - s.drawn_until;
  s.drawn_until = clock;
  if (canvas.eager) {
    draw_eagerly(s, canvas, begin, line_clocks - s.line_left);
  } else if (clock == s.display_stop) {
    draw_line(s, canvas);
  }
}

}  // namespace pp::atari::vcs::tia
