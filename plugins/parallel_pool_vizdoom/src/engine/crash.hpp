// For the libraries that engines load: an engine that crashes ends at once, by its signal. Its own
// handler would call a debugger for seconds and leave a file where it runs.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_CRASH_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_CRASH_HPP_

#include <dlfcn.h>

#include <csignal>
#include <cstring>

extern "C" __attribute__((visibility("default"))) int sigaction(int number,
                                                                const struct sigaction* action,
                                                                struct sigaction* before) noexcept {
  using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
  const bool crash = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  if (crash && action != nullptr) {
    if (before != nullptr) std::memset(before, 0, sizeof *before);  // the handler before: SIG_DFL
    return 0;
  }
  static Sigaction as_ever = nullptr;
  if (as_ever == nullptr) as_ever = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
  return as_ever(number, action, before);
}

#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_CRASH_HPP_
