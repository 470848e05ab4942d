/* Preloaded: one request for memory is refused, of all that code of some libraries makes in the
   thread that has asked for that. Of glibc. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* block, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

enum { MOST = 16 };
static struct {
  uintptr_t begin, end;
} code[MOST];
static int libraries = 0;
static __thread long granted = -1; /* before one is refused; negative: all are granted */

static int find(struct dl_phdr_info* info, size_t size, void* mark) {
  (void)size;
  if (strstr(info->dlpi_name, mark) == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum && libraries < MOST; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    code[libraries].begin = info->dlpi_addr + part->p_vaddr;
    code[libraries].end = code[libraries].begin + part->p_memsz;
    ++libraries;
  }
  return 0;
}

/* Those with this in their path count too. */
SHOWN void watch_library(const char* mark) {
  dl_iterate_phdr(find, (void*)mark);
}

/* Gives how many more would have been granted; negative: one was refused. */
SHOWN long refuse_after(long requests) {
  const long left = granted;
  granted = requests;
  return left;
}

static int refuses(const void* caller) {
  const uintptr_t at = (uintptr_t)caller;
  if (granted < 0) return 0;
  for (int i = 0; i < libraries; ++i) {
    if (at < code[i].begin || at >= code[i].end) continue;
    if (granted-- > 0) return 0;
    errno = ENOMEM;
    return 1;
  }
  return 0;
}

#define REFUSES refuses(__builtin_return_address(0))

SHOWN void* malloc(size_t bytes) {
  return REFUSES ? NULL : __libc_malloc(bytes);
}
SHOWN void* calloc(size_t count, size_t bytes) {
  return REFUSES ? NULL : __libc_calloc(count, bytes);
}
SHOWN void* realloc(void* block, size_t bytes) {
  return REFUSES ? NULL : __libc_realloc(block, bytes);
}
SHOWN void* aligned_alloc(size_t alignment, size_t bytes) {
  return REFUSES ? NULL : __libc_memalign(alignment, bytes);
}
SHOWN int posix_memalign(void** block, size_t alignment, size_t bytes) {
  if (REFUSES) return ENOMEM;
  *block = __libc_memalign(alignment, bytes);
  return *block == NULL ? ENOMEM : 0;
}
