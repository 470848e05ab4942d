/* Preloaded with LD_PRELOAD: counts the calls of the allocator, of all threads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_ulong calls;

__attribute__((visibility("default"))) unsigned long malloc_calls(void) {
  return atomic_load(&calls);
}

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

#define COUNTED __attribute__((visibility("default")))

COUNTED void* malloc(size_t size) {
  atomic_fetch_add(&calls, 1);
  return __libc_malloc(size);
}
COUNTED void* calloc(size_t count, size_t size) {
  atomic_fetch_add(&calls, 1);
  return __libc_calloc(count, size);
}
COUNTED void* realloc(void* block, size_t size) {
  atomic_fetch_add(&calls, 1);
  return __libc_realloc(block, size);
}
COUNTED void* memalign(size_t alignment, size_t size) {
  atomic_fetch_add(&calls, 1);
  return __libc_memalign(alignment, size);
}
COUNTED void* aligned_alloc(size_t alignment, size_t size) {
  atomic_fetch_add(&calls, 1);
  return __libc_memalign(alignment, size);
}
COUNTED int posix_memalign(void** block, size_t alignment, size_t size) {
  atomic_fetch_add(&calls, 1);
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
