// For the libraries that engines load: what an engine opens in /dev/shm by a name is the open file
// of that name that it was given (shared_file.hpp). None of them is ever in /dev/shm, which may be
// small, and where a process that is killed would leave them.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_GIVEN_FILES_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_GIVEN_FILES_HPP_

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstring>

namespace doom {

// Returns true if the open file has that name, in any folder or none.
inline bool is_named(int file, const char* name) {
  char link[32] = "/proc/self/fd/";
  char digits[12];
  size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + file % 10);
  } while ((file /= 10) != 0);
  size_t length = std::strlen(link);
  while (count > 0) link[length++] = digits[--count];
  link[length] = 0;
  char path[PATH_MAX];
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = 0;
  return std::strstr(path, name) != nullptr;
}

}  // namespace doom

extern "C" __attribute__((visibility("default"))) int shm_open(const char* name, int flags,
                                                               mode_t mode) {
  constexpr int first = 3;  // the first number of Inherited; it is below lowest_here
  constexpr int end = 16;
  for (int file = first; file < end; ++file) {
    if (doom::is_named(file, name + 1)) return fcntl(file, F_DUPFD_CLOEXEC, end);
  }
  using Open = int (*)(const char*, int, mode_t);
  static Open as_ever = nullptr;
  if (as_ever == nullptr) as_ever = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "shm_open"));
  return as_ever(name, flags, mode);
}

#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_GIVEN_FILES_HPP_
