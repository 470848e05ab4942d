// One function, compiled for several generations of x86-64; the loader picks the best that the
// machine has. Results are the same: multiply-adds are not fused (see CMakeLists.txt), so only the
// width differs.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define PP_CLASSIC_CLONES __attribute__((target_clones("default", "avx2", "arch=skylake-avx512")))
#else
#define PP_CLASSIC_CLONES
#endif

#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_CLONES_HPP_
