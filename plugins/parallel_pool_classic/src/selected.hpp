// Going over the selected rows only: a draw for a lane that is reset next would be one too many.
#ifndef PARALLEL_POOL_CLASSIC_SELECTED_HPP_
#define PARALLEL_POOL_CLASSIC_SELECTED_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace classic {

// A bit for each of the next `count` <= 64 rows, the first lowest.
inline uint64_t selection(const uint8_t* mask, uint32_t count) {
  uint64_t bits = 0;
  for (uint32_t byte = 0; byte < count; byte += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, mask + byte, std::min(8u, count - byte));
    // 1 in every byte that is not 0; then the ones side by side.
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    const uint64_t ones = (((eight & low) + low) | eight) >> 7 & 0x0101010101010101u;
    bits |= (ones * 0x0102040810204080u >> 56) << byte;  // little-endian: the first is lowest
  }
  return bits;
}

// Calls step(i) for each. What `step` needs it should hold in locals: stores of bytes may alias
// everything else.
//
// The selected rows are as good as random, and a branch on them would be mispredicted at every
// other one. A loop over the bits of a word ends unexpectedly once in 64 rows.
template <class Rows, class Step>
inline void each_selected(const Rows& rows, Step&& step) {
  const uint32_t n = rows.size();
  const uint8_t* mask = rows.mask();
  for (uint32_t first = 0; first < n; first += 64) {
    const uint32_t chunk = std::min(64u, n - first);
    uint64_t bits = mask == nullptr ? 0 : selection(mask + first, chunk);
    const auto count = mask == nullptr ? chunk : static_cast<uint32_t>(__builtin_popcountll(bits));
    // One call of step, so that it is put in place.
    for (uint32_t k = 0; k < count; ++k) {
      step(first + (mask == nullptr ? k : static_cast<uint32_t>(__builtin_ctzll(bits))));
      bits &= bits - 1;
    }
  }
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_SELECTED_HPP_
