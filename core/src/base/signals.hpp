// Signals of Python, looked for by a caller that waits without Python's lock.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "base/python_lock.hpp"
#include "parallel_pool/host/base/error.hpp"

namespace pp::python {

// Made and destroyed with the lock.
class Signals {
 public:
  // Returns true if a handler has raised. It runs here, in the main thread; in others none ever
  // does. The caller holds no lock: the handler may call this module.
  bool raised() {
    if (main_ && !error_) {
      const Locked locked;
      if (locked.python() && PyErr_CheckSignals() != 0) error_.emplace();
    }
    return error_.has_value();
  }
  // Raises what the handler did. With the lock.
  void rethrow() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  const bool main_ = is_main_thread();
  std::optional<py::error_already_set> error_;
};

// Does what may take long without Python's lock, and then raises what a signal handler raised
// meanwhile. `work` is given the function that says whether one has.
template <class Work>
void interruptible(Work&& work) {
  Signals signals;
  try {
    const Unlocked unlocked;
    work([&] { return signals.raised(); });
  } catch (const host::Error& error) {
    // A handler may have closed the pool.
    if (error.kind() == host::ErrorKind::interrupted || error.kind() == host::ErrorKind::closed) {
      signals.rethrow();
    }
    throw;
  }
  signals.rethrow();
}

}  // namespace pp::python
