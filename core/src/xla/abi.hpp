// The part of XLA's FFI that a handler needs: the binary interface between XLA and the custom calls
// of other libraries, declared here in our own words, so that core is built without jaxlib's
// headers and runs with any jaxlib. XLA promises to keep it for as long as the major number is 0,
// and every struct says how long it is; tests/learners compares this file with jaxlib's headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pp::xla {

// The version that this file was written against.
inline constexpr int abi_major = 0;
inline constexpr int abi_minor = 3;
inline constexpr int abi_oldest_minor = 1;  // has all of this, too

struct Extension {
  size_t struct_size;
  int32_t type;
  Extension* next;
};
inline constexpr int32_t extension_metadata = 1;

struct ApiVersion {
  size_t struct_size;
  Extension* extensions;
  int32_t major_version;
  int32_t minor_version;
};

struct Error;  // XLA's, and freed by it

// The numbers are Abseil's.
enum class ErrorCode : int32_t {
  cancelled = 1,
  invalid_argument = 3,
  deadline_exceeded = 4,
  failed_precondition = 9,
  aborted = 10,
  internal = 13,
};

struct ErrorCreateArgs {
  size_t struct_size;
  Extension* extensions;
  const char* message;  // copied
  ErrorCode code;
};

struct StreamGetArgs {
  size_t struct_size;
  Extension* extensions;
  void* context;
  void* stream;  // XLA says
};

struct Api {  // it goes on
  size_t struct_size;
  Extension* extensions;
  ApiVersion version;
  const void* internal;
  Error* (*create_error)(ErrorCreateArgs*);
  const void* not_used[3];
  Error* (*get_stream)(StreamGetArgs*);
};

enum class DataType : int32_t {
  pred = 1,
  s8 = 2,
  s16 = 3,
  s32 = 4,
  s64 = 5,
  u8 = 6,
  u16 = 7,
  u32 = 8,
  u64 = 9,
  f32 = 11,
  f64 = 12,
};

struct Buffer {
  size_t struct_size;
  Extension* extensions;
  DataType dtype;
  void* data;
  int64_t rank;
  int64_t* dims;
};
inline constexpr int32_t argument_buffer = 1;  // both of arguments and of results

// The buffers of arguments, or of results.
struct Buffers {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  int32_t* types;
  void** values;
};

struct Text {
  const char* data;
  size_t size;
};
inline constexpr int32_t attribute_text = 4;

// Constants of a program, by name.
struct Attributes {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  int32_t* types;
  Text** names;
  void** values;
};

inline constexpr int32_t stage_execute = 3;

struct CallFrame {  // it goes on
  size_t struct_size;
  Extension* extensions;
  const Api* api;
  void* context;
  int32_t stage;
  Buffers arguments;
  Buffers results;
  Attributes attributes;
};

struct Metadata {  // it goes on
  size_t struct_size;
  ApiVersion version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

}  // namespace pp::xla
