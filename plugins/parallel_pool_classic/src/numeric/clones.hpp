// One function, compiled for several generations of x86-64; the loader picks the best that the
// machine has. Results are the same: multiply-adds are not fused (see CMakeLists.txt), so only the
// width differs. Functions that one of these calls should be PP_CLASSIC_INLINE: a function for one
// generation is not put in place in one for another.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_

#include "numeric/glibc.hpp"  // PP_CLASSIC_LEVEL

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#if PP_CLASSIC_LEVEL == 2 && __GNUC__ >= 12
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#elif PP_CLASSIC_LEVEL == 2
// Older compilers know AVX-512 by the names of processors only: AMD's get AVX2.
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2", "arch=skylake-avx512")))
#elif PP_CLASSIC_LEVEL == 1
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2")))
#endif
#endif
#ifndef PP_CLASSIC_CLONES
#define PP_CLASSIC_CLONES
#endif

#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
