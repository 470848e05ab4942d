// Paints one cell as minigrid does: shapes are tested at the centres of 3 x 3 points of each pixel,
// in its mixture of float and double, and averaged in its order.
#ifndef PARALLEL_POOL_MINIGRID_GRID_TILE_RENDERER_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_TILE_RENDERER_HPP_

#include <memory>
#include <vector>

#include "grid/cell.hpp"

namespace minigrid {

class TileRenderer {
 public:
  explicit TileRenderer(int size);
  // dir: of the agent, 4 where it is not.
  std::unique_ptr<uint8_t[]> tile(Cell cell, int dir, bool bright);

 private:
  struct Rgb {
    uint8_t r, g, b;
    Rgb times(double factor) const;
  };
  static Rgb rgb(Color color);

  template <class Shape>
  void fill(Shape&& inside, Rgb color);
  void rectangle(double x0, double x1, double y0, double y1, Rgb color);
  void circle(double cx, double cy, double r, Rgb color);
  void line(double x0, double y0, double x1, double y1, double r, Rgb color);
  void agent(int dir);
  void object(Cell cell);
  void door(DoorState state, Rgb color);
  void lava();
  std::unique_ptr<uint8_t[]> averaged() const;

  int size_;
  int points_;  // points of a side: three for each pixel
  std::vector<uint8_t> canvas_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_TILE_RENDERER_HPP_
