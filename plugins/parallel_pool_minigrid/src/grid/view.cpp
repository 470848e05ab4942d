#include "grid/view.hpp"

#include <cstring>

namespace minigrid {
namespace {

// The original lets sight spread cell by cell: from the row of the agent on, from left to right and
// back, a visible cell that is not opaque shows the next one, and the three ahead of both. Rows of
// bits do the same: `clear` has the cells that are not opaque.
template <int N>
void spread(const uint32_t* clear, uint32_t* visible, int size) {
  const int n = N > 0 ? N : size;
  const uint32_t row = (1u << n) - 1;
  uint32_t now = 1u << (n / 2);
  for (int j = n - 1; j >= 0; --j) {
    const uint32_t open = clear[j];
    for (int k = 1; k < n; ++k) now |= (now & open) << 1;
    now &= row;
    const uint32_t to_right = now & open & (row >> 1);
    for (int k = 1; k < n; ++k) now |= (now & open) >> 1;
    const uint32_t to_left = now & open & ~1u;
    visible[j] = now;
    now = to_right | to_right << 1 | to_left | to_left >> 1;
  }
}

// With N > 0 for a view of this size, which the compiler then unrolls.
template <int N>
void see_sized(const World& world, uint8_t* image) {
  const int n = N > 0 ? N : world.view;
  const int fx = dir_x[world.dir], fy = dir_y[world.dir];
  const int right = -fy + fx * world.stride, ahead = fx + fy * world.stride;
  const Cell* corner = &world.cells[world.index(world.at.x, world.at.y)] - n / 2 * right;
  Cell cells[(N > 0 ? N : largest_view) * (N > 0 ? N : largest_view)];  // by column
  uint32_t visible[N > 0 ? N : largest_view];
  uint32_t clear[N > 0 ? N : largest_view];
  for (int j = 0; j < n; ++j) {
    const Cell* p = corner + (n - 1 - j) * ahead;
    uint32_t opaque = 0;
    for (int i = 0; i < n; ++i) {
      cells[i * n + j] = p[i * right];
      opaque |= opaque_bit(p[i * right]) << i;
    }
    clear[j] = ~opaque;
  }
  if (world.see_through) {
    for (int j = 0; j < n; ++j) visible[j] = ~0u;
  } else {
    spread<N>(clear, visible, n);
  }
  cells[n / 2 * n + n - 1] = world.objects[world.carrying].cell;
  uint8_t* out = image;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j, out += 3) {
      const Cell code = cells[i * n + j] & (0u - (visible[j] >> i & 1u));
      if (i * n + j + 1 < n * n) {
        std::memcpy(out, &code, 4);  // the next one overwrites the fourth byte
      } else {
        std::memcpy(out, &code, 3);
      }
    }
  }
}

}  // namespace

void see(const World& world, uint8_t* image) {
  if (world.view == 7) return see_sized<7>(world, image);
  see_sized<0>(world, image);
}

void see_all(const World& world, uint8_t* image) {
  for (int x = 0; x < world.w; ++x) {
    for (int y = 0; y < world.h; ++y) {
      const Cell cell = world.get({x, y});
      std::memcpy(image + (x * world.h + y) * 3, &cell, 3);
    }
  }
  uint8_t* agent = image + (world.at.x * world.h + world.at.y) * 3;
  agent[0] = static_cast<uint8_t>(Type::agent);
  agent[1] = static_cast<uint8_t>(Color::red);
  agent[2] = static_cast<uint8_t>(world.dir);
}

void list_all(const World& world, int64_t* image) {
  int64_t* out = image;
  for (int x = 0; x < world.w; ++x) {
    for (int y = 0; y < world.h; ++y, out += 3) {
      const Type type = type_of(world.get({x, y}));
      out[0] = x;
      out[1] = y;
      out[2] = type == Type::empty ? -1 : static_cast<int64_t>(type);
    }
  }
  image[(world.at.x * world.h + world.at.y) * 3 + 2] = static_cast<int64_t>(Type::agent);
}

Pos seen_place(const World& world, int i, int j) {
  const int fx = dir_x[world.dir], fy = dir_y[world.dir];
  const int ahead = world.view - 1 - j, right = i - world.view / 2;
  return {world.at.x + fx * ahead - fy * right, world.at.y + fy * ahead + fx * right};
}

}  // namespace minigrid
