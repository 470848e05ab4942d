// The antialiased line of SDL_gfx: the edge of pygame.gfxdraw.aapolygon.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_LINE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_LINE_HPP_

#include <cstdint>
#include <cstdlib>

#include "picture/canvas.hpp"

namespace box2d::picture {

struct Pixel {
  int16_t x;
  int16_t y;
};

// Cohen and Sutherland's clipping to a picture of that size, in 16 bits and floats. False if
// nothing of the line is seen.
bool clip_line(int width, int height, Pixel& a, Pixel& b);

// alpha: 0 to 255, of the colour. The original adds (difference * alpha) >> 8, rounded down, to
// each channel of the old one, which is this.
inline Colour blended(Colour old, Colour colour, uint32_t alpha) {
  constexpr Colour red_blue = 0xFF00FF;
  constexpr Colour green = 0x00FF00;
  const uint32_t rest = 256 - alpha;
  return (((old & red_blue) * rest + (colour & red_blue) * alpha) >> 8 & red_blue) |
         (((old & green) * rest + (colour & green) * alpha) >> 8 & green);
}

// The pixels between the ends of a line that is neither horizontal nor vertical, from the upper end
// on: two of each row where it is steep, and of each column elsewhere.
template <bool Steep, class Surface>
void draw_middle(Surface& surface, Pixel top, Pixel bottom, Colour colour) {
  const auto blend = [&](int x, int y, uint32_t weight) {
    if (!surface.has(x, y)) return;
    const Colour old = surface.at(x, y);
    const Colour mixed = blended(old, colour, (255 * weight) >> 8);
    if (mixed != old) surface.set(x, y, mixed);
  };
  const int width = std::abs(bottom.x - top.x);
  const int height = bottom.y - top.y;
  const int direction = bottom.x > top.x ? 1 : -1;
  const int slow = Steep ? width : height;
  const int fast = Steep ? height : width;
  // The fraction of a pixel that the slow coordinate advances, in 32 bits that overflow at a whole
  // pixel.
  const uint32_t advance = static_cast<uint32_t>((slow << 16) / fast) << 16;
  uint32_t fraction = 0;
  int x = top.x;
  int y = top.y;
  for (int left = fast - 1; left > 0; --left) {
    const uint32_t before = fraction;
    fraction += advance;
    const int over = fraction <= before ? 1 : 0;
    y += Steep ? 1 : over;
    x += Steep ? direction * over : direction;
    const uint32_t weight = fraction >> 24;
    blend(x, y, 255 - weight);
    blend(Steep ? x + direction : x, Steep ? y : y + 1, weight);
  }
}

// Leaves the last pixel out where the line is neither horizontal nor vertical. Surface: a Canvas or
// a Patchwork, or one that has less.
template <class Surface>
void draw_smooth_line(Surface& surface, Pixel from, Pixel to, Colour colour) {
  if (!clip_line(surface.width(), surface.height(), from, to)) return;
  const bool down = from.y <= to.y;
  const Pixel top = down ? from : to;
  const Pixel bottom = down ? to : from;
  const int width = std::abs(bottom.x - top.x);
  const int height = bottom.y - top.y;
  if (width == 0) {
    for (int y = top.y; y <= bottom.y; ++y) surface.put(top.x, y, colour);
    return;
  }
  if (height == 0) {
    surface.span(top.x, bottom.x, top.y, colour);
    return;
  }
  surface.put(from.x, from.y, colour);
  if (height > width) {
    draw_middle<true>(surface, top, bottom, colour);
  } else {
    draw_middle<false>(surface, top, bottom, colour);
  }
}

}  // namespace box2d::picture

#endif
