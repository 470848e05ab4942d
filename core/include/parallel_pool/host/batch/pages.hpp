// parallel_pool/host/batch/pages.hpp: zeros that cost nothing until they are written.
//
// Large blocks come from the system as pages that do not exist yet. Each comes to be where it is
// first written: on the NUMA node of the thread that writes its row, not on that of the thread that
// asked for the block. What is never written never takes any memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>

#if !defined(_WIN32)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace pp::host {

// Below this the allocator is cheaper than the system, and pages are shared with neighbours anyway.
inline constexpr size_t large_block = size_t{256} << 10;

// `bytes` zeros. alignment: at most a page. Throws std::bad_alloc.
inline char* allocate_zeros(size_t bytes, size_t alignment) {
#if !defined(_WIN32)
  if (bytes >= large_block) {
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    return static_cast<char*>(block);
  }
#endif
  void* block = ::operator new(bytes, std::align_val_t{alignment});
  std::memset(block, 0, bytes);
  return static_cast<char*>(block);
}

// Takes what allocate_zeros was given.
inline void free_zeros(char* block, [[maybe_unused]] size_t bytes, size_t alignment) {
#if !defined(_WIN32)
  if (bytes >= large_block) {
    munmap(block, bytes);
    return;
  }
#endif
  ::operator delete(block, std::align_val_t{alignment});
}

// Zeros that their owner frees.
class ZeroBlock {
 public:
  // Throws std::bad_alloc.
  ZeroBlock(size_t bytes, size_t alignment)
      : data_(allocate_zeros(bytes, alignment)), bytes_(bytes), alignment_(alignment) {}
  ~ZeroBlock() { free_zeros(data_, bytes_, alignment_); }
  ZeroBlock(const ZeroBlock&) = delete;
  ZeroBlock& operator=(const ZeroBlock&) = delete;

  char* data() const { return data_; }

 private:
  char* const data_;
  const size_t bytes_;
  const size_t alignment_;
};

// Has the allocator give back what is free in its heap, of which `freed` bytes just came to be. It
// would keep it for good where a block that is in use lies behind; not for little, because it looks
// through all of the heap.
inline void return_free_memory(size_t freed) {
#if defined(__GLIBC__)
  static constexpr size_t worth_it = size_t{4} << 20;
  static std::atomic<size_t> sum{0};
  if (sum.fetch_add(freed) + freed < worth_it) return;
  sum.store(0);
  malloc_trim(0);
#else
  (void)freed;
#endif
}

}  // namespace pp::host
