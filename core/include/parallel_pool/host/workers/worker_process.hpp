// parallel_pool/host/workers/worker_process.hpp: a worker in a process of its own: started,
// watched, ended, and how it ended. Linux.
//
// Started by posix_spawn, so that a process with threads may do it, on any of them and without
// Python's lock. Not for use in a forked child: the processes are the parent's.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/workers/worker_config.hpp"
#include "parallel_pool/host/workers/worker_host.hpp"

extern char** environ;

namespace pp::host::workers {

class WorkerProcess final : public WorkerHost {
 public:
  explicit WorkerProcess(const WorkerConfig& config) : config_(config) {}
  ~WorkerProcess() override { end(); }

  int pid() const override { return pid_; }
  const char* kind() const override { return "worker process"; }
  std::string name() const override { return "worker process " + std::to_string(pid_); }
  const char* ended() const override { return "was killed"; }

  // The child has descriptors 0 (empty), 1, 2, the mailbox and the config's payload.
  void start(const std::shared_ptr<SharedMemory>& mailbox) override {
    const std::vector<std::string>& argv = config_.command;
    const int fds[] = {mailbox->descriptor(), config_.payload};
    std::vector<char*> pointers;
    for (const std::string& each : argv) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    // A stream that is closed here would be whatever file the worker opens first.
    for (const int fd : {1, 2}) {
      const int flags = fcntl(fd, F_GETFD);
      if (flags >= 0 && (flags & FD_CLOEXEC) == 0) continue;
      posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
    }
    // First out of the way, so that no copy lands on a descriptor that is still to be copied.
    std::vector<int> copies;
    int copied = 0;
    for (size_t i = 0; i < 2 && copied == 0; ++i) {
      const int copy = fcntl(fds[i], F_DUPFD_CLOEXEC, 5);
      copied = copy < 0 ? errno : 0;
      if (copy < 0) break;
      copies.push_back(copy);
      posix_spawn_file_actions_adddup2(&actions, copy, static_cast<int>(3 + i));
    }
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(3 + copies.size()));
#endif
    // Ctrl-C in a terminal reaches every process of the group; what it means is the pool's to say.
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    sigaddset(&mask, SIGINT);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error = copied != 0 ? copied
                                  : posix_spawn(&pid_, pointers[0], &actions, &attributes,
                                                pointers.data(), environ);
    for (const int fd : copies) close(fd);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    running_ = error == 0;
    known_ = false;
    if (error != 0) {
      pid_ = -1;
      throw Error(ErrorKind::environment,
                  "cannot start a worker process, " + argv[0] + ": " + why(error));
    }
  }

  bool running() override {
    if (!running_) return false;
    int status = 0;
    const pid_t found = waitpid(pid_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return true;
    running_ = false;
    known_ = found == pid_;  // or other code waited for it: then it is unknown
    status_ = status;
    return false;
  }

  // Kills it and waits for its end.
  void end() override {
    if (!running()) return;
    kill(pid_, SIGKILL);
    while (running()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

  std::string exit_reason() const override {
    if (!known_) return "ended, and something else in this program waited for it";
    if (WIFEXITED(status_)) return "exited with status " + std::to_string(WEXITSTATUS(status_));
    const int number = WTERMSIG(status_);
    return "was killed by " + signal_name(number) + " (" + strsignal(number) + ")";
  }

  // Names the core dump, for signals that make one.
  std::string core() const override {
    if (!known_ || !WIFSIGNALED(status_) || WTERMSIG(status_) == SIGKILL) return "";
    if (WCOREDUMP(status_)) {
      std::string pattern;
      std::getline(std::ifstream("/proc/sys/kernel/core_pattern"), pattern);
      return "core dumped by kernel.core_pattern=" + pattern;
    }
    rlimit limit{};
    getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_cur == 0 ? "no core dump, because `ulimit -c` is 0" : "no core dump";
  }

 private:
  static std::string why(int error) {
    std::string text = std::strerror(error);
    rlimit limit{};
    if (error == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
      return text + "; this process may have " + std::to_string(limit.rlim_cur) +
             " descriptors (`ulimit -n`), and each worker takes one";
    }
    if (error == EAGAIN) {
      return text + "; there may be no more processes (`ulimit -u`, a container's pids.max)";
    }
    return text;
  }
  static std::string signal_name(int number) {
    switch (number) {
      case SIGSEGV:
        return "SIGSEGV";
      case SIGABRT:
        return "SIGABRT";
      case SIGBUS:
        return "SIGBUS";
      case SIGFPE:
        return "SIGFPE";
      case SIGILL:
        return "SIGILL";
      case SIGKILL:
        return "SIGKILL";
      case SIGTERM:
        return "SIGTERM";
      default:
        return "signal " + std::to_string(number);
    }
  }

  const WorkerConfig& config_;
  pid_t pid_ = -1;
  bool running_ = false;
  bool known_ = false;
  int status_ = 0;
};

}  // namespace pp::host::workers
