// Polygons, pixel by pixel as pygame-ce 2.5 draws them. Each of its three ways rounds in its own
// manner; all cut the fractions of coordinates off. At most most_corners corners.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_POLYGON_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_POLYGON_HPP_

#include "engine/bodies.hpp"
#include "picture/canvas.hpp"
#include "picture/patchwork.hpp"

namespace box2d::picture {

constexpr int most_corners = 16;

// Does what pygame.draw.polygon(surface, colour, points) does. Surface: const Canvas or Patchwork.
template <class Surface>
void fill_polygon(Surface& surface, const Point* corners, int count, Colour colour);
// Does what pygame.gfxdraw.aapolygon does: the antialiased border.
void draw_smooth_border(const Canvas& canvas, const Point* corners, int count, Colour colour);
// Both, one after the other.
void fill_bordered(const Canvas& canvas, const Point* corners, int count, Colour colour);
// Does what pygame.gfxdraw.aapolygon and then filled_polygon do, with the same points: SDL_gfx,
// whose coordinates have 16 bits.
void fill_smooth_polygon(Patchwork& picture, const Point* corners, int count, Colour colour);

}  // namespace box2d::picture

#endif
