// SPDX-License-Identifier: GPL-2.0-only
#include "segment.hpp"

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

}  // namespace

const std::array<uint16_t, 64> reachable = reachable_table();

namespace {

void collide(TiaState& s, const Objects& objects, int from, int to) {
  unsigned open = reachable[objects.enabled] & ~unsigned{s.collisions};
  if (open == 0) return;
  const LineMask span = span_mask(from, to);
  do {
    const int k = lowest_bit(open);
    open &= open - 1;
    const Pair pair = pairs[static_cast<size_t>(k)];
    const LineMask& a = objects.masks[pair.a];
    const LineMask& b = objects.masks[pair.b];
    if (((a[0] & b[0] & span[0]) | (a[1] & b[1] & span[1]) | (a[2] & b[2] & span[2])) != 0) {
      s.collisions = static_cast<uint16_t>(s.collisions | 1U << k);
    }
  } while (open != 0);
}

// One of two objects, or both: then `made` has them.
const LineMask& either(const Objects& objects, Object a, Object b, LineMask& made) {
  if (!objects.has(b)) return objects.masks[a];
  if (!objects.has(a)) return objects.masks[b];
  for (size_t w = 0; w < 3; ++w) made[w] = objects.masks[a][w] | objects.masks[b][w];
  return made;
}

// Pixels 0 to 79, and the others.
LineMask left_half(const LineMask& m) {
  return {m[0], m[1] & 0xffff, 0};
}
LineMask right_half(const LineMask& m) {
  return {0, m[1] & ~uint64_t{0xffff}, m[2]};
}

// Masks that are no object's own.
struct MadeMasks {
  std::array<LineMask, 2> players, halves;
};

// Finds which object covers which. A player stands for itself and its missile, which share a
// colour.
void arrange(const TiaState& s, const Objects& objects, MadeMasks& made, Layers& layers) {
  const unsigned enabled = objects.enabled;
  const bool player0 = (enabled & (bit(Object::player0) | bit(Object::missile0))) != 0;
  const bool player1 = (enabled & (bit(Object::player1) | bit(Object::missile1))) != 0;
  const bool ball = objects.has(Object::ball);
  const bool playfield = objects.has(Object::playfield);
  const bool score = (s.ctrlpf & score_bit) != 0;
  const LineMask& pf = objects.masks[Object::playfield];
  const auto add_player = [&](Object player, Object missile, Colour colour) {
    LineMask& both = made.players[static_cast<size_t>(player - Object::player0)];
    layers.add(either(objects, player, missile, both), s.colour[colour]);
  };
  const auto add_half = [&](const LineMask& half, size_t number, Colour colour) {
    layers.add(made.halves[number] = half, s.colour[colour]);
  };

  if ((s.ctrlpf & priority_bit) != 0) {
    if (player1) add_player(Object::player1, Object::missile1, player1_colour);
    if (player0) add_player(Object::player0, Object::missile0, player0_colour);
    if (ball) layers.add(objects.masks[Object::ball], s.colour[playfield_colour]);
    // Priority overrules the score colours, but not where Stella takes its shortcut for a line
    // with nothing but a playfield on it.
    if (playfield && score && enabled == bit(Object::playfield)) {
      add_half(left_half(pf), 0, player0_colour);
      add_half(right_half(pf), 1, player1_colour);
    } else if (playfield) {
      layers.add(pf, s.colour[playfield_colour]);
    }
    return;
  }
  if (ball) layers.add(objects.masks[Object::ball], s.colour[playfield_colour]);
  if (playfield && score) {
    // Each half of the score takes its player's colour and its place: player 1 is behind the left.
    add_half(right_half(pf), 1, player1_colour);
    if (player1) add_player(Object::player1, Object::missile1, player1_colour);
    add_half(left_half(pf), 0, player0_colour);
  } else {
    if (playfield) layers.add(pf, s.colour[playfield_colour]);
    if (player1) add_player(Object::player1, Object::missile1, player1_colour);
  }
  if (player0) add_player(Object::player0, Object::missile0, player0_colour);
}

// Stella draws up to four pixels at a time, and so up to three too many. They are drawn again by
// whatever comes next, unless the frame ends there. This puts them where Stella would.
void overshoot(const TiaState& s, int from, int to, uint8_t* line) {
  const int aligned = (from + 3) & ~3;
  const int last = to & ~3;  // the pixel before the four that reach beyond `to`
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

}  // namespace

void draw_objects(TiaState& s, const Canvas& canvas, const Objects& objects, int from, int to) {
  collide(s, objects, from, to);
  if (!canvas.draw) return;
  uint8_t* pixels = canvas.pixels + s.row;
  Layers layers;
  MadeMasks made;
  layers.background = s.colour[background_colour];
  if (objects.enabled != 0) arrange(s, objects, made, layers);
  canvas.paint(layers, from, to, pixels);
  if (canvas.eager) overshoot(s, from, to, pixels);
}

}  // namespace pp::atari::vcs::tia
