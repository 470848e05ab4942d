// For functions that stay out of line, by any compiler.
#pragma once

#if defined(_MSC_VER)
#define PP_NOINLINE __declspec(noinline)
#else
#define PP_NOINLINE __attribute__((noinline))
#endif
