// One call of XLA's: its arguments and results, checked, and errors as XLA wants them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "parallel_pool/host/base/error.hpp"
#include "xla/abi.hpp"

namespace pp::xla {

inline Error* error_of(const Api* api, ErrorCode code, const std::string& message) {
  ErrorCreateArgs args{};
  args.struct_size = sizeof(args);
  args.message = message.c_str();
  args.code = code;
  return api->create_error(&args);
}

inline ErrorCode code_of(host::ErrorKind kind) {
  switch (kind) {
    case host::ErrorKind::value:
    case host::ErrorKind::index:
    case host::ErrorKind::type:
      return ErrorCode::invalid_argument;
    case host::ErrorKind::interrupted:
      return ErrorCode::cancelled;
    case host::ErrorKind::environment:
      return ErrorCode::aborted;
    default:
      return ErrorCode::failed_precondition;
  }
}

// Arguments and results of a call. Throws host::Error where XLA gives something else than buffers.
class Frame {
 public:
  explicit Frame(const CallFrame* frame) : frame_(*frame) {
    constexpr size_t known = offsetof(CallFrame, attributes) + sizeof(Attributes);
    if (frame->struct_size < known || frame_.arguments.struct_size < sizeof(Buffers) ||
        frame_.results.struct_size < sizeof(Buffers) ||
        frame_.attributes.struct_size < sizeof(Attributes)) {
      throw host::Error(host::ErrorKind::value,
                        "this XLA lays out its calls in a way that parallel-pool does not know");
    }
  }

  size_t arguments() const { return static_cast<size_t>(frame_.arguments.size); }
  size_t results() const { return static_cast<size_t>(frame_.results.size); }
  const Buffer& argument(size_t i) const { return buffer(frame_.arguments, i, "argument"); }
  const Buffer& result(size_t i) const { return buffer(frame_.results, i, "result"); }

  // Works for a call on a GPU; returns XLA's own error, or NULL.
  Error* get_stream(void** stream) const {
    StreamGetArgs args{};
    args.struct_size = sizeof(args);
    args.context = frame_.context;
    Error* error = frame_.api->get_stream(&args);
    *stream = args.stream;
    return error;
  }
  // Returns the same call with other arguments and results. It is in `frame`, which has to stay.
  Frame with_values(void** arguments, void** results, CallFrame& frame) const {
    frame = frame_;
    frame.arguments.values = arguments;
    frame.results.values = results;
    return Frame(&frame);
  }

  // A constant of the program; empty: it has none of this name.
  std::string_view text(std::string_view name) const {
    const Attributes& all = frame_.attributes;
    for (int64_t i = 0; i < all.size; ++i) {
      if (all.types[i] != attribute_text || view(*all.names[i]) != name) continue;
      return view(*static_cast<const Text*>(all.values[i]));
    }
    return {};
  }

  [[noreturn]] static void wrong(const char* what, size_t i, const char* why) {
    throw host::Error(host::ErrorKind::value, std::string(what) + " " + std::to_string(i) +
                                                  " of the call " + why +
                                                  ": the program was made for another pool");
  }

 private:
  static std::string_view view(const Text& text) { return {text.data, text.size}; }
  static const Buffer& buffer(const Buffers& of, size_t i, const char* what) {
    if (i >= static_cast<size_t>(of.size)) wrong(what, i, "is missing");
    if (of.types[i] != argument_buffer) wrong(what, i, "is no array");
    const auto& found = *static_cast<const Buffer*>(of.values[i]);
    if (found.struct_size < sizeof(Buffer)) wrong(what, i, "has a layout that is not known");
    return found;
  }

  const CallFrame& frame_;
};

inline size_t elements(const Buffer& buffer) {
  int64_t count = 1;
  for (int64_t d = 0; d < buffer.rank; ++d) count *= buffer.dims[d];
  return static_cast<size_t>(count);
}

// Tells XLA what this handler speaks: what XLA does, if that is a version we know how to speak. Old
// ones (jaxlib 0.5) do not say what they are, and speak the first.
inline Error* tell_version(const CallFrame* frame) {
  auto* metadata = reinterpret_cast<MetadataExtension*>(frame->extensions)->metadata;
  metadata->version.major_version = abi_major;
  metadata->version.minor_version = abi_oldest_minor;
  metadata->traits = 0;
  if (frame->api == nullptr) return nullptr;
  const ApiVersion& spoken = frame->api->version;
  if (spoken.major_version != abi_major) {
    return error_of(frame->api, ErrorCode::failed_precondition,
                    "parallel-pool speaks XLA's FFI " + std::to_string(abi_major) + "." +
                        std::to_string(abi_minor) + ", and this jaxlib " +
                        std::to_string(spoken.major_version) + "." +
                        std::to_string(spoken.minor_version) +
                        ": upgrade parallel-pool, or use xla(backend=\"callback\")");
  }
  metadata->version.minor_version = std::min(spoken.minor_version, abi_minor);
  return nullptr;
}

// Is called by XLA, and calls `Work` with a Frame. Exceptions become errors of the program.
template <Error* (*Work)(const Frame&)>
Error* handle(CallFrame* frame) {
  const Extension* extension = frame->extensions;
  if (extension != nullptr && extension->type == extension_metadata) return tell_version(frame);
  try {
    if (frame->stage != stage_execute) return nullptr;
    return Work(Frame(frame));
  } catch (const host::Error& error) {
    return error_of(frame->api, code_of(error.kind()), error.what());
  } catch (const std::logic_error& error) {
    return error_of(frame->api, ErrorCode::internal, error.what());
  } catch (const std::exception& error) {
    return error_of(frame->api, ErrorCode::invalid_argument, error.what());
  }
}

}  // namespace pp::xla
