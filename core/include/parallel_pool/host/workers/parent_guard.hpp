// parallel_pool/host/workers/parent_guard.hpp: a worker process does not outlive its pool's
// process. Linux.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace pp::host::workers {

// Called once, in the worker: ends this process when `parent` is gone, however that came, whatever
// this process does meanwhile. Ctrl-C is the parent's business. (PR_SET_PDEATHSIG would not do: it
// watches the thread that started us, and a pool's threads may end before the pool's process.)
inline void live_with(pid_t parent) {
  signal(SIGINT, SIG_IGN);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
  std::thread([parent] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, parent, 0));
    // Asked after opening: the number might have been given to another process before.
    while (getppid() == parent) {
      pollfd watched{fd, POLLIN, 0};
      if (fd < 0 || poll(&watched, 1, -1) < 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
      }
    }
    _exit(0);
  }).detach();
}

}  // namespace pp::host::workers
