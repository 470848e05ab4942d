// The values in XLA's buffers and in columns of batches: the dtypes of both, and the way from one
// to the other.
#pragma once

#include <cstddef>

#include "actions/action_checker.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "xla/frame.hpp"

namespace pp::xla {

// A buffer as the interface of Actions wants it. Throws for dtypes that no pool has.
python::RawArray raw(const Buffer& buffer);

// Elements of a row.
size_t width_of(const host::Column& column);

// Returns true if elements of a column lie in a buffer as they lie in a batch.
bool alike(const host::Column& column, const Buffer& buffer);

// `n` elements of a column to those of a buffer from `first` on, which is result number `result`.
// With JAX's 64-bit types off, what has 64 bits here has 32 there; for other dtypes it throws.
void put(const host::Column& column, const char* from, const Buffer& to, size_t first, size_t n,
         size_t result);

}  // namespace pp::xla
