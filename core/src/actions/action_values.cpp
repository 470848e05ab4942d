// See actions/action_values.hpp. One file, because the checks of a value and the errors that name
// environment, player and value belong to each other for every kind and dtype.
#include "actions/action_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"

namespace pp::python {

bool is_binary(const host::FieldSpec& field) {
  return field.kind == PP_KIND_MULTI_BINARY || field.dtype == PP_BOOL;
}

namespace {

using host::ErrorKind;

// Writes a number as Python does, without Python: with the fewest digits that tell it from others.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[32];
  int digits = 1;
  do {
    std::snprintf(text, sizeof(text), "%.*e", digits - 1, value);
  } while (std::strtod(text, nullptr) != value && ++digits < 18);
  const int exponent = std::atoi(std::strchr(text, 'e') + 1);
  if (exponent < -4 || exponent >= 16) return text;
  std::snprintf(text, sizeof(text), "%.*f", std::max(digits - 1 - exponent, 1), value);
  return text;
}

// A value that an error names: texts are made of three types, not of each pair of dtypes.
using Number = std::variant<double, int64_t, uint64_t>;

template <class T>
Number number(T value) {
  using Whole = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  return std::conditional_t<std::is_floating_point_v<T>, double, Whole>{value};
}

std::string text(const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return float_text(*real);
  return std::visit([](auto whole) { return std::to_string(whole); }, number);
}

template <class T>
T bound(const std::vector<unsigned char>& bounds, size_t element, T absent) {
  if (bounds.empty()) return absent;
  const size_t n = bounds.size() / sizeof(T);
  T value;
  std::memcpy(&value, bounds.data() + (n == 1 ? 0 : element) * sizeof(T), sizeof(T));
  return value;
}

size_t times(const ActionJob& job) {
  return std::max(job.chunk, 1u);
}
size_t size_of(const ActionJob& job) {
  return job.field.elements * job.n * times(job);
}

// Every `stride`-th number; parameters, so that the compiler takes several at a time.
template <class Source, class Target>
void put_every(uint32_t n, size_t stride, const Source* __restrict from, Target* __restrict to) {
  for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<Target>(from[i * stride]);
}

template <class Source, class Target>
void put(const ActionJob& job, const Source* source) {
  const size_t width = job.field.elements;
  auto* __restrict rows = reinterpret_cast<Target*>(job.rows);
  if (job.places == nullptr && job.apart == 0) {
    const size_t size = size_of(job);
    if constexpr (std::is_same_v<Source, Target>) {
      std::memcpy(rows, source, size * sizeof(Target));
    } else {
      for (size_t i = 0; i < size; ++i) rows[i] = static_cast<Target>(source[i]);
    }
    return;
  }
  const size_t chunk = times(job);
  const size_t stride = chunk * width;
  for (size_t k = 0; k < chunk; ++k, rows += job.apart * width, source += width) {
    if (width == 1 && job.places == nullptr) {
      put_every(job.n, stride, source, rows);
      continue;
    }
    for (uint32_t i = 0; i < job.n; ++i) {
      Target* row = rows + size_t{job.places == nullptr ? i : job.places[i]} * width;
      for (size_t e = 0; e < width; ++e) row[e] = static_cast<Target>(source[i * stride + e]);
    }
  }
}

size_t action_of(const ActionJob& job, size_t index) {
  return index / job.field.elements % times(job);
}

// The place of the first action of a chunk.
uint32_t place_of(const ActionJob& job, size_t index) {
  const size_t row = index / job.field.elements / times(job);
  return job.places == nullptr ? static_cast<uint32_t>(row) : job.places[row];
}

uint32_t env_of(const ActionJob& job, size_t index) {
  if (job.envs != nullptr) return job.envs[index / job.field.elements / times(job)];
  const uint32_t place = place_of(job, index);
  return job.capacity == 0 ? place : place / job.capacity;
}

std::string what(const ActionJob& job, size_t index) {
  const size_t width = job.field.elements;
  return width > 1 ? job.label + " (element " + std::to_string(index % width) + ")" : job.label;
}

std::string where(const ActionJob& job, size_t index) {
  if (job.horizon != 0) {
    const size_t row = index / job.field.elements;
    return what(job, index) + " of sequence " + std::to_string(row / job.horizon) + ", step " +
           std::to_string(row % job.horizon);
  }
  std::string said = what(job, index) + " of environment " + std::to_string(env_of(job, index));
  if (job.capacity != 0) {
    said += ", player " + std::to_string(place_of(job, index) % job.capacity);
  }
  if (job.chunk == 0) return said;
  return said + ", number " + std::to_string(action_of(job, index)) + " of its chunk,";
}

[[noreturn, gnu::cold]] void refuse(const ActionJob& job, size_t index, const Number& value,
                                    const Number& low, const Number& high) {
  throw host::Error(ErrorKind::value, where(job, index) + " is " + text(value) + ", not in " +
                                          text(low) + " .. " + text(high));
}

[[gnu::cold]] void note_infinite(const ActionJob& job, size_t index, const Number& value) {
  const std::string said = " is " + text(value) + ", not a finite number";
  if (job.policy.nan == ActionPolicy::Nan::raise) {
    throw host::Error(ErrorKind::value, where(job, index) + said);
  }
  if (job.policy.nan == ActionPolicy::Nan::truncate) {
    job.unfit.push_back({env_of(job, index), static_cast<uint32_t>(action_of(job, index)),
                         what(job, index) + said + ": the environment was not stepped"});
  }
}

// So GCC finds the lowest and the highest of several numbers at a time; with std::min it does not.
template <class T>
std::pair<T, T> extremes(const T* values, size_t size) {
  T lowest = values[0];
  T highest = lowest;
  for (size_t i = 0; i < size; ++i) {
    const T value = values[i];
    lowest = value < lowest ? value : lowest;
    highest = value > highest ? value : highest;
  }
  return {lowest, highest};
}

template <class Source, class Target>
void put_integers(const ActionJob& job, const Source* source) {
  const size_t width = job.field.elements;
  const size_t size = size_of(job);
  const Target least = is_binary(job.field) ? Target{0} : std::numeric_limits<Target>::min();
  const Target most = is_binary(job.field) ? Target{1} : std::numeric_limits<Target>::max();
  bool all_fit = false;
  if (size > 0 && job.field.low.size() <= sizeof(Target) &&
      job.field.high.size() <= sizeof(Target)) {
    const auto [lowest, highest] = extremes(source, size);
    const Target low = bound<Target>(job.field.low, 0, least);
    const Target high = bound<Target>(job.field.high, 0, most);
    all_fit = fits(lowest, low, high) && fits(highest, low, high);
  }
  for (size_t i = 0; !all_fit && i < size; ++i) {
    const Target low = bound<Target>(job.field.low, i % width, least);
    const Target high = bound<Target>(job.field.high, i % width, most);
    if (fits(source[i], low, high)) continue;
    refuse(job, i, number(source[i]), number(low), number(high));
  }
  // Only what becomes wider needs its sign: all others share the unsigned ones' code.
  using From =
      std::conditional_t<sizeof(Source) < sizeof(Target), Source, std::make_unsigned_t<Source>>;
  put<From, std::make_unsigned_t<Target>>(job, reinterpret_cast<const From*>(source));
}

// Value by value, where one of them or the policy asks for it.
template <class Source, class Target>
void put_by_policy(const ActionJob& job, const Source* source) {
  const size_t width = job.field.elements;
  auto* rows = reinterpret_cast<Target*>(job.rows);
  const Target infinity = std::numeric_limits<Target>::infinity();
  const size_t size = size_of(job);
  for (size_t i = 0; i < size; ++i) {
    const Target low = bound<Target>(job.field.low, i % width, -infinity);
    const Target high = bound<Target>(job.field.high, i % width, infinity);
    auto value = static_cast<Target>(source[i]);
    if (!std::isfinite(value)) {
      note_infinite(job, i, number(source[i]));
      value = in_place_of(value, low, high);
    } else if (!(value >= low && value <= high)) {
      if (job.policy.bounds == ActionPolicy::Bounds::raise) {
        refuse(job, i, number(source[i]), number(low), number(high));
      }
      if (job.policy.bounds == ActionPolicy::Bounds::clip) value = in_place_of(value, low, high);
    }
    const bool in_order = job.places == nullptr && job.apart == 0;
    const size_t place = in_order ? i / width : place_of(job, i) + action_of(job, i) * job.apart;
    rows[place * width + i % width] = value;
  }
}

// Continuous actions must be finite numbers of the target's range. Beyond the space's bounds is for
// the environment to judge, as in Gymnasium: most clip, and policies without bounds rely on it.
// The policy may say otherwise.
template <class Source, class Target>
void put_floats(const ActionJob& job, const Source* source) {
  const size_t size = size_of(job);
  bool bad = false;
  for (size_t i = 0; i < size; ++i) bad |= !std::isfinite(static_cast<Target>(source[i]));
  if (bad || job.policy.bounds != ActionPolicy::Bounds::pass) {
    return put_by_policy<Source, Target>(job, source);
  }
  put<Source, Target>(job, source);
}

template <class Source>
void put_any(const ActionJob& job, const Source* source) {
  dtypes::visit(job.field.dtype, [&](auto element) {
    using Target = typename decltype(element)::Stored;
    if constexpr (std::is_integral_v<Target>) {
      if constexpr (std::is_integral_v<Source>) put_integers<Source, Target>(job, source);
    } else if (std::is_floating_point_v<Source> ||
               job.policy.bounds != ActionPolicy::Bounds::pass) {
      put_floats<Source, Target>(job, source);
    } else {
      put<Source, Target>(job, source);
    }
  });
}

}  // namespace

void put_actions(const ActionJob& job, const RawArray& array) {
  if (size_of(job) == 0) return;  // an empty list has no dtype of its own
  dtypes::visit(array.dtype, [&](auto element) {
    put_any(job, static_cast<const typename decltype(element)::Stored*>(array.data));
  });
}

}  // namespace pp::python
