// The antialiased line of SDL_gfx: the edge of pygame.gfxdraw.aapolygon.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_LINE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_LINE_HPP_

#include "picture/canvas.hpp"

namespace box2d::picture {

struct Pixel {
  int16_t x;
  int16_t y;
};

// Leaves the last pixel out where the line is neither horizontal nor vertical.
void draw_smooth_line(const Canvas& canvas, Pixel from, Pixel to, Colour colour);

}  // namespace box2d::picture

#endif
