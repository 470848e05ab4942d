// What malloc says of itself, and what its memory holds: for the conformance kit.
#ifndef PARALLEL_POOL_SRC_CONFORMANCE_HEAP_HPP_
#define PARALLEL_POOL_SRC_CONFORMANCE_HEAP_HPP_

#include <cstdint>

namespace pp::python {

// Bytes that this process has from malloc, or -1 where they are not counted.
int64_t allocated_bytes();

// From now on memory that malloc hands out, here and in threads that begin, holds this byte where
// it can be arranged, so that what is never set has a known value. 0xFF: as malloc has it.
void fill_new_memory(uint8_t byte);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_CONFORMANCE_HEAP_HPP_
