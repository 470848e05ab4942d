// One function, compiled for several generations of x86-64; the loader picks the best that the
// machine has. Results are the same: multiply-adds are not fused (see CMakeLists.txt), so only the
// width differs.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_

#include "numeric/glibc.hpp"  // PP_CLASSIC_LEVEL

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#if PP_CLASSIC_LEVEL == 2
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2", "arch=skylake-avx512")))
#elif PP_CLASSIC_LEVEL == 1
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2")))
#endif
#endif
#ifndef PP_CLASSIC_CLONES
#define PP_CLASSIC_CLONES
#endif

#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
