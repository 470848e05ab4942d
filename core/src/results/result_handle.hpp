// What a call of a pool returns instead of its result; see results/pending_result.hpp for the
// reason.
//
// In Python: `handle.result` is the result, which has arrived when this is read; read once.
// `handle.map(function)` is the same handle; its result is function(result). Signals that raise
// in `function` leave the result with the pool.
#ifndef PARALLEL_POOL_SRC_RESULTS_RESULT_HANDLE_HPP_
#define PARALLEL_POOL_SRC_RESULTS_RESULT_HANDLE_HPP_

#include <pybind11/pybind11.h>

#include "results/pending_result.hpp"

namespace pp::python {

// A pool, for its handles.
class ResultSource {
 public:
  // The result that was handed out; if a signal handler has received it, the one that comes next.
  // `map`: of which this function's value is wanted; NULL: of none. It has arrived then.
  virtual py::object arrive(HandedOut& handed_out, PyObject* map) = 0;

 protected:
  ~ResultSource() = default;
};

// A new handle, which keeps the pool alive.
py::object make_result_handle(PyObject* pool, ResultSource& source, HandedOut handed_out);

void bind_result_handle(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_RESULT_HANDLE_HPP_
