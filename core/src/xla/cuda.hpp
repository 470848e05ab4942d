// The part of CUDA's driver that calls of programs on a GPU need. Its functions are looked up in
// the driver's library when the first such call comes, so that core is built and runs without CUDA.
#pragma once

#include <cstddef>

namespace pp::xla::cuda {

// XLA's stream of a call, in whose thread XLA has made the GPU's context current. Everything here
// throws host::Error with what the driver says.
class Stream {
 public:
  explicit Stream(void* stream) : stream_(stream) {}
  // Begun in the order of the stream. Host memory that is pinned has to stay until wait() returns.
  void to_host(void* to, const void* from, size_t bytes) const;
  void to_device(void* to, const void* from, size_t bytes) const;
  void wait() const;

 private:
  void* stream_;
};

// Host memory that GPUs read and write themselves. It keeps the context of the GPU that it was made
// for, and is freed there, by any thread.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  ~PinnedMemory() { free(); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  // Returns room for this many bytes, aligned for any column; its content is lost. A thread of a
  // call calls it.
  char* fit(size_t bytes);

 private:
  void free();

  void* data_ = nullptr;
  size_t bytes_ = 0;
  int device_ = 0;
  void* context_ = nullptr;  // NULL: no memory
};

}  // namespace pp::xla::cuda
