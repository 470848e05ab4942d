#include "conformance/memory_fill.hpp"

#include <cstddef>
#include <cstdlib>
#include <vector>
#if defined(__GLIBC__)
#include <malloc.h>
#if __GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33)
#define PP_HAS_MALLINFO2 1
#endif
#endif

#include "parallel_pool/host/plugin/error_sink.hpp"

namespace pp::python {
namespace {

// A thread keeps freed blocks up to this size and hands them out as they are, `kept_of_a_size` of
// each size.
constexpr size_t kept_size = 1032;
constexpr size_t kept_of_a_size = 48;

}  // namespace

int64_t allocated_bytes() {
#ifdef PP_HAS_MALLINFO2
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
#else
  return -1;
#endif
}

void fill_new_memory(uint8_t byte) {
  // Blocks that a thread has kept are handed out as they are, with pointers of malloc's own in
  // them: they are held meanwhile, and others are filled.
  static std::vector<void*> held;
  for (void* block : held) std::free(block);
  held.clear();
#if defined(__GLIBC__)
  mallopt(M_PERTURB, byte ^ 0xFF);
#endif
  for (size_t size = sizeof(void*); byte != 0xFF && size <= kept_size;
       size += alignof(std::max_align_t)) {
    for (size_t i = 0; i < kept_of_a_size; ++i) held.push_back(std::malloc(size));
  }
}

void fill_stack(uint8_t byte) {
  volatile uint64_t below[1 << 11];
  for (volatile uint64_t& each : below) each = byte * 0x0101010101010101u;
}

void* create_below(const pp_env& env, const pp_shard& shard) {
  [[maybe_unused]] volatile unsigned char above[1 << 12];
  above[0] = 0;
  void* made = env.create(&host::host_table(), &shard);
  above[1] = 0;
  return made;
}

}  // namespace pp::python
