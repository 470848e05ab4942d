// parallel_pool/host/workers/wire_format.hpp: arrays and arguments of resets as bytes, between a
// pool and its workers.
//
// Both sides are of one build, so the bytes are as they lie in memory. A list of arrays is one
// entry per array: the pp_array, then its name. Arguments of a reset are one entry per declared
// option: the ValueHead, then the text or the elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host::workers {

struct ValueHead {
  int64_t integer;
  double real;
  uint64_t bytes;  // size of a text, or of float64 elements
};

// Reads plain structs and texts one after the other; what is not there is zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }
  template <class T>
  T read() {
    T value{};
    const std::string_view part = text(sizeof(T));
    std::memcpy(&value, part.data(), part.size());
    return value;
  }
  std::string_view text(uint64_t size) {
    const std::string_view part = bytes_.substr(0, static_cast<size_t>(size));
    bytes_.remove_prefix(part.size());
    return part;
  }
  // A text that ends with a zero byte, without that.
  std::string_view text_to_zero() {
    const std::string_view part = text(bytes_.find('\0'));
    text(1);
    return part;
  }

 private:
  std::string_view bytes_;
};

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline uint64_t bytes_of(const pp_array& array) {
  uint64_t bytes = dtypes::item_size(array.dtype);
  for (uint32_t d = 0; d < std::min<uint32_t>(array.ndim, PP_MAX_DIMS); ++d) {
    bytes *= static_cast<uint64_t>(array.shape[d]);
  }
  return bytes;
}

inline void append(std::string& bytes, const pp_array& array) {
  append<pp_array>(bytes, array);
  // A description without a name is refused by its reader, as in the pool's own process.
  if (array.name != nullptr) bytes.append(array.name, std::strlen(array.name) + 1);
}

// The values of `declared`, in order.
inline std::string pack(const pp_reset_options& declared, const pp_value* value) {
  std::string bytes;
  for (uint32_t i = 0; i < declared.n_option; ++i) {
    std::string_view content;
    if (value[i].kind == PP_OPTION_STRING && value[i].s != nullptr) content = value[i].s;
    if (value[i].kind == PP_OPTION_ARRAY) {
      content = {static_cast<const char*>(value[i].data),
                 static_cast<size_t>(value[i].count) * dtypes::item_size(value[i].dtype)};
    }
    append(bytes, ValueHead{value[i].i, value[i].f, content.size()});
    bytes.append(content);
  }
  return bytes;
}

inline void unpack(const pp_reset_options& declared, std::string_view bytes, OptionValues& values) {
  ByteReader in(bytes);
  for (uint32_t i = 0; i < declared.n_option; ++i) {
    const auto head = in.read<ValueHead>();
    const std::string_view content = in.text(head.bytes);
    const pp_value& usual = declared.option[i]->value;
    switch (usual.kind) {
      case PP_OPTION_FLOAT:
        values.set_real(i, head.real);
        break;
      case PP_OPTION_STRING:
        values.set_text(i, std::string(content));
        break;
      case PP_OPTION_ARRAY: {
        // A default keeps the dtype of its declaration; what was given is float64.
        if (usual.data != nullptr &&
            content.size() == static_cast<size_t>(usual.count) * dtypes::item_size(usual.dtype) &&
            std::memcmp(content.data(), usual.data, content.size()) == 0) {
          break;
        }
        std::vector<double> elements(content.size() / sizeof(double));
        if (!elements.empty()) std::memcpy(elements.data(), content.data(), content.size());
        values.set_array(i, std::move(elements));
        break;
      }
      default:
        values.set_integer(i, head.integer);
    }
  }
}

}  // namespace pp::host::workers
