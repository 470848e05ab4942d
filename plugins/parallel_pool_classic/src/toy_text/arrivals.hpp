// The second half of a step in a world of transitions: what the table's entries say, for many lanes
// of one world at a time.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_

#include <cstdint>

#include "toy_text/transitions.hpp"

namespace classic {

// Entries as `found` by Lookup::find. No array may overlap another; all have n elements.
void arrive(uint32_t n, const Lookup& table, const uint32_t* found, const int32_t* action,
            int32_t* state, int8_t* last_action, int64_t* obs, double* reward,
            double* probability, uint8_t* terminated);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_ARRIVALS_HPP_
