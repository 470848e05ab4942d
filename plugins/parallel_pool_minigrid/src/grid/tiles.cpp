#include "grid/tiles.hpp"

#include "grid/painter.hpp"
#include "grid/view.hpp"

namespace minigrid {

const uint8_t* Tiles::tile(Cell cell, int dir, bool bright) {
  size_t key = cell & 0xff;
  key = key * colors + (cell >> 8 & 0xff);
  key = key * states + (cell >> 16 & 0xff);
  key = (key * directions + static_cast<size_t>(dir)) * 2 + (bright ? 1 : 0);
  std::unique_ptr<uint8_t[]>& tile = tiles_[key];
  if (!tile) tile = Painter(size_).tile(cell, dir, bright);
  return tile.get();
}

void Tiles::blit(Cell cell, int dir, bool bright, uint8_t* picture, int row_bytes) {
  const uint8_t* pixels = tile(cell, dir, bright);
  for (int y = 0; y < size_; ++y) {
    std::copy_n(pixels + y * size_ * 3, size_ * 3, picture + y * row_bytes);
  }
}

void Tiles::draw_view(const World& world, uint8_t* picture) {
  const int n = world.view;
  std::array<uint8_t, largest_view * largest_view * 3> codes;
  see(world, codes.data());
  const int row_bytes = n * size_ * 3;
  const uint8_t* code = codes.data();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j, code += 3) {
      Cell cell = code[0] | static_cast<Cell>(code[1]) << 8 | static_cast<Cell>(code[2]) << 16;
      const bool seen = type_of(cell) != Type::unseen;
      const bool agent = i == n / 2 && j == n - 1;
      if (!seen) cell = empty_cell;
      blit(cell, agent ? 3 : no_agent, seen, picture + j * size_ * row_bytes + i * size_ * 3,
           row_bytes);
    }
  }
}

void Tiles::draw_all(const World& world, bool highlight, uint8_t* picture) {
  std::vector<uint8_t> bright(static_cast<size_t>(world.w * world.h), 0);
  if (highlight) {
    std::array<uint8_t, largest_view * largest_view * 3> codes;
    see(world, codes.data());
    for (int i = 0; i < world.view; ++i) {
      for (int j = 0; j < world.view; ++j) {
        const Pos p = seen_place(world, i, j);
        const uint8_t type = codes[static_cast<size_t>((i * world.view + j) * 3)];
        if (type == static_cast<uint8_t>(Type::unseen) || !world.inside(p)) continue;
        bright[static_cast<size_t>(p.y * world.w + p.x)] = 1;
      }
    }
  }
  const int row_bytes = world.w * size_ * 3;
  for (int y = 0; y < world.h; ++y) {
    for (int x = 0; x < world.w; ++x) {
      const Pos p{x, y};
      blit(world.get(p), world.at == p ? world.dir : no_agent,
           bright[static_cast<size_t>(y * world.w + x)] != 0,
           picture + y * size_ * row_bytes + x * size_ * 3, row_bytes);
    }
  }
}

}  // namespace minigrid
