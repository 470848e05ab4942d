// The part that the classic control kernels share: stepping in blocks whose scratch arrays stay on
// the stack and in the first-level cache.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_BLOCKS_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_BLOCKS_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace classic {

constexpr uint32_t block = 64;

// Calls step(first row, first lane, count) for blocks of rows, count <= block.
template <class Rows, class Step>
inline void in_blocks(const Rows& rows, Step&& step) {
  for (uint32_t row = 0; row < rows.size(); row += block) {
    step(row, rows.first() + row, std::min(block, rows.size() - row));
  }
}

// No environment here truncates an episode itself.
template <class Rows>
inline void no_truncation(const Rows& rows) {
  std::memset(rows.truncated(), 0, rows.size());
}
template <class Rows>
inline void no_flags(const Rows& rows) {
  no_truncation(rows);
  std::memset(rows.terminated(), 0, rows.size());
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_BLOCKS_HPP_
