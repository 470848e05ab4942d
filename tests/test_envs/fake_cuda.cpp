// A stand-in for CUDA's driver, and for XLA where it has a GPU: handlers of calls on CUDA are run
// by XLA's CPU, with buffers at addresses where nothing is. Only this driver's copies reach them,
// and they are made when the stream is waited for.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "xla/abi.hpp"

using namespace pp::xla;

extern "C" {
const char* failing = "";  // the name of a function: tests order it
// What tests ask.
std::atomic<long> retained{0}, blocks{0}, bytes{0}, allocations{0};
}

namespace {

constexpr uintptr_t elsewhere = uintptr_t{1} << 62;  // no address of a process has this bit

struct Copy {
  void* to;
  const void* from;
  size_t bytes;
};
using Stream = std::vector<Copy>;

thread_local Stream stream;              // of the call that runs in this thread
thread_local std::vector<int*> current;  // contexts
int context;                             // the only one

void* moved(const void* address) {
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(address) ^ elsewhere);
}

using Handler = Error* (*)(CallFrame*);
Handler handlers[4];

Error* give_stream(StreamGetArgs* args) {
  args->stream = &stream;
  return nullptr;
}

// Buffers and the places of `buffers` in them, with their memory elsewhere.
void move(Buffers& buffers, std::vector<Buffer>& moved_buffers, std::vector<void*>& values) {
  for (int64_t i = 0; i < buffers.size; ++i) {
    moved_buffers.push_back(*static_cast<Buffer*>(buffers.values[i]));
    moved_buffers.back().data = moved(moved_buffers.back().data);
  }
  for (Buffer& buffer : moved_buffers) values.push_back(&buffer);
  buffers.values = values.data();
}

template <int number>
Error* on_the_gpu(CallFrame* frame) {
  const Extension* extension = frame->extensions;
  if (extension != nullptr && extension->type == extension_metadata) return handlers[number](frame);
  Api api = *frame->api;
  api.get_stream = give_stream;
  CallFrame call = *frame;
  call.api = &api;
  std::vector<Buffer> buffers[2];
  std::vector<void*> values[2];
  move(call.arguments, buffers[0], values[0]);
  move(call.results, buffers[1], values[1]);
  current.push_back(&context);
  Error* error = handlers[number](&call);
  current.pop_back();
  if (!current.empty()) std::abort();                     // a context was left behind
  if (error == nullptr && !stream.empty()) std::abort();  // the memory of copies may be gone
  stream.clear();
  return error;
}

std::mutex mutex;
std::map<void*, size_t> pinned;

enum Status { done = 0, no_memory = 2, no_context = 201, lost = 700 };

Status refuse(const char* function) {
  if (std::strcmp(failing, function) == 0) return lost;
  return current.empty() ? no_context : done;
}

}  // namespace

extern "C" {

// The handler for the CPU in place of one for CUDA.
void* on_the_cpu(int number, void* handler) {
  constexpr Handler all[] = {on_the_gpu<0>, on_the_gpu<1>, on_the_gpu<2>, on_the_gpu<3>};
  handlers[number] = reinterpret_cast<Handler>(handler);
  return reinterpret_cast<void*>(all[number]);
}

int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, Stream* in) {
  if (const Status status = refuse(__func__)) return status;
  in->push_back({to, moved(reinterpret_cast<void*>(from)), size});
  return done;
}

int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, Stream* in) {
  if (const Status status = refuse(__func__)) return status;
  in->push_back({moved(reinterpret_cast<void*>(to)), from, size});
  return done;
}

int cuStreamSynchronize(Stream* of) {
  if (const Status status = refuse(__func__)) return status;
  for (const Copy& copy : *of) std::memcpy(copy.to, copy.from, copy.bytes);
  of->clear();
  return done;
}

int cuCtxGetDevice(int* device) {
  *device = 3;
  return refuse(__func__);
}

int cuDevicePrimaryCtxRetain(int** given, int device) {
  if (device != 3) std::abort();
  *given = &context;
  ++retained;
  return done;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  if (device != 3) std::abort();
  --retained;
  return done;
}

int cuCtxPushCurrent_v2(int* given) {
  if (given != &context || retained == 0) std::abort();
  current.push_back(given);
  return done;
}

int cuCtxPopCurrent_v2(int** given) {
  *given = current.back();
  current.pop_back();
  return done;
}

int cuMemHostAlloc(void** given, size_t size, unsigned flags) {
  if (flags != 1) std::abort();
  if (refuse(__func__) != done) return no_memory;
  const size_t pages = (size + 4095) / 4096 * 4096;
  *given = std::memset(std::aligned_alloc(4096, pages), 0xAA, pages);
  const std::lock_guard<std::mutex> lock(mutex);
  pinned[*given] = pages;
  ++allocations;
  ++blocks;
  bytes += static_cast<long>(pages);
  return done;
}

int cuMemFreeHost(void* given) {
  if (const Status status = refuse(__func__)) return status;
  const std::lock_guard<std::mutex> lock(mutex);
  const size_t pages = pinned.at(given);
  pinned.erase(given);
  --blocks;
  bytes -= static_cast<long>(pages);
  std::memset(given, 0xBB, pages);
  std::free(given);
  return done;
}

int cuGetErrorString(int status, const char** said) {
  *said = status == no_memory ? "out of memory" : status == lost ? "it was lost" : "no context";
  return done;
}

}  // extern "C"
