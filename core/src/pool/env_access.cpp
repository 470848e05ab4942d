#include "pool/env_access.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/dtypes.hpp"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/extension.hpp"

namespace pp::python {
namespace {

template <class Extension>
const Extension& offered(const host::Pool& pool, uint32_t env, const char* id,
                         const char* ability) {
  const auto* found = pool.extension<Extension>(env, id);
  if (found != nullptr) return *found;
  throw host::Error(host::ErrorKind::not_offered,
                    std::string(pool.env(env).id) + " " + ability + ": its plugin (" +
                        pool.library().plugin().name + " " + pool.library().plugin().version +
                        ") does not offer " + id + " for it");
}

// The arrays of one environment of a pool.
struct Arrays {
  Arrays(const host::Pool& pool, uint32_t env)
      : id(pool.env(env).id),
        extension(offered<pp_arrays>(pool, env, PP_EXT_ARRAYS, "has no arrays")) {}
  const char* id;
  const pp_arrays& extension;
};

constexpr int64_t most_arrays = 1 << 20;
constexpr uint32_t most_pixels = 1 << 15;  // the limit of a picture's height, and of its width

// An array as a plugin describes it.
struct Description {
  std::string name;
  uint32_t index = 0;
  uint32_t dtype = 0;
  bool writable = false;
  std::vector<py::ssize_t> shape;

  size_t bytes() const {
    size_t n = dtypes::item_size(dtype);
    for (const py::ssize_t each : shape) n *= static_cast<size_t>(each);
    return n;
  }
  bool operator==(const Description& other) const {
    return dtype == other.dtype && shape == other.shape;
  }
};

// Returns true if a plugin may have meant it.
bool is_right(const pp_array& array) {
  if (!host::is_name(array.name) || array.ndim > PP_MAX_DIMS) return false;
  size_t elements = 1;
  for (uint32_t d = 0; d < array.ndim; ++d) {
    const int64_t size = array.shape[d];
    if (size < 0 || (size > 0 && elements > host::max_elements / static_cast<size_t>(size))) {
      return false;
    }
    elements *= static_cast<size_t>(size);
  }
  return dtypes::item_size(array.dtype) != 0;
}

// Negative after set_error.
int64_t count_of(const Arrays& arrays, void* self, uint32_t lane) {
  const int64_t count = arrays.extension.count(self, lane);
  if (count <= most_arrays) return count;
  throw host::Error(host::ErrorKind::access, std::string(arrays.id) + " says that it has " +
                                                 std::to_string(count) +
                                                 " arrays; this is a mistake in the plugin");
}

// False after set_error.
bool describe(const Arrays& arrays, void* self, uint32_t lane, uint32_t index, Description* out) {
  pp_array array{};
  array.struct_size = sizeof array;
  if (arrays.extension.describe(self, lane, index, &array) != 0) return false;
  if (!is_right(array)) {
    throw host::Error(host::ErrorKind::access,
                      std::string(arrays.id) + ": array " + std::to_string(index) +
                          " is described wrongly; this is a mistake in the plugin");
  }
  *out = {array.name, index, array.dtype, (array.flags & PP_ARRAY_WRITABLE) != 0u,
          std::vector<py::ssize_t>(array.shape, array.shape + array.ndim)};
  return true;
}

std::vector<Description> descriptions(host::Pool& pool, const host::Pool::Hold& envs) {
  const Arrays arrays(pool, envs[0]);
  std::vector<Description> all;
  pool.look_into(envs, 0, "looked into", [&](void* self, uint32_t lane) {
    const int64_t count = count_of(arrays, self, lane);
    if (count < 0) return 1;
    all.resize(static_cast<size_t>(count));
    for (uint32_t a = 0; a < count; ++a) {
      if (!describe(arrays, self, lane, a, &all[a])) return 1;
    }
    return 0;
  });
  return all;
}

// `likely`: where it was in another environment or call, and is here too as a rule.
Description find(host::Pool& pool, const host::Pool::Hold& envs, uint32_t i,
                 const std::string& name, uint32_t likely) {
  const Arrays arrays(pool, envs[i]);
  Description found;
  std::string others;
  bool there = false;
  pool.look_into(envs, i, "looked into", [&](void* self, uint32_t lane) {
    const int64_t count = count_of(arrays, self, lane);
    if (count < 0) return 1;
    if (likely < count) {
      if (!describe(arrays, self, lane, likely, &found)) return 1;
      there = found.name == name;
    }
    for (uint32_t a = 0; a < count && !there; ++a) {
      if (!describe(arrays, self, lane, a, &found)) return 1;
      there = found.name == name;
      others += (others.empty() ? "" : ", ") + found.name;
    }
    return 0;
  });
  if (there) return found;
  throw host::Error(host::ErrorKind::value,
                    std::string(arrays.id) + " has no array '" + name + "'; it has: " + others);
}

// An array that all environments have with one shape, each in a place of its own.
struct SameArray {
  struct Place {
    const pp_arrays& arrays;
    uint32_t index;
  };
  Description first;
  std::vector<Place> places;
};

SameArray find_same(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                    ArrayPlaces& places) {
  SameArray same;
  uint32_t likely = places.of(name);
  for (uint32_t i = 0; i < envs.size(); ++i) {
    Description found = find(pool, envs, i, name, likely);
    likely = found.index;
    same.places.push_back({Arrays(pool, envs[i]).extension, found.index});
    if (i == 0) {
      places.note(name, likely);
      same.first = std::move(found);
    } else if (!(found == same.first)) {
      throw host::Error(host::ErrorKind::value,
                        "the array '" + name + "' has another shape or dtype in environment " +
                            std::to_string(envs[i]) + " than in environment " +
                            std::to_string(envs[0]) + ": ask for one at a time");
    }
  }
  return same;
}

}  // namespace

py::list render(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend) {
  struct Frame {
    const pp_render* extension = nullptr;
    uint32_t height = 0;
    uint32_t width = 0;
    std::unique_ptr<uint8_t[]> pixels;
  };
  std::vector<Frame> frames(envs.size());
  for (uint32_t i = 0; i < envs.size(); ++i) {
    frames[i].extension = &offered<pp_render>(pool, envs[i], PP_EXT_RENDER, "cannot be drawn");
  }
  attend([&] {
    pool.look_into_all(envs, "drawn", [&](uint32_t i, void* self, uint32_t lane) {
      Frame& frame = frames[i];
      if (frame.extension->size(self, lane, &frame.height, &frame.width) != 0) return 1;
      if (std::min(frame.height, frame.width) == 0 ||
          std::max(frame.height, frame.width) > most_pixels) {
        throw host::Error(host::ErrorKind::access,
                          "environment " + std::to_string(envs[i]) + " could not be drawn: " +
                              pool.env(envs[i]).id + " says that its picture has " +
                              std::to_string(frame.height) + " x " + std::to_string(frame.width) +
                              " pixels; this is a mistake in the plugin");
      }
      frame.pixels = std::make_unique<uint8_t[]>(size_t{3} * frame.height * frame.width);
      return static_cast<int>(frame.extension->draw(self, lane, frame.pixels.get()));
    });
  });
  py::list arrays;
  for (Frame& frame : frames) {
    const std::vector<py::ssize_t> shape = {frame.height, frame.width, 3};
    uint8_t* pixels = frame.pixels.get();
    const py::capsule owner(pixels, [](void* memory) { delete[] static_cast<uint8_t*>(memory); });
    frame.pixels.release();  // NOLINT: the capsule has it
    arrays.append(py::array_t<uint8_t>(shape, pixels, owner));
  }
  return arrays;
}

py::dict describe_arrays(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend) {
  std::vector<Description> all;
  attend([&] { all = descriptions(pool, envs); });
  py::dict result;
  for (const Description& each : all) {
    result[py::str(each.name)] =
        py::make_tuple(numpy_dtype(each.dtype), py::tuple(py::cast(each.shape)), each.writable);
  }
  return result;
}

py::array read_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                     ArrayPlaces& places, const Attend& attend) {
  SameArray same;
  attend([&] { same = find_same(pool, envs, name, places); });
  const Description& array = same.first;
  std::vector<py::ssize_t> shape = array.shape;
  shape.insert(shape.begin(), envs.size());
  py::array result(numpy_dtype(array.dtype), shape);
  auto* rows = static_cast<char*>(result.mutable_data());
  attend([&] {
    for (uint32_t i = 0; i < envs.size(); ++i) {
      pool.look_into(envs, i, "read", [&](void* self, uint32_t lane) {
        const SameArray::Place& place = same.places[i];
        return place.arrays.read(self, lane, place.index, rows + i * array.bytes());
      });
    }
  });
  return result;
}

void write_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                 const py::array& values, ArrayPlaces& places, const Attend& attend) {
  SameArray same;
  attend([&] { same = find_same(pool, envs, name, places); });
  const Description& array = same.first;
  const std::string label = std::string(pool.env(envs[0]).id) + ": array '" + name + "'";
  if (!array.writable) {
    throw host::Error(host::ErrorKind::value, label + " can only be read");
  }
  std::vector<py::ssize_t> shape = array.shape;
  shape.insert(shape.begin(), envs.size());
  const std::vector<py::ssize_t> given(values.shape(), values.shape() + values.ndim());
  if (given != shape) {
    throw host::Error(host::ErrorKind::value, label + " takes values of shape " +
                                                  std::string(py::str(py::tuple(py::cast(shape)))) +
                                                  ", not " +
                                                  std::string(py::str(py::tuple(py::cast(given)))));
  }
  const py::dtype dtype = numpy_dtype(array.dtype);
  // It takes what casts safely, and Python's own ints and floats, which numpy reads as 64 bits.
  const py::module_ numpy = py::module_::import("numpy");
  if (!numpy.attr("can_cast")(values.dtype(), dtype, "same_kind").cast<bool>()) {
    throw host::Error(host::ErrorKind::type, label + " is of dtype " + std::string(py::str(dtype)) +
                                                 ", and " + std::string(py::str(values.dtype())) +
                                                 " does not cast to it safely");
  }
  const py::array rows = numpy.attr("ascontiguousarray")(values, dtype);
  const auto* first = static_cast<const char*>(rows.data());
  attend([&] {
    for (uint32_t i = 0; i < envs.size(); ++i) {
      try {
        pool.look_into(envs, i, "written", [&](void* self, uint32_t lane) {
          const SameArray::Place& place = same.places[i];
          return place.arrays.write(self, lane, place.index, first + i * array.bytes());
        });
      } catch (const host::Error& error) {
        const host::ErrorKind kind = error.kind();
        if (kind == host::ErrorKind::access || kind == host::ErrorKind::interrupted) {
          pool.quarantine(envs[i]);
        }
        throw;
      }
    }
  });
}

}  // namespace pp::python
