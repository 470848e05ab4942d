// A step in a world of transitions once the draws are made, for many lanes of one world at a time.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_

#include <cstdint>

#include "toy_text/transitions.hpp"

namespace classic {

struct Arrivals {
  const int32_t* action;
  const uint64_t* draw;  // draw_bits(), any number where nothing is random
  uint32_t* found;       // scratch
  int32_t* state;        // before the step and after it
  int8_t* last_action;
  int64_t* obs;
  double* reward;
  double* probability;
  uint8_t* terminated;
};

// n lanes. No array may overlap another.
void arrive(uint32_t n, const Lookup& table, const Arrivals& lanes);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_
