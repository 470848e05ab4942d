// Encodes what the agent sees, and the whole grid, as minigrid does.
#ifndef PARALLEL_POOL_MINIGRID_GRID_VIEW_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_VIEW_HPP_

#include "grid/world.hpp"

namespace minigrid {

inline constexpr int largest_view = 15;

// (view, view, 3): column by column of the view, in which the agent looks up from the middle of
// the last row. Cells that it does not see are zeros.
void see(const World& world, uint8_t* image);

// (w, h, 3), with the agent over its cell.
void see_all(const World& world, uint8_t* image);

// (w, h, 3) too: column, row and type of each cell, -1 where it is empty.
void list_all(const World& world, int64_t* image);

// The place in the grid of column i, row j of the view.
Pos seen_place(const World& world, int i, int j);

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_VIEW_HPP_
