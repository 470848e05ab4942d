// parallel_pool/host/workers/shared_memory.hpp: memory that a pool and one worker have together.
//
// With worker processes (PP_PROCESSES: Linux) it has a descriptor, by which another
// process can have it too; elsewhere workers are threads.
#pragma once

#if PP_PROCESSES
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#else
#include <vector>
#endif

#include <cstdint>
#include <cstring>
#include <string>

#include "parallel_pool/host/base/error.hpp"

namespace pp::host::workers {

#if PP_PROCESSES

class SharedMemory {
 public:
  // New memory, of zeros.
  explicit SharedMemory(uint64_t bytes)
      : descriptor_(above_streams(memfd_create("parallel_pool", MFD_CLOEXEC))) {
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
      refuse("no shared memory of " + std::to_string(bytes) + " bytes: ");
    }
    map(bytes);
  }
  // Maps the memory of a descriptor, which it takes over.
  explicit SharedMemory(int descriptor) : descriptor_(descriptor) {
    struct stat file{};
    if (fstat(descriptor_, &file) != 0) refuse("descriptor " + std::to_string(descriptor) + ": ");
    map(static_cast<uint64_t>(file.st_size));
  }
  ~SharedMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
    drop(descriptor_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int descriptor() const { return descriptor_; }
  char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  // Moves a descriptor to a number that no standard stream has. If those were closed, a library
  // would print into the memory.
  static int above_streams(int descriptor) {
    if (descriptor < 0 || descriptor > 2) return descriptor;
    const int other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    drop(descriptor);
    return other;
  }
  static void drop(int descriptor) {
    if (descriptor >= 0) ::close(descriptor);
  }
  void map(uint64_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) refuse("the shared memory cannot be mapped: ");
    data_ = static_cast<char*>(memory);
    bytes_ = bytes;
  }
  [[noreturn]] void refuse(const std::string& what) {
    const std::string reason = std::strerror(errno);
    drop(descriptor_);
    throw Error(ErrorKind::environment, what + reason);
  }

  int descriptor_;
  char* data_ = nullptr;
  uint64_t bytes_ = 0;
};

#else
// Threads share everything, so this is memory of the process.
class SharedMemory {
 public:
  explicit SharedMemory(uint64_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)) {}

  char* data() { return lines_.data()->bytes; }
  uint64_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> lines_;
};
#endif

}  // namespace pp::host::workers
