// parallel_pool/sdk/declared_option.hpp: one option of a set (option_set.hpp): the member that it
// is read into, what the host is told of it, and how its value is read.
#ifndef PARALLEL_POOL_SDK_DECLARED_OPTION_HPP_
#define PARALLEL_POOL_SDK_DECLARED_OPTION_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
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
constexpr pp_value text_value(const char* text) {
  return pp_value{PP_OPTION_STRING, 0u, 0, 0, 0.0, text, nullptr};
}

// An argument that is converted to a type found elsewhere.
template <class T>
struct Given {
  using type = T;
};

// One choice of an enum.
template <class Value>
struct Choice {
  const char* text;
  Value value;
};

// The part of a declaration beside the plain pp_option: the arrays that the ABI has pointers to.
// point() sets those, once the declaration lies where it stays.
struct NoParts {
  constexpr void point(pp_option&) const {}
};
template <size_t N>
struct Texts {
  std::array<const char*, N> text;
  constexpr void point(pp_option& option) const {
    option.choices = text.data();
    option.n_choices = N;
  }
};
template <class Value, size_t N>
struct Choices : Texts<N> {
  std::array<Value, N> value;
};
template <size_t N>
struct Numbers {
  std::array<double, N> number;
  constexpr void point(pp_option& option) const {
    option.value.data = number.data();
    option.value.count = N;
  }
};

// The length of a member that holds numbers; 0: any.
template <class Value>
struct NumberCount : std::integral_constant<size_t, 0> {};
template <>
struct NumberCount<Range> : std::integral_constant<size_t, 2> {};
template <size_t N>
struct NumberCount<std::array<double, N>> : std::integral_constant<size_t, N> {};

template <class Value>
constexpr bool can_be_option =
    std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_same_v<Value, std::string> ||
    std::is_same_v<Value, std::vector<double>> || NumberCount<Value>::value != 0;

// The default of an enum, as the ABI has it; no text if it is none of the choices, which is
// refused.
template <class Value, size_t N>
constexpr pp_value choice_value(const Choices<Value, N>& choices, Value value) {
  const char* text = "";
  for (size_t i = 0; i < N; ++i) {
    if (choices.value[i] == value) text = choices.text[i];
  }
  return text_value(text);
}

// The default of a number, in the kind that its member has.
template <class Value, class Default>
constexpr pp_value number_default(Default value) {
  constexpr bool flag = std::is_same_v<Value, bool>;
  constexpr bool whole = !flag && std::is_integral_v<Value>;
  static_assert(flag == std::is_same_v<Default, bool>,
                "a bool member has the default true or false, and no other member has");
  static_assert(!whole || std::is_integral_v<Default>,
                "the default of an option that is an integer is an integer");
  if constexpr (std::is_floating_point_v<Value>) {
    return pp_value{PP_OPTION_FLOAT, 0u, 0, 0, static_cast<double>(value), nullptr, nullptr};
  } else {
    constexpr uint32_t kind = flag ? PP_OPTION_BOOL : PP_OPTION_INT;
    return pp_value{kind, 0u, 0, static_cast<int64_t>(value), 0.0, nullptr, nullptr};
  }
}

template <class Value, size_t N>
constexpr Numbers<N> numbers(const double (&value)[N]) {
  constexpr size_t expected = NumberCount<Value>::value;
  static_assert(expected == 0 || expected == N,
                "the default of an option that holds so many numbers has as many");
  Numbers<N> parts{};
  for (size_t i = 0; i < N; ++i) parts.number[i] = value[i];
  return parts;
}
}  // namespace detail

// The declaration of one option: the member of `Set` that it is read into, and what the host is
// told.
template <class Set, class Value, class Parts>
struct DeclaredOption {
  using Holder = Set;
  using Type = Value;

  Value Set::* member;
  pp_option told;  // without the pointers into `parts`
  Parts parts;
  bool is_local;

  constexpr DeclaredOption local() const {
    DeclaredOption copy = *this;
    copy.is_local = true;
    return copy;
  }

  template <class Default>
  constexpr DeclaredOption with_default(const Default& value) const {
    DeclaredOption copy = *this;
    if constexpr (std::is_enum_v<Value>) {
      copy.told.value = detail::choice_value(parts, value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      copy.told.value = detail::number_default<Value>(value);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      copy.told.value.s = value;
    } else {
      static_assert(std::is_same_v<Parts, Default>, "as many numbers as in the declaration");
      copy.parts = value;
    }
    return copy;
  }
  template <size_t N>
  constexpr DeclaredOption with_default(const double (&value)[N]) const {
    return with_default(detail::numbers<Value>(value));
  }

  // Returns the option as the host is told; it points into this object.
  constexpr pp_option option() const {
    pp_option option = told;
    parts.point(option);
    return option;
  }

  Value read(const pp_value& value) const {
    if constexpr (std::is_same_v<Value, bool>) {
      return value.i != 0;
    } else if constexpr (std::is_integral_v<Value>) {
      return static_cast<Value>(value.i);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return static_cast<Value>(value.f);
    } else if constexpr (std::is_enum_v<Value>) {
      for (size_t i = 0; i < parts.text.size(); ++i) {
        if (std::string_view(parts.text[i]) == value.s) return parts.value[i];
      }
      throw std::logic_error("option '" + std::string(told.name) + "' is none of its choices");
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return value.s;
    } else {
      return read_numbers(value);
    }
  }

 private:
  Value read_numbers(const pp_value& value) const {
    const auto* first = static_cast<const double*>(value.data);
    constexpr size_t expected = detail::NumberCount<Value>::value;
    if (expected != 0 && value.count != expected) {
      throw std::invalid_argument("option '" + std::string(told.name) + "' has " +
                                  std::to_string(value.count) + " numbers, expected " +
                                  std::to_string(expected) + ": " + told.doc);
    }
    if constexpr (expected == 0) {
      return Value(first, first + value.count);
    } else if constexpr (std::is_same_v<Value, Range>) {
      return {first[0], first[1]};
    } else {
      Value values{};
      for (size_t i = 0; i < expected; ++i) values[i] = first[i];
      return values;
    }
  }
};

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_DECLARED_OPTION_HPP_
