// Lines as pygame.draw draws them: pixel by pixel those of pygame-ce 2.5.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_PYGAME_LINE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_PYGAME_LINE_HPP_

#include "picture/canvas.hpp"
#include "picture/patchwork.hpp"

namespace box2d::picture {

struct FloatPoint {
  float x;
  float y;
};

// pygame.draw.aaline.
void draw_aaline(const Canvas& canvas, FloatPoint from, FloatPoint to, Colour colour);
// pygame.draw.aalines(closed=True), of three points or more.
void draw_aaline_loop(const Canvas& canvas, const FloatPoint* points, int count, Colour colour);
// pygame.draw.line of width 1, from whole pixels.
void draw_line(const Canvas& canvas, int x1, int y1, int x2, int y2, Colour colour);
// Draws a line of width 2: the second pixel is to the right of a steep line, and below a flat one.
void draw_double_line(Patchwork& picture, int x1, int y1, int x2, int y2, Colour colour);
// pygame.draw.circle of one colour, radius in pixels.
void fill_circle(const Canvas& canvas, int x, int y, int radius, Colour colour);

}  // namespace box2d::picture

#endif
