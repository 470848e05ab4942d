#include "xla/staging.hpp"

#include <cstddef>

#include "parallel_pool/dtypes.hpp"
#include "xla/values.hpp"

namespace pp::xla {
namespace {

size_t bytes_of(const Buffer& buffer) {
  return elements(buffer) * dtypes::item_size(raw(buffer).dtype);
}

size_t room_for(const Buffer& buffer) {
  constexpr size_t alignment = 128;
  return (bytes_of(buffer) + alignment - 1) / alignment * alignment;
}

}  // namespace

Frame Staging::arrive(const Frame& device, const cuda::Stream& stream) {
  const size_t arguments = device.arguments();
  buffers_.clear();
  for (size_t i = 0; i < arguments; ++i) buffers_.push_back(device.argument(i));
  for (size_t i = 0; i < device.results(); ++i) buffers_.push_back(device.result(i));
  size_t bytes = 0;
  for (const Buffer& buffer : buffers_) bytes += room_for(buffer);
  char* at = memory_.fit(bytes);
  pointers_.clear();
  for (Buffer& buffer : buffers_) {
    if (pointers_.size() < arguments) stream.to_host(at, buffer.data, bytes_of(buffer));
    buffer.data = at;
    at += room_for(buffer);
    pointers_.push_back(&buffer);
  }
  stream.wait();
  return device.with_values(pointers_.data(), pointers_.data() + arguments, frame_);
}

void Staging::depart(const Frame& device, const cuda::Stream& stream) const {
  for (size_t i = 0; i < device.results(); ++i) {
    const Buffer& to = device.result(i);
    stream.to_device(to.data, buffers_[device.arguments() + i].data, bytes_of(to));
  }
  stream.wait();
}

}  // namespace pp::xla
