// parallel_pool/sdk/spec.hpp: what an environment looks like, as values an author may still change.
//
// The SDK fills a pp::Spec from the types Obs, Action and Info; an optional
// `static void describe(pp::Spec&, const Options&)` then sets what only the options know:
// dynamic shapes, bounds, the number of actions, the time limit.
#ifndef PARALLEL_POOL_SDK_SPEC_HPP_
#define PARALLEL_POOL_SDK_SPEC_HPP_

#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"

namespace pp {

namespace detail {
template <class T>
constexpr uint32_t dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return PP_BOOL;
  else if constexpr (std::is_same_v<T, float>)
    return PP_FLOAT32;
  else if constexpr (std::is_same_v<T, double>)
    return PP_FLOAT64;
  else {
    static_assert(std::is_integral_v<T>, "elements are bool, integers, float or double");
    constexpr uint32_t base = std::is_signed_v<T> ? PP_INT8 : PP_UINT8;
    constexpr uint32_t log_size = sizeof(T) == 1   ? 0u
                                  : sizeof(T) == 2 ? 1u
                                  : sizeof(T) == 4 ? 2u
                                                   : 3u;
    return base + log_size;
  }
}

constexpr size_t item_size(uint32_t dtype) {
  switch (dtype) {
    case PP_BOOL:
    case PP_INT8:
    case PP_UINT8:
      return 1;
    case PP_INT16:
    case PP_UINT16:
      return 2;
    case PP_INT32:
    case PP_UINT32:
    case PP_FLOAT32:
      return 4;
    case PP_INT64:
    case PP_UINT64:
    case PP_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

inline void append_number(std::vector<unsigned char>& out, uint32_t dtype, double number) {
  const auto push = [&out](auto value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    out.insert(out.end(), bytes, bytes + sizeof value);
  };
  switch (dtype) {
    case PP_BOOL:
      push(static_cast<uint8_t>(number != 0));
      break;
    case PP_INT8:
      push(static_cast<int8_t>(number));
      break;
    case PP_INT16:
      push(static_cast<int16_t>(number));
      break;
    case PP_INT32:
      push(static_cast<int32_t>(number));
      break;
    case PP_INT64:
      push(static_cast<int64_t>(number));
      break;
    case PP_UINT8:
      push(static_cast<uint8_t>(number));
      break;
    case PP_UINT16:
      push(static_cast<uint16_t>(number));
      break;
    case PP_UINT32:
      push(static_cast<uint32_t>(number));
      break;
    case PP_UINT64:
      push(static_cast<uint64_t>(number));
      break;
    case PP_FLOAT32:
      push(static_cast<float>(number));
      break;
    case PP_FLOAT64:
      push(number);
      break;
    default:
      throw std::logic_error("unknown dtype");
  }
}
}  // namespace detail

// One array of the interface. Bounds are given as doubles and stored in the field's dtype.
struct Field {
  uint32_t role = PP_ROLE_OBS;
  std::string name;
  uint32_t kind = PP_KIND_BOX;
  uint32_t dtype = PP_FLOAT32;
  uint32_t flags = 0;
  std::vector<int64_t> shape;
  std::vector<unsigned char> low;  // elements of dtype: none, one or one per element
  std::vector<unsigned char> high;

  // The same inclusive bounds for every element.
  Field& bounds(double low_value, double high_value) {
    return bounds(std::vector<double>{low_value}, std::vector<double>{high_value});
  }
  // Inclusive bounds element by element (row-major), or one value for all.
  Field& bounds(const std::vector<double>& low_values, const std::vector<double>& high_values) {
    low.clear();
    high.clear();
    for (double value : low_values) detail::append_number(low, dtype, value);
    for (double value : high_values) detail::append_number(high, dtype, value);
    return *this;
  }
  // One integer in start .. start + n - 1.
  Field& discrete(int64_t n, int64_t start = 0) {
    kind = PP_KIND_DISCRETE;
    shape.clear();
    return bounds(static_cast<double>(start), static_cast<double>(start + n - 1));
  }
  Field& shaped(std::initializer_list<int64_t> dims) {
    shape.assign(dims);
    return *this;
  }
  size_t row_bytes(uint32_t max_players) const {
    size_t bytes = detail::item_size(dtype);
    for (int64_t dim : shape) bytes *= static_cast<size_t>(dim);
    return (flags & PP_FIELD_PER_PLAYER) != 0u ? bytes * max_players : bytes;
  }
};

// All arrays of an environment, and what else the host asks for once per set of options.
class Spec {
 public:
  // A deque: references handed out by obs(), info() ... stay valid.
  std::deque<Field> fields;
  uint32_t max_players = 1;
  int64_t max_episode_steps = 0;  // 0: no time limit
  double reward_threshold = std::numeric_limits<double>::quiet_NaN();

  Field& obs(std::string_view name = "") { return find(PP_ROLE_OBS, name); }
  Field& action(std::string_view name = "") { return find(PP_ROLE_ACTION, name); }
  Field& info(std::string_view name) { return find(PP_ROLE_INFO, name); }

  Field& add(uint32_t role, std::string name, uint32_t kind, uint32_t dtype,
             std::vector<int64_t> shape = {}) {
    fields.push_back(Field{role, std::move(name), kind, dtype, 0u, std::move(shape), {}, {}});
    return fields.back();
  }

 private:
  Field& find(uint32_t role, std::string_view name) {
    for (Field& field : fields) {
      if (field.role == role && field.name == name) return field;
    }
    throw std::logic_error("describe() asks for a field '" + std::string(name) +
                           "' that Obs, Action and Info do not have");
  }
};

namespace detail {
// A pp::Spec with its C view; released by release_spec.
class OwnedSpec {
 public:
  explicit OwnedSpec(Spec from) : spec_(std::move(from)) {
    for (const Field& field : spec_.fields) {
      if (field.shape.size() > PP_MAX_DIMS)
        throw std::logic_error("a field has at most 8 dimensions");
      pp_field c{};
      c.struct_size = sizeof(pp_field);
      c.role = field.role;
      c.kind = field.kind;
      c.dtype = field.dtype;
      c.flags = field.flags;
      c.ndim = static_cast<uint32_t>(field.shape.size());
      for (size_t d = 0; d < field.shape.size(); ++d) {
        if (field.shape[d] < 0) {
          throw std::logic_error("field '" + field.name +
                                 "' has a pp::dynamic dimension that describe() did not set");
        }
        c.shape[d] = field.shape[d];
      }
      c.name = field.name.c_str();
      const size_t item = item_size(field.dtype);
      c.low = field.low.empty() ? nullptr : field.low.data();
      c.high = field.high.empty() ? nullptr : field.high.data();
      c.n_low = static_cast<uint32_t>(field.low.size() / item);
      c.n_high = static_cast<uint32_t>(field.high.size() / item);
      c_fields_.push_back(c);
    }
    for (const pp_field& field : c_fields_) pointers_.push_back(&field);
    view.owner = this;
    view.c = pp_spec{sizeof(pp_spec),
                     static_cast<uint32_t>(pointers_.size()),
                     pointers_.data(),
                     spec_.max_players,
                     0u,
                     spec_.max_episode_steps,
                     spec_.reward_threshold};
  }
  OwnedSpec(const OwnedSpec&) = delete;
  OwnedSpec& operator=(const OwnedSpec&) = delete;

  // The host hands back &view.c; the owner is found from it.
  struct View {
    pp_spec c;
    OwnedSpec* owner;
  } view{};

 private:
  Spec spec_;
  std::vector<pp_field> c_fields_;
  std::vector<const pp_field*> pointers_;
};
}  // namespace detail

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_SPEC_HPP_
