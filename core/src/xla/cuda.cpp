#include "xla/cuda.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/dynamic_library.hpp"

namespace pp::xla::cuda {
namespace {

using Status = int;              // 0: done
using Address = std::uintptr_t;  // a device's

template <class... Arguments>
struct Function {
  explicit Function(const char* name) : symbol(host::exported_symbol("libcuda.so.1", name)) {
    if (symbol != nullptr) return;
    throw host::Error(host::ErrorKind::plugin,
                      std::string("CUDA's driver is too old: it has no ") + name + ". Upgrade it");
  }
  Status operator()(Arguments... arguments) const {
    return reinterpret_cast<Status (*)(Arguments...)>(const_cast<void*>(symbol))(arguments...);
  }
  const void* symbol;
};

struct Driver {
  Function<void*, Address, size_t, void*> to_host{"cuMemcpyDtoHAsync_v2"};
  Function<Address, const void*, size_t, void*> to_device{"cuMemcpyHtoDAsync_v2"};
  Function<void*> wait{"cuStreamSynchronize"};
  Function<int*> device{"cuCtxGetDevice"};
  Function<void**, int> retain{"cuDevicePrimaryCtxRetain"};
  Function<int> release{"cuDevicePrimaryCtxRelease_v2"};
  Function<void*> push{"cuCtxPushCurrent_v2"};
  Function<void**> pop{"cuCtxPopCurrent_v2"};
  Function<void**, size_t, unsigned> allocate{"cuMemHostAlloc"};
  Function<void*> free{"cuMemFreeHost"};
  Function<Status, const char**> describe{"cuGetErrorString"};
};

const Driver& driver() {
  static const Driver all;
  return all;
}

void expect(Status status, const std::string& what) {
  if (status == 0) return;
  const char* said = nullptr;
  driver().describe(status, &said);
  throw host::Error(host::ErrorKind::access, "CUDA cannot " + what + ": " +
                                                 (said == nullptr ? "unknown error" : said) + " (" +
                                                 std::to_string(status) + ")");
}

}  // namespace

void Stream::to_host(void* to, const void* from, size_t bytes) const {
  if (bytes == 0) return;
  expect(driver().to_host(to, reinterpret_cast<Address>(from), bytes, stream_),
         "copy arguments of a call from the GPU");
}

void Stream::to_device(void* to, const void* from, size_t bytes) const {
  if (bytes == 0) return;
  expect(driver().to_device(reinterpret_cast<Address>(to), from, bytes, stream_),
         "copy results of a call to the GPU");
}

void Stream::wait() const {
  expect(driver().wait(stream_), "finish what the program does before and during a call");
}

char* PinnedMemory::fit(size_t bytes) {
  if (bytes <= bytes_) return static_cast<char*>(data_);
  free();
  expect(driver().device(&device_), "say on which GPU a call is");
  expect(driver().retain(&context_, device_), "keep the context of a GPU");
  constexpr unsigned for_all_contexts = 1;
  expect(driver().allocate(&data_, bytes, for_all_contexts),
         "give " + std::to_string(bytes) + " bytes of pinned memory");
  bytes_ = bytes;
  return static_cast<char*>(data_);
}

// No errors: at the end of a process the driver may have gone first, with the memory.
void PinnedMemory::free() {
  void* context = std::exchange(context_, nullptr);
  void* data = std::exchange(data_, nullptr);
  bytes_ = 0;
  if (context == nullptr) return;
  if (driver().push(context) == 0) {
    if (data != nullptr) driver().free(data);
    driver().pop(&context);
  }
  driver().release(device_);
}

}  // namespace pp::xla::cuda
