// parallel_pool/sdk/spec.hpp: what an environment looks like, as values an author may still change.
//
// The SDK fills a pp::Spec from the types Obs, Action and Info; an optional
// `static void describe(pp::Spec&, const Options&)` then sets what only the options know:
// dynamic shapes, bounds, the number of actions, the time limit. `describe(pp::Spec&)` does too.
#ifndef PARALLEL_POOL_SDK_SPEC_HPP_
#define PARALLEL_POOL_SDK_SPEC_HPP_

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"

namespace pp {

namespace detail {
template <class T>
constexpr uint32_t dtype_of() {
  constexpr uint32_t dtype = dtypes::of<T>();
  static_assert(dtype != 0, "elements are bool, integers, float or double");
  return dtype;
}

[[gnu::cold]] inline std::string written(double number) {
  char text[32];
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%g", number);
  return text;
}

// One function for all dtypes: a text for each would take every plugin half a second to compile.
[[noreturn, gnu::cold]] inline void refuse_bound(double number, const std::string& field,
                                                 const std::string& dtype, double low,
                                                 double high) {
  const bool whole = number == std::floor(number);
  throw std::logic_error(
      "bound " + written(number) + " of " + field + ", whose dtype is " + dtype +
      (whole ? ": " + dtype + " holds " + written(low) + " .. " + written(high)
             : ", is no integer") +
      (std::abs(number) > 1e38 ? "; where there is no bound, leave it out" : ""));
}

// A bound that its dtype cannot hold would become another one without a word: 300 of uint8 is 44.
template <class T>
T bound_of(double number, const std::string& field, const char* dtype) {
  const auto largest = static_cast<double>(std::numeric_limits<T>::max());
  if constexpr (std::is_integral_v<T>) {
    // Compared as doubles, in which the largest integers are rounded up.
    const auto low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(number >= low && number < high) || number != std::floor(number)) {
      refuse_bound(number, field, dtype, low, largest);
    }
  } else if (std::isfinite(number) && std::abs(number) > largest) {
    refuse_bound(number, field, dtype, -largest, largest);
  }
  return static_cast<T>(number);
}

[[gnu::cold]] inline void append_bound(std::vector<unsigned char>& out, uint32_t dtype,
                                       double number, const std::string& field) {
  dtypes::visit(dtype, [&](auto element) {
    const auto value = bound_of<typename decltype(element)::Type>(number, field, element.name);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    out.insert(out.end(), bytes, bytes + sizeof value);
  });
}
}  // namespace detail

// One array of the interface. Bounds are given as doubles and stored in the field's dtype; one that
// the dtype does not hold is refused with std::logic_error.
struct Field {
  uint32_t role = PP_ROLE_OBS;
  std::string name;
  uint32_t kind = PP_KIND_BOX;
  uint32_t dtype = PP_FLOAT32;
  uint32_t flags = 0;
  std::vector<int64_t> shape;
  std::vector<unsigned char> low;  // elements of dtype: none, one or one per element
  std::vector<unsigned char> high;

  // Sets the same inclusive bounds for every element.
  Field& bounds(double low_value, double high_value) {
    return bounds(std::vector<double>{low_value}, std::vector<double>{high_value});
  }
  // Sets inclusive bounds element by element (row-major), or one value for all.
  Field& bounds(const std::vector<double>& low_values, const std::vector<double>& high_values) {
    low.clear();
    high.clear();
    for (double value : low_values) detail::append_bound(low, dtype, value, label());
    for (double value : high_values) detail::append_bound(high, dtype, value, label());
    return *this;
  }
  // Makes it one integer in start .. start + n - 1.
  Field& discrete(int64_t n, int64_t start = 0) {
    kind = PP_KIND_DISCRETE;
    shape.clear();
    return bounds(static_cast<double>(start), static_cast<double>(start + n - 1));
  }
  // Makes it a text of at most n bytes in ASCII; with .bounds(0, 255) after it, in UTF-8.
  Field& text(int64_t n) {
    kind = PP_KIND_TEXT;
    dtype = PP_UINT8;
    shape.assign({n});
    return bounds(0, 127);
  }
  Field& shaped(std::initializer_list<int64_t> dims) {
    shape.assign(dims);
    return *this;
  }
  // Names it in messages: "the obs", "info 'fuel'".
  [[gnu::cold]] std::string label() const {
    const char* words = role == PP_ROLE_OBS      ? "obs"
                        : role == PP_ROLE_ACTION ? "action"
                        : role == PP_ROLE_INFO   ? "info"
                                                 : "field";
    return name.empty() ? std::string("the ") + words : std::string(words) + " '" + name + "'";
  }
  size_t row_bytes(uint32_t max_players) const {
    size_t bytes = dtypes::item_size(dtype);
    for (int64_t dim : shape) bytes *= static_cast<size_t>(dim);
    return (flags & PP_FIELD_PER_PLAYER) != 0u ? bytes * max_players : bytes;
  }
};

// All arrays of an environment, and what else the host asks for once per set of options.
class Spec {
 public:
  // A deque: references handed out by obs(), info() ... stay valid.
  std::deque<Field> fields;
  // The places, by role and path, at which describe() may add some: each pp::Fields of the types.
  std::vector<Field> places;
  uint32_t max_players = 1;
  int64_t max_episode_steps = 0;  // 0: no time limit
  double reward_threshold = std::numeric_limits<double>::quiet_NaN();

  Field& obs(std::string_view name = "") { return find(PP_ROLE_OBS, name); }
  Field& action(std::string_view name = "") { return find(PP_ROLE_ACTION, name); }
  Field& info(std::string_view name) { return find(PP_ROLE_INFO, name); }

  [[gnu::cold]] Field& add(uint32_t role, std::string name, uint32_t kind, uint32_t dtype,
                           std::vector<int64_t> shape = {}) {
    fields.push_back(Field{role, std::move(name), kind, dtype, 0u, std::move(shape), {}, {}});
    return fields.back();
  }

 private:
  [[gnu::cold]] Field& find(uint32_t role, std::string_view name) {
    std::string names;
    for (Field& field : fields) {
      if (field.role != role) continue;
      if (field.name == name) return field;
      names += (names.empty() ? "'" : ", '") + field.name + "'";
    }
    throw std::logic_error("describe() asks for a field '" + std::string(name) +
                           "', and there is " +
                           (names.empty() ? "none of that role" : "only " + names));
  }
};

namespace detail {
// A pp::Spec with its C view; released by release_spec.
class OwnedSpec {
 public:
  [[gnu::cold]] explicit OwnedSpec(Spec from) : spec_(std::move(from)) {
    for (const Field& field : spec_.fields) {
      if (field.shape.size() > PP_MAX_DIMS)
        throw std::logic_error(field.label() + " has more than 8 dimensions");
      pp_field c{};
      c.struct_size = sizeof(pp_field);
      c.role = field.role;
      c.kind = field.kind;
      c.dtype = field.dtype;
      c.flags = field.flags;
      c.ndim = static_cast<uint32_t>(field.shape.size());
      for (size_t d = 0; d < field.shape.size(); ++d) {
        if (field.shape[d] < 0) {
          throw std::logic_error(field.label() +
                                 " has a pp::dynamic dimension that describe() did not set: " +
                                 "spec.obs().shaped({height, width}) sets a shape");
        }
        c.shape[d] = field.shape[d];
      }
      c.name = field.name.c_str();
      const size_t item = dtypes::item_size(field.dtype);
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
