// The handle that a call of a pool returns instead of its result; see results/pending_result.hpp
// for the reason.
//
// In Python: `handle.result` is the result, which has arrived when this is read; read once.
// `handle.map(function)` is the same handle; its result is function(result). Signals that raise
// in `function` leave the result with the pool.
#pragma once

#include <pybind11/pybind11.h>

#include "results/pending_result.hpp"

namespace pp::python {

// A pool, for its handles.
class ResultSource {
 public:
  // The result that was handed out; if a signal handler has received it, the one that comes next.
  // `maps`: functions, a tuple, of which each gets the value of the one before; NULL: none. It has
  // arrived then.
  virtual py::object arrive(HandedOut& handed_out, PyObject* maps) = 0;

 protected:
  ~ResultSource() = default;
};

// A new handle, which keeps the pool alive.
py::object make_result_handle(PyObject* pool, ResultSource& source, HandedOut handed_out);

}  // namespace pp::python
