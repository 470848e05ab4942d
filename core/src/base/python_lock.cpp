#include "base/python_lock.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace pp::python {
namespace {

constexpr std::chrono::seconds patience{1};

std::atomic<unsigned long> keeper{0};  // the thread that has shut
// Threads that have the lock in a call into this module, or are getting it.
std::atomic<uint32_t> inside{0};
thread_local uint32_t depth = 0;  // counted calls of this thread

bool kept_out(CallGate by) {
  return call_gate.load() >= by && keeper.load() != PyThread_get_thread_ident();
}

// Counts this thread, unless it is not to get the lock any more.
bool enter(CallGate kept_out_by) {
  inside.fetch_add(1);  // before the look, as shut_python() has it the other way round
  if (!kept_out(kept_out_by)) return true;
  inside.fetch_sub(1);
  return false;
}

// Waits for ever, without the lock. The stack that it stands in is never unwound.
[[noreturn]] void stay_outside() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
}

}  // namespace

std::atomic<unsigned long> main_thread_ident{0};
std::atomic<CallGate> call_gate{CallGate::open};

void find_main_thread() {
  const py::object main = py::module_::import("threading").attr("main_thread")();
  main_thread_ident.store(main.attr("ident").cast<unsigned long>());
#if !defined(_WIN32)
  pthread_atfork(nullptr, nullptr, [] {
    main_thread_ident.store(PyThread_get_thread_ident());
    inside.store(depth > 0 ? 1 : 0);  // the others are not here
  });
#endif
}

void shut_python(CallGate as) {
  keeper.store(PyThread_get_thread_ident());
  call_gate.store(as);
  const Unlocked unlocked;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (inside.load() > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

Unlocked::Unlocked(CallGate kept_out_by) : kept_out_by_(kept_out_by), state_(PyEval_SaveThread()) {
  if (depth > 0) inside.fetch_sub(1);
}
Unlocked::~Unlocked() {
  if (!enter(kept_out_by_)) stay_outside();
  PyEval_RestoreThread(state_);
  if (depth == 0) inside.fetch_sub(1);
}

Locked::Locked() : python_(enter(CallGate::all)) {
  if (python_) state_ = PyGILState_Ensure();
}
Locked::~Locked() {
  if (!python_) return;
  PyGILState_Release(state_);
  inside.fetch_sub(1);
}

void Inside::come() {
  if (depth > 0 ? !kept_out(CallGate::callers) : enter(CallGate::callers)) {
    ++depth;
    return;
  }
  if (depth > 0) inside.fetch_sub(1);
  PyEval_SaveThread();
  stay_outside();
}
void Inside::go() {
  if (--depth == 0) inside.fetch_sub(1);
}

}  // namespace pp::python
