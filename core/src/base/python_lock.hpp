// Python's lock: letting go of it, and getting it back, also while the process ends.
//
// A thread that wants the lock of an interpreter that is ending is ended where it stands (up to
// Python 3.13), which unwinds C++ frames without the lock and through destructors that must not
// throw. So before Python ends, once and for all, the gate is shut (shut_python): a thread outside
// stays there for ever, asleep, as Python 3.14 has it; threads inside are waited for. pybind11's
// own guards are not used in this module.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>

namespace pp::python {

namespace py = pybind11;

// The threads that are kept out: none, those that call this module, or workers of pools too, which
// come back to close their environments.
enum class CallGate : uint8_t { open, callers, all };

// From now on no such thread but this one gets the lock by what follows. Waits a moment for those
// that have it in here. With the lock.
void shut_python(CallGate as);

// The thread that is Python's main one, in which signal handlers run.
extern std::atomic<unsigned long> main_thread_ident;
inline bool is_main_thread() {
  return main_thread_ident.load(std::memory_order_relaxed) == PyThread_get_thread_ident();
}
// Called when the module is imported.
void find_main_thread();

// Releases Python's lock while it lives.
class Unlocked {
 public:
  // `kept_out_by`: all, for workers.
  explicit Unlocked(CallGate kept_out_by = CallGate::callers);
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  const CallGate kept_out_by_;
  PyThreadState* state_;
};

// In a thread that is not Python's, or may be: with the lock while it lives, unless python() is
// false, because the interpreter ends.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  bool python() const { return python_; }

 private:
  bool python_;
  PyGILState_STATE state_{};
};

// The threads that are kept out now.
extern std::atomic<CallGate> call_gate;

// A call of Python's into this module that may run Python code. It is not counted in the main
// thread, which ends the process as a rule; if another thread does, the gate is shut for it too.
class Inside {
 public:
  Inside()
      : counted_(!is_main_thread() || call_gate.load(std::memory_order_relaxed) != CallGate::open) {
    if (counted_) come();
  }
  ~Inside() {
    if (counted_) go();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  static void come();
  static void go();
  const bool counted_;
};

}  // namespace pp::python
