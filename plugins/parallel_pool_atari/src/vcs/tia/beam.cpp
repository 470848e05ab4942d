// The beam: frames, lines, and what is drawn along them. Long, because it is one loop over the
// clocks of a line, inlined.

#include <algorithm>
#include <array>
#include <cstring>

#include "objects.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {

// The latches of CXM0P to CXPPMM, two to a register, D7 before D6.
struct Pair {
  Object a, b;
};
constexpr std::array<Pair, 15> pairs{{
    {Object::missile0, Object::player1},
    {Object::missile0, Object::player0},
    {Object::missile1, Object::player0},
    {Object::missile1, Object::player1},
    {Object::player0, Object::playfield},
    {Object::player0, Object::ball},
    {Object::player1, Object::playfield},
    {Object::player1, Object::ball},
    {Object::missile0, Object::playfield},
    {Object::missile0, Object::ball},
    {Object::missile1, Object::playfield},
    {Object::missile1, Object::ball},
    {Object::ball, Object::playfield},
    {Object::player0, Object::player1},
    {Object::missile0, Object::missile1},
}};

// The latches that can be set by what is enabled.
constexpr std::array<uint16_t, 64> reachable_table() {
  std::array<uint16_t, 64> table{};
  for (unsigned enabled = 0; enabled < 64; ++enabled) {
    unsigned reachable = 0;
    for (size_t k = 0; k < pairs.size(); ++k) {
      const unsigned both = bit(pairs[k].a) | bit(pairs[k].b);
      if ((enabled & both) == both) reachable |= 1U << k;
    }
    table[enabled] = static_cast<uint16_t>(reachable);
  }
  return table;
}
constexpr std::array<uint16_t, 64> reachable = reachable_table();

int lowest_bit(unsigned bits) {
  return __builtin_ctz(bits);
}

void collide(TiaState& s, int from, int to) {
  unsigned open = reachable[s.enabled] & ~unsigned{s.collisions};
  if (open == 0) return;
  const LineMask span = span_mask(from, to);
  do {
    const int k = lowest_bit(open);
    open &= open - 1;
    const Pair pair = pairs[static_cast<size_t>(k)];
    const LineMask& a = s.masks[pair.a];
    const LineMask& b = s.masks[pair.b];
    if (((a[0] & b[0] & span[0]) | (a[1] & b[1] & span[1]) | (a[2] & b[2] & span[2])) != 0) {
      s.collisions = static_cast<uint16_t>(s.collisions | 1U << k);
    }
  } while (open != 0);
}

LineMask either(const TiaState& s, Object a, Object b) {
  LineMask mask{};
  for (const Object object : {a, b}) {
    if ((s.enabled & bit(object)) == 0) continue;
    for (size_t w = 0; w < 3; ++w) mask[w] |= s.masks[object][w];
  }
  return mask;
}

// Pixels 0 to 79, and the others.
LineMask left_half(const LineMask& m) {
  return {m[0], m[1] & 0xffff, 0};
}
LineMask right_half(const LineMask& m) {
  return {0, m[1] & ~uint64_t{0xffff}, m[2]};
}

// Which object covers which. A player stands for itself and its missile, which share a colour.
void arrange(const TiaState& s, Layers& layers) {
  const unsigned enabled = s.enabled;
  const bool player0 = (enabled & (bit(Object::player0) | bit(Object::missile0))) != 0;
  const bool player1 = (enabled & (bit(Object::player1) | bit(Object::missile1))) != 0;
  const bool ball = (enabled & bit(Object::ball)) != 0;
  const bool playfield = (enabled & bit(Object::playfield)) != 0;
  const bool score = (s.ctrlpf & score_bit) != 0;
  const LineMask& pf = s.masks[Object::playfield];

  if ((s.ctrlpf & priority_bit) != 0) {
    if (player1) layers.add(either(s, Object::player1, Object::missile1), s.colour[player1_colour]);
    if (player0) layers.add(either(s, Object::player0, Object::missile0), s.colour[player0_colour]);
    if (ball) layers.add(s.masks[Object::ball], s.colour[playfield_colour]);
    // Priority overrules the score colours, but not where Stella takes its shortcut for a line
    // with nothing but a playfield on it.
    if (playfield && score && enabled == bit(Object::playfield)) {
      layers.add(left_half(pf), s.colour[player0_colour]);
      layers.add(right_half(pf), s.colour[player1_colour]);
    } else if (playfield) {
      layers.add(pf, s.colour[playfield_colour]);
    }
    return;
  }
  if (ball) layers.add(s.masks[Object::ball], s.colour[playfield_colour]);
  if (playfield && score) {
    // Each half of the score takes its player's colour and its place: player 1 is behind the left.
    layers.add(right_half(pf), s.colour[player1_colour]);
    if (player1) layers.add(either(s, Object::player1, Object::missile1), s.colour[player1_colour]);
    layers.add(left_half(pf), s.colour[player0_colour]);
  } else {
    if (playfield) layers.add(pf, s.colour[playfield_colour]);
    if (player1) layers.add(either(s, Object::player1, Object::missile1), s.colour[player1_colour]);
  }
  if (player0) layers.add(either(s, Object::player0, Object::missile0), s.colour[player0_colour]);
}

// Stella draws up to four pixels at a time, and so up to three too many. They are drawn again by
// whatever comes next, unless the frame ends there. This puts them where Stella would.
void overshoot(const TiaState& s, int from, int to, uint8_t* line) {
  const int aligned = (from + 3) & ~3;
  const int last = to & ~3;  // of the four that reach beyond `to`
  if (last == to || last < aligned || s.enabled == 0) return;
  const auto holds = [last](const LineMask& mask) {
    return (mask[static_cast<size_t>(last >> 6)] >> (last & 63) & 15U) != 0;
  };
  // Combinations of objects for which Stella has a loop of its own; the others go pixel by pixel.
  const unsigned others = s.enabled & ~bit(Object::playfield);
  bool by_four = false;
  if ((s.enabled & bit(Object::playfield)) == 0) {
    constexpr unsigned own_loops[] = {
        bit(Object::player0),
        bit(Object::player1),
        bit(Object::player0) | bit(Object::player1),
        bit(Object::missile0),
        bit(Object::missile1),
        bit(Object::ball),
        bit(Object::missile0) | bit(Object::missile1),
        bit(Object::ball) | bit(Object::missile0),
        bit(Object::ball) | bit(Object::missile1),
        bit(Object::ball) | bit(Object::player1),
    };
    for (const unsigned loop : own_loops) by_four |= others == loop;
  } else {
    const bool score = (s.ctrlpf & score_bit) != 0;
    by_four =
        others == 0 || (!score && (others == bit(Object::player0) ||
                                   others == bit(Object::player1) || others == bit(Object::ball)));
  }
  if (!by_four) return;
  for (int object = 0; object < Object::playfield; ++object) {
    // Four pixels that an object may be in are drawn one by one.
    if ((others & bit(object)) == 0) continue;
    const LineMask pattern = object == Object::player0 || object == Object::player1
                                 ? player_extent(s, static_cast<size_t>(object))
                                 : s.masks[static_cast<size_t>(object)];
    if (holds(pattern)) return;
  }
  uint8_t colour = s.colour[background_colour];
  if ((s.enabled & bit(Object::playfield)) != 0 &&
      (s.masks[Object::playfield][static_cast<size_t>(last >> 6)] >> (last & 63) & 1U) != 0) {
    colour = s.colour[playfield_colour];
    if (others == 0 && (s.ctrlpf & score_bit) != 0) {
      colour = s.colour[last < line_pixels / 2 ? player0_colour : player1_colour];
    }
  }
  for (int x = to; x < last + 4; ++x) line[x] = colour;
}

// Pixels [from, to) of the current line.
void segment(TiaState& s, const Canvas& canvas, int from, int to) {
  uint8_t* line = canvas.pixels + s.row;
  if ((s.vblank & blanked_bit) != 0) {
    if (canvas.draw) std::memset(line + from, 0, static_cast<size_t>(to - from));
    return;
  }
  // Without a picture, only latches that are still open count.
  if (!canvas.draw && (reachable[s.enabled] & ~unsigned{s.collisions}) == 0) return;
  if ((s.stale & s.enabled) != 0) refresh_masks(s);
  collide(s, from, to);
  if (!canvas.draw) return;
  Layers layers;
  layers.background = s.colour[background_colour];
  if (s.enabled != 0) arrange(s, layers);
  canvas.paint(layers, from, to, line);
  if (canvas.eager) overshoot(s, from, to, line);
}

void end_line(TiaState& s) {
  const uint8_t reflected = s.ctrlpf & reflected_bit;
  if (reflected != s.reflected) {
    s.reflected = reflected;
    s.stale |= bit(Object::playfield);
  }
  for (size_t p = 0; p < 2; ++p) {
    if (s.first_hidden[p] == 0) continue;
    s.first_hidden[p] = 0;
    s.stale |= bit(Object::player0) << p;
  }
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
  // Whether a frame is going on, and which buffer it is drawn into, are not the chip's to forget.
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

void catch_up(TiaState& s, const Canvas& canvas, int32_t clock) {
  if (clock < s.display_start || s.drawn_until >= s.display_stop || s.drawn_until >= clock) return;
  clock = std::min(clock, s.display_stop);
  do {
    const int begin = line_clocks - s.line_left;  // clocks into the line
    // A line whose last clock is `clock` is finished by the next call only, after the write that
    // this one precedes. Registers that the line's end looks at may change in between.
    const bool finishes = clock > s.drawn_until + s.line_left;
    const int end = finishes ? line_clocks : begin + (clock - s.drawn_until);
    s.drawn_until += end - begin;
    s.line_left = finishes ? line_clocks : line_clocks - end;

    const int visible = begin < blank_clocks ? std::min(end, blank_clocks) : begin;
    if (end > visible) segment(s, canvas, visible - blank_clocks, end - blank_clocks);
    constexpr int comb_end = blank_clocks + hmove_blank_pixels;
    const bool combed = s.hmove_blank != 0;
    if (combed && visible < comb_end) {
      if (canvas.draw) {
        // Too many, as in Stella, if the line has not come as far; see overshoot().
        const int pixel = std::max(visible - blank_clocks, 0);
        std::memset(canvas.pixels + s.row + pixel, 0, static_cast<size_t>(comb_end - visible));
      }
      if (end >= comb_end) s.hmove_blank = 0;
    }
    if (!finishes) break;
    s.row += line_pixels;
    const bool repeats = begin <= blank_clocks && !combed && s.cosmic_motion == 0 &&
                         s.first_hidden[0] == 0 && s.first_hidden[1] == 0 &&
                         s.reflected == (s.ctrlpf & reflected_bit);
    end_line(s);
    if (repeats && !canvas.eager) repeat_line(s, canvas, clock);
  } while (s.drawn_until < clock);
}

}  // namespace pp::atari::vcs::tia
