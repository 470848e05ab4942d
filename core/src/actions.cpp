// What users give as actions, checked and put into rows. Long, because the checks of a leaf and the
// errors that name environment, player and value belong to each other for every kind and dtype.
#include "actions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "dtypes.hpp"

namespace pp::python {
namespace {

std::string shape_text(const py::array& array) {
  return py::repr(py::tuple(array.attr("shape"))).cast<std::string>();
}

// What makes an array of a tensor or an array of another library that numpy cannot read as it is;
// empty: nobody knows.
std::string conversion_for(py::handle value) {
  const auto holds = [&value](const char* attribute, const char* word) {
    const py::object found = py::getattr(value, attribute, py::none());
    return py::str(found).cast<std::string>().find(word) != std::string::npos;
  };
  try {
    std::string calls;
    if (holds("requires_grad", "True")) calls += ".detach()";
    if (holds("device", "cuda") || holds("device", "mps")) calls += ".cpu()";
    if (holds("dtype", "bfloat16")) {
      calls += py::hasattr(value, "detach") ? ".float()" : ".astype('float32')";
    }
    return calls.empty() ? calls : ": pass it as action" + calls;
  } catch (const py::error_already_set&) {  // attributes that raise: then without a hint
    return {};
  }
}

// A C-contiguous, aligned array in native byte order, of any of the dtypes handled below.
py::array as_array(py::handle value, const std::string& label) {
  py::array array = array_of(value, py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_);
  if (!array) {
    throw py::type_error(label + " is no array of numbers" + conversion_for(value) + ": " +
                         py::repr(value).cast<std::string>());
  }
  const char order = array.dtype().byteorder();
  if (order != '=' && order != '|') {
    array = py::array::ensure(array.attr("astype")(array.dtype().attr("newbyteorder")("=")));
  }
  return array;
}

[[noreturn]] void wrong_dtype(const std::string& label, const py::array& array, const char* wanted,
                              const char* fix) {
  throw py::type_error(label + " has dtype " + py::str(array.dtype()).cast<std::string>() +
                       ", but " + wanted + ": " + fix);
}

// Zeros and ones, even where the environment declares no bounds.
bool is_binary(const host::FieldSpec& field) {
  return field.kind == PP_KIND_MULTI_BINARY || field.dtype == PP_BOOL;
}

// As Python writes it, without Python: the fewest digits that say which number it is.
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

template <class T>
std::string number(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return float_text(static_cast<double>(value));
  } else {
    return std::to_string(value);
  }
}

template <class T>
T bound(const std::vector<unsigned char>& bounds, size_t element, T absent) {
  if (bounds.empty()) return absent;
  const size_t n = bounds.size() / sizeof(T);
  T value;
  std::memcpy(&value, bounds.data() + (n == 1 ? 0 : element) * sizeof(T), sizeof(T));
  return value;
}

// Whether an integer of one type lies in [low, high] of another, without any wrap-around.
template <class Source, class Target>
bool fits(Source value, Target low, Target high) {
  if constexpr (std::is_unsigned_v<Source> && std::is_signed_v<Target>) {
    return high >= 0 && value <= static_cast<std::make_unsigned_t<Target>>(high) &&
           (low <= 0 || value >= static_cast<std::make_unsigned_t<Target>>(low));
  } else if constexpr (std::is_signed_v<Source> && std::is_unsigned_v<Target>) {
    return value >= 0 && static_cast<std::make_unsigned_t<Source>>(value) >= low &&
           static_cast<std::make_unsigned_t<Source>>(value) <= high;
  } else {
    return value >= low && value <= high;
  }
}

struct Job {
  const host::FieldSpec& field;
  const std::string& label;
  const uint32_t* ids;
  uint32_t n;
  char* rows;  // of environment 0
  ActionPolicy policy;
  std::vector<host::EnvFailure>& unfit;  // environments that are not to be stepped
  uint32_t capacity = 0;                 // not 0: ids are environment * capacity + player
};

template <class Source, class Target>
void put(const Job& job, const Source* source) {
  const size_t width = job.field.elements;
  auto* __restrict rows = reinterpret_cast<Target*>(job.rows);
  if (job.ids == nullptr) {
    for (size_t i = 0; i < width * job.n; ++i) rows[i] = static_cast<Target>(source[i]);
    return;
  }
  for (uint32_t i = 0; i < job.n; ++i) {
    Target* row = rows + size_t{job.ids[i]} * width;
    for (size_t e = 0; e < width; ++e) row[e] = static_cast<Target>(source[i * width + e]);
  }
}

// The row in the pool: the environment, or environment * capacity + player.
uint32_t place_of(const Job& job, size_t index) {
  const size_t row = index / job.field.elements;
  return job.ids == nullptr ? static_cast<uint32_t>(row) : job.ids[row];
}

std::string what(const Job& job, size_t index) {
  const size_t width = job.field.elements;
  return width > 1 ? job.label + " (element " + std::to_string(index % width) + ")" : job.label;
}

std::string where(const Job& job, size_t index) {
  const uint32_t place = place_of(job, index);
  if (job.capacity == 0) return what(job, index) + " of environment " + std::to_string(place);
  return what(job, index) + " of environment " + std::to_string(place / job.capacity) +
         ", player " + std::to_string(place % job.capacity);
}

template <class Source, class Target>
void put_integers(const Job& job, const Source* source) {
  const size_t width = job.field.elements;
  const size_t size = width * job.n;
  const Target least = is_binary(job.field) ? Target{0} : std::numeric_limits<Target>::min();
  const Target most = is_binary(job.field) ? Target{1} : std::numeric_limits<Target>::max();
  bool bad = false;
  if (job.field.low.size() <= sizeof(Target) && job.field.high.size() <= sizeof(Target)) {
    const Target low = bound<Target>(job.field.low, 0, least);
    const Target high = bound<Target>(job.field.high, 0, most);
    // The extremes of many numbers are found several at a time.
    Source lowest = size > 0 ? source[0] : Source{0};
    Source highest = lowest;
    for (size_t i = 0; i < size; ++i) {
      lowest = std::min(lowest, source[i]);
      highest = std::max(highest, source[i]);
    }
    bad = size > 0 && !(fits(lowest, low, high) && fits(highest, low, high));
  } else {
    for (size_t i = 0; i < size; ++i) {
      bad |= !fits(source[i], bound<Target>(job.field.low, i % width, least),
                   bound<Target>(job.field.high, i % width, most));
    }
  }
  if (bad) {
    for (size_t i = 0; i < size; ++i) {
      const Target low = bound<Target>(job.field.low, i % width, least);
      const Target high = bound<Target>(job.field.high, i % width, most);
      if (fits(source[i], low, high)) continue;
      throw py::value_error(where(job, i) + " is " + number(source[i]) + ", not in " + number(low) +
                            " .. " + number(high));
    }
  }
  put<Source, Target>(job, source);
}

// Value by value, where one of them or the policy asks for it.
template <class Source, class Target>
void put_by_policy(const Job& job, const Source* source) {
  const size_t width = job.field.elements;
  auto* rows = reinterpret_cast<Target*>(job.rows);
  const Target infinity = std::numeric_limits<Target>::infinity();
  for (size_t i = 0; i < width * job.n; ++i) {
    const Target low = bound<Target>(job.field.low, i % width, -infinity);
    const Target high = bound<Target>(job.field.high, i % width, infinity);
    auto value = static_cast<Target>(source[i]);
    if (!std::isfinite(value)) {
      if (job.policy.nan == ActionPolicy::Nan::raise) {
        throw py::value_error(where(job, i) + " is " + number(source[i]) + ", not a finite number");
      }
      if (job.policy.nan == ActionPolicy::Nan::truncate) {
        const uint32_t place = place_of(job, i);
        job.unfit.push_back({job.capacity == 0 ? place : place / job.capacity,
                             what(job, i) + " is " + number(source[i]) +
                                 ", not a finite number: the environment was "
                                 "not stepped"});
      }
      value = in_place_of(value, low, high);
    } else if (!(value >= low && value <= high)) {
      if (job.policy.bounds == ActionPolicy::Bounds::raise) {
        throw py::value_error(where(job, i) + " is " + number(source[i]) + ", not in " +
                              number(low) + " .. " + number(high));
      }
      if (job.policy.bounds == ActionPolicy::Bounds::clip) value = in_place_of(value, low, high);
    }
    rows[place_of(job, i) * width + i % width] = value;
  }
}

// Continuous actions must be finite numbers of the target's range. Beyond the space's bounds is for
// the environment to judge, as in Gymnasium: most clip, and policies without bounds rely on it.
// The policy may say otherwise.
template <class Source, class Target>
void put_floats(const Job& job, const Source* source) {
  const size_t size = job.field.elements * job.n;
  bool bad = false;
  for (size_t i = 0; i < size; ++i) bad |= !std::isfinite(static_cast<Target>(source[i]));
  if (bad || job.policy.bounds != ActionPolicy::Bounds::pass) {
    return put_by_policy<Source, Target>(job, source);
  }
  put<Source, Target>(job, source);
}

template <class Source>
void put_any(const Job& job, const Source* source) {
  const bool integral = job.field.dtype != PP_FLOAT32 && job.field.dtype != PP_FLOAT64;
  if (!integral &&
      (std::is_floating_point_v<Source> || job.policy.bounds != ActionPolicy::Bounds::pass)) {
    if (job.field.dtype == PP_FLOAT32) return put_floats<Source, float>(job, source);
    return put_floats<Source, double>(job, source);
  }
  if constexpr (!std::is_floating_point_v<Source>) {
    switch (job.field.dtype) {
      case PP_BOOL:
      case PP_UINT8:
        return put_integers<Source, uint8_t>(job, source);
      case PP_INT8:
        return put_integers<Source, int8_t>(job, source);
      case PP_INT16:
        return put_integers<Source, int16_t>(job, source);
      case PP_INT32:
        return put_integers<Source, int32_t>(job, source);
      case PP_INT64:
        return put_integers<Source, int64_t>(job, source);
      case PP_UINT16:
        return put_integers<Source, uint16_t>(job, source);
      case PP_UINT32:
        return put_integers<Source, uint32_t>(job, source);
      case PP_UINT64:
        return put_integers<Source, uint64_t>(job, source);
      case PP_FLOAT32:
        return put<Source, float>(job, source);
      default:
        return put<Source, double>(job, source);
    }
  }
}

void put_elements(const Job& job, char kind, size_t size, const void* data) {
  if (kind == 'i') {
    if (size == 8) return put_any(job, static_cast<const int64_t*>(data));
    if (size == 4) return put_any(job, static_cast<const int32_t*>(data));
    if (size == 2) return put_any(job, static_cast<const int16_t*>(data));
    return put_any(job, static_cast<const int8_t*>(data));
  }
  if (kind == 'u' || kind == 'b') {
    if (size == 8) return put_any(job, static_cast<const uint64_t*>(data));
    if (size == 4) return put_any(job, static_cast<const uint32_t*>(data));
    if (size == 2) return put_any(job, static_cast<const uint16_t*>(data));
    return put_any(job, static_cast<const uint8_t*>(data));
  }
  if (size == 4) return put_any(job, static_cast<const float*>(data));
  put_any(job, static_cast<const double*>(data));
}

void put_array(const Job& job, const py::array& array) {
  put_elements(job, array.dtype().kind(), static_cast<size_t>(array.itemsize()), array.data());
}

}  // namespace

Actions::Actions(host::Pool& pool, const py::object& tree, ActionPolicy policy)
    : pool_(pool), policy_(policy) {
  collect(tree, {}, "the action");
}

void Actions::collect(const py::handle& tree, std::vector<py::object> path,
                      const std::string& label) {
  if (py::isinstance<py::int_>(tree)) {
    leaves_.push_back({tree.cast<size_t>(), std::move(path), label});
  } else if (py::isinstance<py::dict>(tree)) {
    for (const auto& item : tree.cast<py::dict>()) {
      path.push_back(py::reinterpret_borrow<py::object>(item.first));
      collect(item.second, path, label + "['" + py::str(item.first).cast<std::string>() + "']");
      path.pop_back();
    }
  } else {
    size_t index = 0;
    for (const py::handle member : tree.cast<py::tuple>()) {
      path.push_back(py::int_(index));
      collect(member, path, label + "[" + std::to_string(index) + "]");
      path.pop_back();
      ++index;
    }
  }
}

void Actions::convert(py::handle action, uint32_t n, std::vector<py::array>& arrays) const {
  for (const Leaf& leaf : leaves_) {
    py::object value = py::reinterpret_borrow<py::object>(action);
    for (const py::object& key : leaf.path) {
      PyObject* member = PyObject_GetItem(value.ptr(), key.ptr());
      if (member == nullptr) {
        if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
        PyErr_Clear();
        throw py::value_error("the action space is nested and " + leaf.label +
                              " is missing: the action is " + py::repr(value).cast<std::string>());
      }
      value = py::reinterpret_steal<py::object>(member);
    }
    arrays.push_back(convert_field(leaf, value, n));
  }
}

py::array Actions::convert_field(const Leaf& leaf, py::handle value, uint32_t n) const {
  const host::FieldSpec& field = pool_.spec().fields[leaf.field];
  py::array array = as_array(value, leaf.label);

  const size_t ndim = field.shape.size() + 1;
  const auto given = static_cast<size_t>(array.ndim());
  // Players come flat, how many is known later, or as a row of max_players for each environment.
  const bool padded = field.per_player && given == ndim + 1;
  bool shaped = padded || given == ndim;
  if (shaped && (padded || !field.per_player))
    shaped = array.shape(0) == static_cast<py::ssize_t>(n);
  if (shaped && padded) shaped = array.shape(1) == pool_.spec().max_players;
  for (size_t d = 0; shaped && d < field.shape.size(); ++d)
    shaped =
        array.shape(static_cast<py::ssize_t>(d + given - field.shape.size())) == field.shape[d];
  if (!shaped) {
    std::string rest;
    for (const int64_t dim : field.shape) rest += " " + std::to_string(dim) + ",";
    const auto tuple = [&rest](const std::string& front) {
      std::string text = "(" + front + "," + rest;
      if (text.back() == ',' && text.find(' ') != std::string::npos) text.pop_back();
      return text + ")";
    };
    const std::string count = std::to_string(n);
    if (field.per_player) {
      throw py::value_error(leaf.label + " has shape " + shape_text(array) + ", expected " +
                            tuple("players") + ", one row for each player shown last, or " +
                            tuple(count + ", " + std::to_string(pool_.spec().max_players)) +
                            ", one for each place in the " + count + " environments");
    }
    throw py::value_error(leaf.label + " has shape " + shape_text(array) + ", expected " +
                          tuple(count) + ": one row for each of the " + count + " environments");
  }

  if (array.size() == 0) return array;  // nobody acts: an empty list has no dtype of its own
  const bool integral = field.dtype != PP_FLOAT32 && field.dtype != PP_FLOAT64;
  const char kind = array.dtype().kind();
  if (integral && kind != 'i' && kind != 'u' && !(is_binary(field) && kind == 'b')) {
    wrong_dtype(leaf.label, array, "the action space takes integers",
                "convert it yourself if that is what you mean, action.astype(numpy.int64)");
  }
  if (!integral && kind != 'f' && kind != 'i' && kind != 'u') {
    wrong_dtype(leaf.label, array, "the action space takes real numbers",
                "pass float32 or float64, as action.astype('float32') is");
  }
  // float16 and long double are rare: through numpy.
  if (kind == 'f' && array.itemsize() != 4 && array.itemsize() != 8) {
    return py::array::ensure(array.attr("astype")("float64"));
  }
  return array;
}

void Actions::stage(const std::vector<py::array>& arrays, const uint32_t* ids, uint32_t n,
                    PlayerRows* players) {
  unfit_.clear();
  for (size_t l = 0; l < leaves_.size(); ++l) {
    const Leaf& leaf = leaves_[l];
    if (players != nullptr && pool_.spec().fields[leaf.field].per_player) {
      stage_players(leaf, arrays[l], ids, n, *players);
      continue;
    }
    const Job job{pool_.spec().fields[leaf.field], leaf.label, ids,   n,
                  pool_.action_row(leaf.field, 0), policy_,    unfit_};
    put_array(job, arrays[l]);
  }
  refuse_unfit();
}

void Actions::stage(const std::vector<RawArray>& arrays, const uint32_t* ids, uint32_t n) {
  unfit_.clear();
  for (size_t l = 0; l < leaves_.size(); ++l) {
    const Leaf& leaf = leaves_[l];
    const Job job{pool_.spec().fields[leaf.field], leaf.label, ids,   n,
                  pool_.action_row(leaf.field, 0), policy_,    unfit_};
    put_elements(job, arrays[l].kind, arrays[l].item, arrays[l].data);
  }
  refuse_unfit();
}

void Actions::refuse_unfit() {
  for (size_t i = unfit_.size(); i-- > 0;) {  // so that the first thing said about one stays
    pool_.refuse_step(unfit_[i].env, std::move(unfit_[i].message));
  }
}

void Actions::stage_players(const Leaf& leaf, const py::array& array, const uint32_t* ids,
                            uint32_t n, PlayerRows& players) {
  const host::FieldSpec& field = pool_.spec().fields[leaf.field];
  const uint32_t capacity = pool_.spec().max_players;
  const bool padded = static_cast<size_t>(array.ndim()) == field.shape.size() + 2;
  char* rows = pool_.action_row(leaf.field, 0);
  const std::vector<uint32_t>& slots = players.slots(leaf.label, padded, array.shape(0), ids, n);
  const auto count = static_cast<uint32_t>(slots.size());
  // Who does not act, and who is not there, acts as zeros, whatever stood here before.
  const size_t bytes = field.row_bytes / capacity;
  const auto clear = [&] {
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t env = ids == nullptr ? i : ids[i];
      const uint8_t* acting = pool_.players()->acting(env);
      if (std::memchr(acting, 0, capacity) == nullptr) continue;
      for (uint32_t k = 0; k < capacity; ++k) {
        if (acting[k] == 0) std::memset(rows + env * field.row_bytes + k * bytes, 0, bytes);
      }
    }
  };
  if (!padded || count == n * capacity) {
    put_array({field, leaf.label, slots.data(), count, rows, policy_, unfit_, capacity}, array);
    return clear();
  }
  // The rows of players that are shown, closed up.
  const auto item = static_cast<size_t>(array.itemsize());
  const size_t width = field.elements * item;
  players.buffer.resize(count * width);
  char* to = players.buffer.data();
  const auto* from = static_cast<const char*>(array.data());
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t* shown = pool_.players()->shown(ids == nullptr ? i : ids[i]);
    for (uint32_t k = 0; k < capacity; ++k) {
      if (shown[k] == 0) continue;
      std::memcpy(to, from + (size_t{i} * capacity + k) * width, width);
      to += width;
    }
  }
  put_elements({field, leaf.label, slots.data(), count, rows, policy_, unfit_, capacity},
               array.dtype().kind(), item, players.buffer.data());
  clear();
}

namespace {
template <class T>
void copy_ids(const py::array& array, uint32_t num_envs, std::vector<uint32_t>& storage) {
  const T* data = static_cast<const T*>(array.data());
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    if (!fits(data[i], uint32_t{0}, num_envs - 1)) {
      throw py::index_error("env_id " + std::to_string(data[i]) + " is not in 0 .. " +
                            std::to_string(num_envs - 1));
    }
    storage.push_back(static_cast<uint32_t>(data[i]));
  }
}
}  // namespace

const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n) {
  *n = num_envs;
  if (env_id.is_none()) return nullptr;
  const py::array array = as_array(env_id, "env_id");
  if (array.ndim() > 1) {
    throw py::value_error("env_id has shape " + shape_text(array) + ", expected one dimension");
  }
  if (array.size() == 0) throw py::value_error("env_id is empty: name at least one environment");
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u')
    wrong_dtype("env_id", array, "ids are integers", "pass an int32 array");
  storage.clear();
  switch (array.itemsize() * (kind == 'i' ? 1 : -1)) {
    case 8:
      copy_ids<int64_t>(array, num_envs, storage);
      break;
    case 4:
      copy_ids<int32_t>(array, num_envs, storage);
      break;
    case 2:
      copy_ids<int16_t>(array, num_envs, storage);
      break;
    case 1:
      copy_ids<int8_t>(array, num_envs, storage);
      break;
    case -8:
      copy_ids<uint64_t>(array, num_envs, storage);
      break;
    case -4:
      copy_ids<uint32_t>(array, num_envs, storage);
      break;
    case -2:
      copy_ids<uint16_t>(array, num_envs, storage);
      break;
    default:
      copy_ids<uint8_t>(array, num_envs, storage);
      break;
  }
  *n = static_cast<uint32_t>(storage.size());
  // All of them in order is the common way to say "all", and has a faster path.
  if (storage.size() == num_envs) {
    bool in_order = true;
    for (uint32_t i = 0; i < num_envs && in_order; ++i) in_order = storage[i] == i;
    if (in_order) return nullptr;
  }
  return storage.data();
}

}  // namespace pp::python
