// The result that a pool keeps until it has arrived, and what stands for it meanwhile.
//
// A signal handler that raises ends whatever Python code a result is on its way through, and the
// interpreter drops the result. Signal handlers run in the main thread, after calls among others,
// but not after an attribute was read. So calls of a pool return a handle there, not the result:
// it has arrived when a view reads `handle.result`, and until then the pool keeps it and the next
// `recv` returns it again.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>

#include "base/python_lock.hpp"
#include "parallel_pool/host/pool.hpp"
#include "results/result_tree.hpp"

namespace pp::python {

// The result that a call hands out.
struct HandedOut {
  uint64_t number = 0;  // the number of the batch; 0: it is not kept, and this is the result
  py::object result{};
};

// Used with the lock.
class PendingResult {
 public:
  // `keeps`: false: what does not arrive is lost. `keeps_latest`: whether latest() is asked for.
  PendingResult(bool keeps, bool keeps_latest, uint32_t num_envs)
      : keeps_(keeps), keeps_latest_(keeps_latest), num_envs_(num_envs) {}

  bool keeps() const { return keeps_; }
  // Returns true if there is a result that has not arrived, for this thread to take.
  bool waiting() const {
    return (state_ == State::unbuilt || state_ == State::ready) && is_main_thread();
  }
  // Throws if such a result keeps these environments (`ids` NULL: all), or anything (`alone`), from
  // taking work.
  void check(const host::Layout& layout, const uint32_t* ids, uint32_t n, bool alone) const {
    if (waiting()) refuse(layout, ids, n, alone);
  }

  // Takes over a batch, and builds the tree's result of it. Raises the exception that `fail` makes
  // of the result of a batch with failures, which has arrived then.
  template <class Fail>
  HandedOut hand_out(const ResultTree& tree, host::Batch* batch, Fail&& fail) {
    const uint64_t number = ++handed_out_;
    if (keeps_ && state_ != State::building && is_main_thread()) {
      batch_.open(tree, batch, number);
      return build(tree, fail);
    }
    OwnedBatch owned;
    owned.open(tree, batch, number);
    py::object result = tree.build(owned);
    remember(owned, result);
    if (!batch->failures.empty()) raise(fail(*batch, result));
    return {0, std::move(result)};
  }
  // Hands out the batch that is here, when waiting().
  template <class Fail>
  HandedOut hand_out_again(const ResultTree& tree, Fail&& fail) {
    if (state_ == State::ready && built_as_ == &tree) return {batch_.number, {}};
    return build(tree, fail);
  }

  // Returns true if the result of this number is here.
  bool holds(uint64_t number) const { return state_ == State::ready && batch_.number == number; }
  const py::object& result() const { return result_; }
  // It is the caller's from now on.
  void arrived() {
    state_ = State::empty;
    result_ = py::object();
    batch_.close();
  }

  // The last result, if that has the rows of all environments in their order; None.
  py::object latest(const host::Layout& layout) const;
  void set_latest(py::object result) {
    latest_ = std::move(result);
    latest_owner_ = py::object();
  }

 private:
  enum class State : uint8_t { empty, building, unbuilt, ready };

  [[noreturn]] static void raise(const py::object& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set();
  }

  template <class Fail>
  HandedOut build(const ResultTree& tree, Fail&& fail) {
    state_ = State::building;  // Python code that runs meanwhile cannot receive it
    const host::Batch& batch = *batch_.batch;
    py::object error;
    try {
      result_ = tree.build(batch_);
      if (!batch.failures.empty()) error = fail(batch, result_);
    } catch (const py::error_already_set& raised) {
      // Interrupted, unless it is an error; and that would be an error the next time too.
      const bool hopeless = raised.matches(PyExc_Exception) && ++batch_.failed > 1;
      state_ = State::unbuilt;
      if (hopeless) arrived();
      throw;
    }
    state_ = State::ready;
    built_as_ = &tree;
    remember(batch_, result_);
    if (error) {
      arrived();
      raise(error);
    }
    return {batch_.number, {}};
  }

  void remember(const OwnedBatch& from, const py::object& result) {
    if (!keeps_latest_) return;
    const bool all = from.batch->rows == num_envs_;
    latest_ = all ? result : py::none();
    latest_owner_ = all && !from.batch->standing ? from.owner : py::object();
  }

  void refuse(const host::Layout& layout, const uint32_t* ids, uint32_t n, bool alone) const;

  const bool keeps_;
  const bool keeps_latest_;
  const uint32_t num_envs_;
  uint64_t handed_out_ = 0;  // batches
  State state_ = State::empty;
  const ResultTree* built_as_ = nullptr;
  OwnedBatch batch_;
  py::object result_;
  py::object latest_ = py::none();
  py::object latest_owner_;  // keeps its batch; null: it is in order
};

}  // namespace pp::python
