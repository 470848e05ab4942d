// Stepping the selected rows only: a draw for a lane that is reset next would be one too many.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_SELECTED_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_SELECTED_HPP_

#include <cstdint>

namespace classic {

// Calls step(i) for each. What `step` needs it should hold in locals: stores of bytes may alias
// everything else.
template <class Rows, class Step>
inline void each_selected(const Rows& rows, Step&& step) {
  const uint32_t n = rows.size();
  const bool all = rows.all_selected();
  // One call of step, so that it is put in place.
  for (uint32_t i = 0; i < n; ++i) {
    if (all || rows.selected(i)) step(i);
  }
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_SELECTED_HPP_
