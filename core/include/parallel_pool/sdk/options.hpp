// parallel_pool/sdk/options.hpp: constructor arguments declared as an array of pp_option and looked
// up by name. A struct with a member for each, option_set.hpp, is the better form: there a name
// that is not declared is an error of the compiler.
//
// The host checks every value against the declaration before an environment is built: kind, range
// and choices. Reading an option that was not declared, or as another kind, throws
// std::logic_error: that is a mistake in the plugin, not of its user.
#ifndef PARALLEL_POOL_SDK_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_OPTIONS_HPP_

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"

namespace pp {

// The inclusive range of a numeric option.
struct Range {
  double low;
  double high;
};

namespace detail {
constexpr pp_option declare(const char* name, const char* doc, const pp_value& value) {
  return pp_option{sizeof(pp_option), 0u, name, doc, value, 0.0, 0.0, nullptr, 0u, 0u};
}
constexpr pp_option limit(pp_option option, Range range) {
  option.flags = PP_OPTION_HAS_LOW | PP_OPTION_HAS_HIGH;
  option.low = range.low;
  option.high = range.high;
  return option;
}
template <class T>
constexpr pp_value default_value(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return pp_value{PP_OPTION_BOOL, 0u, 0, value ? 1 : 0, 0.0, nullptr, nullptr};
  } else if constexpr (std::is_integral_v<T>) {
    return pp_value{PP_OPTION_INT, 0u, 0, static_cast<int64_t>(value), 0.0, nullptr, nullptr};
  } else {
    static_assert(std::is_floating_point_v<T>,
                  "an option is a bool, an integer, a float or a text");
    return pp_value{PP_OPTION_FLOAT, 0u, 0, 0, static_cast<double>(value), nullptr, nullptr};
  }
}
}  // namespace detail

// option("gravity", 9.8, "m/s^2", pp::Range{0, 100}): the type of the default decides the kind.
template <class T>
constexpr pp_option option(const char* name, T value, const char* doc) {
  return detail::declare(name, doc, detail::default_value(value));
}
template <class T>
constexpr pp_option option(const char* name, T value, const char* doc, Range range) {
  static_assert(!std::is_same_v<T, bool>, "a bool option has no range");
  return detail::limit(detail::declare(name, doc, detail::default_value(value)), range);
}
// A text; with choices, one of them.
constexpr pp_option text_option(const char* name, const char* value, const char* doc) {
  return detail::declare(name, doc, pp_value{PP_OPTION_STRING, 0u, 0, 0, 0.0, value, nullptr});
}
template <size_t N>
constexpr pp_option text_option(const char* name, const char* value, const char* doc,
                                const char* const (&choices)[N]) {
  pp_option option = text_option(name, value, doc);
  option.choices = choices;
  option.n_choices = N;
  return option;
}
// A one-dimensional array of float64; any number of elements.
constexpr pp_option array_option(const char* name, const char* doc) {
  return detail::declare(name, doc,
                         pp_value{PP_OPTION_ARRAY, PP_FLOAT64, 0, 0, 0.0, nullptr, nullptr});
}
template <size_t N>
constexpr pp_option array_option(const char* name, const double (&value)[N], const char* doc) {
  return detail::declare(name, doc,
                         pp_value{PP_OPTION_ARRAY, PP_FLOAT64, N, 0, 0.0, nullptr, value});
}

// One lane's option values. Valid during the call it was handed to; copy what is needed later.
class Options {
 public:
  Options(const pp_option* const* declared, uint32_t count, const pp_value* value)
      : declared_(declared), count_(count), value_(value) {}

  int64_t integer(std::string_view name) const { return find(name, PP_OPTION_INT).i; }
  double real(std::string_view name) const { return find(name, PP_OPTION_FLOAT).f; }
  bool flag(std::string_view name) const { return find(name, PP_OPTION_BOOL).i != 0; }
  std::string text(std::string_view name) const { return find(name, PP_OPTION_STRING).s; }
  std::vector<double> array(std::string_view name) const {
    const pp_value& value = find(name, PP_OPTION_ARRAY);
    const double* first = static_cast<const double*>(value.data);
    return std::vector<double>(first, first + value.count);
  }

 private:
  const pp_value& find(std::string_view name, uint32_t kind) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (name != declared_[i]->name) continue;
      if (value_[i].kind != kind) {
        throw std::logic_error("option '" + std::string(name) + "' is read with " + reader(kind) +
                               ", and declared as what " + reader(value_[i].kind) + " reads");
      }
      return value_[i];
    }
    throw std::logic_error("option '" + std::string(name) + "' is read but not declared");
  }

  static std::string reader(uint32_t kind) {
    switch (kind) {
      case PP_OPTION_INT:
        return "integer()";
      case PP_OPTION_FLOAT:
        return "real()";
      case PP_OPTION_BOOL:
        return "flag()";
      case PP_OPTION_STRING:
        return "text()";
      default:
        return "array()";
    }
  }

  const pp_option* const* declared_;
  uint32_t count_;
  const pp_value* value_;
};

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OPTIONS_HPP_
