// Pictures and arrays from inside of environments, as numpy: the extensions "pp.render/1" and
// "pp.arrays/1".
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

#include "parallel_pool/host/pool.hpp"

namespace pp::python {

namespace py = pybind11;

// Does what may take long, without the GIL; a signal handler that raises ends it.
using Attend = std::function<void(const std::function<void()>&)>;

// All of them are called with the GIL, and throw host::Error: not_offered, reset_needed, access.

// One uint8 array of shape (height, width, 3) per environment.
py::list render(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend);

// name -> (dtype, shape, writable), as the first of the environments has them.
py::dict describe_arrays(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend);

// Remembers where the arrays of a pool were found last, so that not all of them are described for
// each that is asked for. Any thread may call it.
class ArrayPlaces {
 public:
  // 0 for a name that was never found.
  uint32_t of(const std::string& name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = place_.find(name);
    return found == place_.end() ? 0 : found->second;
  }
  void note(const std::string& name, uint32_t place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    place_[name] = place;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, uint32_t> place_;
};

// The array of this name, shape (environments, ...). All must have it in one shape.
py::array read_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                     ArrayPlaces& places, const Attend& attend);

// Copies `values`, of shape (environments, ...) and any dtype that casts safely, into them. A value
// error changes nothing; an environment that refuses counts as failed.
void write_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                 const py::array& values, ArrayPlaces& places, const Attend& attend);

}  // namespace pp::python
