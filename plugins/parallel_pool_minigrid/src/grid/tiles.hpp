// Pictures of cells, equal in every bit to minigrid's.
#ifndef PARALLEL_POOL_MINIGRID_GRID_TILES_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_TILES_HPP_

#include <memory>
#include <vector>

#include "grid/world.hpp"

namespace minigrid {

// Draws one picture at a time.
class Tiles {
 public:
  explicit Tiles(int size) : size_(size), tiles_(types * colors * states * directions * 2) {}

  // Draws what the agent sees, bright, as it sees it. Cells that it does not see are dark and
  // empty.
  void draw_view(const World& world, uint8_t* picture);
  // The grid; with `highlight` what the agent sees is bright.
  void draw_all(const World& world, bool highlight, uint8_t* picture);

 private:
  static constexpr size_t types = 11, colors = 6, states = 3, directions = 5;
  static constexpr int no_agent = 4;

  void write_row(uint8_t* picture) const;
  template <int N>
  void write_rows_of(uint8_t* picture) const;
  const uint8_t* tile(Cell cell, int dir, bool bright);

  int size_;
  std::vector<std::unique_ptr<uint8_t[]>> tiles_;  // painted when first needed
  // While a picture is drawn: the tiles of a row of cells, and which cells are bright.
  std::vector<const uint8_t*> row_;
  std::vector<uint8_t> bright_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_TILES_HPP_
