// What was handed out may never arrive: a signal handler that raises ends whatever Python code the
// result is on its way through, and the interpreter throws it away. Only the main thread has that.
//
// So there a result does not come as a value but in a box, a list of one that belongs to the view,
// and has arrived when the view has taken it out: by reading the item and setting it to None, for
// which the interpreter looks for no signals. Until then the batch stays here, and comes again.
#ifndef PARALLEL_POOL_SRC_DELIVERY_HPP_
#define PARALLEL_POOL_SRC_DELIVERY_HPP_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>

#include "parallel_pool/host/pool.hpp"
#include "python_lock.hpp"
#include "result_tree.hpp"

namespace pp::python {

// With the lock.
class Delivery {
 public:
  // `box`: a list with None in it; None: results are values, and what is lost is lost.
  explicit Delivery(const py::object& box);

  // Whether something is here that has not arrived, for this thread to take.
  bool waiting();
  // Throws if such a result keeps these environments (`ids` NULL: all), or anything (`alone`), from
  // taking work.
  void check(const host::Layout& layout, const uint32_t* ids, uint32_t n, bool alone);

  // What a call returns: a batch as this tree has it; it is ours from here. Raises what `fail`
  // gives for a batch with failures: an exception, of the result.
  template <class Fail>
  py::object hand_out(const ResultTree& tree, host::Batch* batch, Fail&& fail) {
    if (!boxed_ || !is_main_thread()) {
      const py::object result = build(tree, Parcel(tree, batch), fail);
      return boxed_ ? boxed(result) : result;
    }
    parcel_ = Parcel(tree, batch);
    boxed_as_ = nullptr;
    return hand_out(tree, fail);
  }
  // The same once more, when waiting().
  template <class Fail>
  py::object hand_out_again(const ResultTree& tree, Fail&& fail) {
    if (content() != nullptr && boxed_as_ == &tree) return box_;
    return hand_out(tree, fail);
  }

 private:
  template <class Fail>
  static py::object build(const ResultTree& tree, const Parcel& parcel, Fail&& fail) {
    py::object result = tree.build(parcel);
    if (parcel.batch->failures.empty()) return result;
    const py::object error = fail(*parcel.batch, result);
    PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
    throw py::error_already_set();
  }

  template <class Fail>
  py::object hand_out(const ResultTree& tree, Fail&& fail) {
    const Parcel parcel = parcel_;  // Python code that runs meanwhile may receive it too
    py::object result;
    bool failures = false;
    try {
      result = tree.build(parcel);
      if (!parcel.batch->failures.empty()) {
        const py::object error = fail(*parcel.batch, result);
        PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
        failures = true;  // and nothing can come in between any more
        throw py::error_already_set();
      }
    } catch (const py::error_already_set& error) {
      // Interrupted, unless it is an error; and that would be an error the next time too.
      const bool hopeless = error.matches(PyExc_Exception) && ++parcel_.failed > 1;
      if (failures || hopeless) parcel_ = Parcel();
      throw;
    }
    if (parcel_.owner.is(parcel.owner) && boxed_as_ != &tree) {
      PyList_SetItem(box_.ptr(), 0, result.release().ptr());
      boxed_as_ = &tree;
    }
    return box_;
  }

  static py::list boxed(py::object result) {
    py::list box(1);
    PyList_SET_ITEM(box.ptr(), 0, result.release().ptr());
    return box;
  }

  // NULL: nothing.
  PyObject* content() const {
    PyObject* item = PyList_GET_ITEM(box_.ptr(), 0);
    return item == Py_None ? nullptr : item;
  }

  py::list box_;
  const bool boxed_;
  const ResultTree* boxed_as_ = nullptr;  // NULL: it was not built yet
  Parcel parcel_;                         // until the next call, at least
};

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_DELIVERY_HPP_
