// parallel_pool_mujoco/trap.hpp: MuJoCo's errors become exceptions, and its warnings are kept
// instead of printed.
//
// MuJoCo reports an error by calling a function that must not return, and ends the process if
// none is set. trapped() sets one for the work it runs: an error leaves that work by longjmp and
// is thrown as mujoco::Error. Only MuJoCo's own C frames are left that way: the work calls engine
// functions and nothing that has a destructor.
//
// Handlers are global in MuJoCo. Ours are set once per plugin library, on first use, and answer
// only threads inside of trapped(); all others get the handler that was there before, or MuJoCo's
// default.
#ifndef PARALLEL_POOL_MUJOCO_TRAP_HPP_
#define PARALLEL_POOL_MUJOCO_TRAP_HPP_

#include <atomic>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "parallel_pool/per_process.hpp"
#include "parallel_pool_mujoco/engine.hpp"

namespace pp::mujoco {

// An error of MuJoCo. The data in which it happened must be reset before they are used again.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr size_t message_size = 256;

namespace detail {

using Handler = void (*)(const char* message);

struct Trap {
  std::jmp_buf jump;
  char error[message_size];
  char* warning;  // message_size bytes, or NULL: the warning is dropped
};

// The trap that this thread is in.
inline Trap*& current_trap() {
  static thread_local Trap* trap = nullptr;
  return trap;
}

inline void copy_message(char* into, const char* message) {
  std::strncpy(into, message, message_size - 1);
  into[message_size - 1] = '\0';
}

struct Handlers {
  explicit Handlers(const Engine& bound)
      : engine(bound),
        error_slot(static_cast<Handler*>(bound.variable("mju_user_error"))),
        warning_slot(static_cast<Handler*>(bound.variable("mju_user_warning"))),
        error_before(*error_slot),
        warning_before(*warning_slot) {}

  static void set(const Engine& engine) {
    if (self().load(std::memory_order_acquire) == nullptr) set_first(engine);
  }
  // Not in the initialiser of a static variable: a child that is forked while that runs would wait
  // for its end forever.
  static void set_first(const Engine& engine) {
    static PerProcess<std::mutex> one_sets;
    const std::lock_guard<std::mutex> lock(one_sets.get());
    if (self().load() != nullptr) return;
    auto* const handlers = new Handlers(engine);
    self().store(handlers);
    *handlers->error_slot = &on_error;
    *handlers->warning_slot = &on_warning;
  }
  static std::atomic<Handlers*>& self() {
    static std::atomic<Handlers*> handlers{nullptr};
    return handlers;
  }

  static void on_error(const char* message) {
    if (Trap* trap = current_trap(); trap != nullptr) {
      copy_message(trap->error, message);
      std::longjmp(trap->jump, 1);
    }
    Handlers& handlers = *self().load();
    if (handlers.error_before != nullptr) return handlers.error_before(message);
    *handlers.error_slot = nullptr;  // without a handler, MuJoCo ends the process
    handlers.engine.error("%s", message);
  }

  static void on_warning(const char* message) {
    if (const Trap* trap = current_trap(); trap != nullptr) {
      if (trap->warning != nullptr) copy_message(trap->warning, message);
      return;
    }
    Handlers& handlers = *self().load();
    if (handlers.warning_before != nullptr) return handlers.warning_before(message);
    handlers.engine.write_log("WARNING", message);
    std::printf("WARNING: %s\n\n", message);
  }

  const Engine& engine;
  Handler* error_slot;
  Handler* warning_slot;
  Handler error_before;
  Handler warning_before;
};

// False if MuJoCo left the work. Not inlined: setjmp's function is compiled without care for speed.
template <class Work>
#if defined(__GNUC__)
__attribute__((noinline))
#endif
bool finishes(Trap& trap, Work& work) {
  // NOLINTNEXTLINE: MuJoCo has no other way out.
  if (setjmp(trap.jump) != 0) return false;
  work();
  return true;
}

struct TrapScope {
  explicit TrapScope(Trap& trap) : outer(current_trap()) { current_trap() = &trap; }
  ~TrapScope() { current_trap() = outer; }
  TrapScope(const TrapScope&) = delete;
  TrapScope& operator=(const TrapScope&) = delete;
  Trap* outer;
};

}  // namespace detail

// Runs calls of engine functions. Throws Error. Copies a warning's text to `warning`, if it is
// given: it has message_size bytes.
template <class Work>
void trapped(const Engine& engine, Work&& work, char* warning = nullptr) {
  detail::Handlers::set(engine);
  detail::Trap trap;
  trap.warning = warning;
  const detail::TrapScope scope(trap);
  if (!detail::finishes(trap, work)) throw Error(std::string("MuJoCo: ") + trap.error);
}

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TRAP_HPP_
