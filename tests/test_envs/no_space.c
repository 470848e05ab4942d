/* Preloaded: as if there were no memory to share. */
#include <errno.h>
#include <stdint.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int ftruncate64(int fd, int64_t bytes);
SHOWN int ftruncate64(int fd, int64_t bytes) {
  (void)fd;
  (void)bytes;
  errno = ENOSPC;
  return -1;
}
SHOWN int ftruncate(int fd, long bytes);
SHOWN int ftruncate(int fd, long bytes) {
  return ftruncate64(fd, bytes);
}
