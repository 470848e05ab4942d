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
  bool waiting() {
    if (state_ == State::empty || state_ == State::building || !is_main_thread()) return false;
    if (state_ == State::unbuilt || PyList_GET_ITEM(box_.ptr(), 0) != Py_None) return true;
    forget();
    return false;
  }
  // Throws if such a result keeps these environments (`ids` NULL: all), or anything (`alone`), from
  // taking work.
  void check(const host::Layout& layout, const uint32_t* ids, uint32_t n, bool alone) {
    if (waiting()) refuse(layout, ids, n, alone);
  }

  // What a call returns: a batch as this tree has it; it is ours from here. Raises what `fail`
  // gives for a batch with failures: an exception, of the result; that is in the box then.
  template <class Fail>
  py::object hand_out(const ResultTree& tree, host::Batch* batch, Fail&& fail) {
    if (boxed_ && state_ != State::building && is_main_thread()) {
      parcel_.open(tree, batch, ++handed_out_);
      return box(tree, fail);
    }
    Parcel parcel;
    parcel.open(tree, batch, ++handed_out_);
    py::object result = build(tree, parcel, fail);
    if (!parcel.batch->failures.empty()) raise(result.ptr());
    if (!boxed_) return result;
    py::list other(1);
    PyList_SET_ITEM(other.ptr(), 0, result.release().ptr());
    return std::move(other);
  }
  // The same once more, when waiting().
  template <class Fail>
  py::object hand_out_again(const ResultTree& tree, Fail&& fail) {
    if (state_ != State::boxed || boxed_as_ != &tree) return box(tree, fail);
    if (!parcel_.batch->failures.empty()) raise(PyList_GET_ITEM(box_.ptr(), 0));
    return box_;
  }

 private:
  enum class State : uint8_t { empty, building, unbuilt, boxed };

  // A result, or the exception that is one.
  template <class Fail>
  static py::object build(const ResultTree& tree, const Parcel& parcel, Fail&& fail) {
    py::object result = tree.build(parcel);
    return parcel.batch->failures.empty() ? result : fail(*parcel.batch, result);
  }
  [[noreturn]] static void raise(PyObject* error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    throw py::error_already_set();
  }

  template <class Fail>
  py::object box(const ResultTree& tree, Fail&& fail) {
    state_ = State::building;  // Python code that runs meanwhile cannot receive it
    try {
      PyList_SetItem(box_.ptr(), 0, build(tree, parcel_, fail).release().ptr());
    } catch (const py::error_already_set& error) {
      // Interrupted, unless it is an error; and that would be an error the next time too.
      const bool hopeless = error.matches(PyExc_Exception) && ++parcel_.failed > 1;
      state_ = State::unbuilt;
      if (hopeless) forget();
      throw;
    }
    state_ = State::boxed;
    boxed_as_ = &tree;
    if (!parcel_.batch->failures.empty()) raise(PyList_GET_ITEM(box_.ptr(), 0));
    return box_;
  }

  void forget() {
    state_ = State::empty;
    parcel_.close();
  }
  void refuse(const host::Layout& layout, const uint32_t* ids, uint32_t n, bool alone) const;

  py::list box_;
  const bool boxed_;
  uint64_t handed_out_ = 0;  // batches
  State state_ = State::empty;
  const ResultTree* boxed_as_ = nullptr;
  Parcel parcel_;  // until the next call, at least
};

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_DELIVERY_HPP_
