#include "grid/tiles.hpp"

#include <cstring>

#include "grid/tile_renderer.hpp"
#include "grid/view.hpp"

namespace minigrid {

const uint8_t* Tiles::tile(Cell cell, int dir, bool bright) {
  size_t key = cell & 0xff;
  key = key * colors + (cell >> 8 & 0xff);
  key = key * states + (cell >> 16 & 0xff);
  key = (key * directions + static_cast<size_t>(dir)) * 2 + (bright ? 1 : 0);
  std::unique_ptr<uint8_t[]>& tile = tiles_[key];
  if (!tile) tile = TileRenderer(size_).tile(cell, dir, bright);
  return tile.get();
}

void Tiles::write_row(uint8_t* picture) const {
  if (size_ == 8) return write_rows_of<8>(picture);
  write_rows_of<0>(picture);
}

// With N > 0 for tiles of this size: their lines are then copied without a call.
template <int N>
void Tiles::write_rows_of(uint8_t* picture) const {
  const auto line = static_cast<size_t>((N > 0 ? N : size_) * 3);
  for (size_t y = 0; y < static_cast<size_t>(size_); ++y) {
    for (const uint8_t* const pixels : row_) {
      std::memcpy(picture, pixels + y * line, line);
      picture += line;
    }
  }
}

void Tiles::draw_view(const World& world, uint8_t* picture) {
  const int n = world.view;
  std::array<uint8_t, largest_view * largest_view * 3> codes;
  see(world, codes.data());
  row_.resize(static_cast<size_t>(n));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const uint8_t* code = codes.data() + (i * n + j) * 3;
      Cell cell = code[0] | static_cast<Cell>(code[1]) << 8 | static_cast<Cell>(code[2]) << 16;
      const bool seen = type_of(cell) != Type::unseen;
      const bool agent = i == n / 2 && j == n - 1;
      if (!seen) cell = empty_cell;
      row_[static_cast<size_t>(i)] = tile(cell, agent ? 3 : no_agent, seen);
    }
    write_row(picture + j * n * size_ * size_ * 3);
  }
}

void Tiles::draw_all(const World& world, bool highlight, uint8_t* picture) {
  bright_.assign(static_cast<size_t>(world.w * world.h), 0);
  if (highlight) {
    std::array<uint8_t, largest_view * largest_view * 3> codes;
    see(world, codes.data());
    for (int i = 0; i < world.view; ++i) {
      for (int j = 0; j < world.view; ++j) {
        const Pos p = seen_place(world, i, j);
        const uint8_t type = codes[static_cast<size_t>((i * world.view + j) * 3)];
        if (type == static_cast<uint8_t>(Type::unseen) || !world.inside(p)) continue;
        bright_[static_cast<size_t>(p.y * world.w + p.x)] = 1;
      }
    }
  }
  row_.resize(static_cast<size_t>(world.w));
  for (int y = 0; y < world.h; ++y) {
    for (int x = 0; x < world.w; ++x) {
      const Pos p{x, y};
      row_[static_cast<size_t>(x)] = tile(world.get(p), world.at == p ? world.dir : no_agent,
                                          bright_[static_cast<size_t>(y * world.w + x)] != 0);
    }
    write_row(picture + y * world.w * size_ * size_ * 3);
  }
}

}  // namespace minigrid
