// An engine as a child process that always ends with us: with this object, with a crash, with a
// kill -9 of our process.
//
// The kernel kills a child when the *thread* that made it ends (PR_SET_PDEATHSIG), so all are made
// by one thread that lives as long as the process, Launcher. A child is the leader of a session of
// its own: Ctrl-C in a terminal goes to us, and we close it. What it prints goes into a pipe that
// neither side waits for; the end of it is kept for messages.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_PROCESS_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_PROCESS_HPP_

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "parallel_pool/per_process.hpp"

namespace doom {

// The things that a child is given beside its arguments, where the names are set: open files, which
// it has under the numbers below, and a variable of its environment, `NAME=value`.
struct Inherited {
  static constexpr int first_number = 3;
  static constexpr int lowest_here = 16;  // their least number here, out of each other's way
  std::vector<int> files;
  std::vector<std::string> variables;
};
// Moves an open file to a number that children do not use; -1: there is none, as errno says.
inline int moved(int file) {
  if (file < 0) return file;
  const int result = fcntl(file, F_DUPFD_CLOEXEC, Inherited::lowest_here);
  const int error = errno;
  ::close(file);
  errno = error;
  return result;
}

namespace process_internal {

// The work of the child between vfork and exec. The child has our memory, so it makes nothing but
// system calls.
struct Start {
  const char* path;
  char* const* arguments;
  char* const* environment;
  const char* folder;
  int output;
  int nothing;
  const Inherited* inherited;
  pid_t parent;
  const cpu_set_t* processors;
  volatile int error;
};

[[noreturn]] inline void become(Start& start) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start.parent) _exit(127);
  setsid();
  sched_setaffinity(0, sizeof(cpu_set_t), start.processors);
  dup2(start.nothing, STDIN_FILENO);
  dup2(start.output, STDOUT_FILENO);
  dup2(start.output, STDERR_FILENO);
  int number = Inherited::first_number;
  for (const int file : start.inherited->files) dup2(file, number++);
#ifdef SYS_close_range
  constexpr unsigned at_exec = 4;  // CLOSE_RANGE_CLOEXEC
  syscall(SYS_close_range, static_cast<unsigned>(number), ~0u, at_exec);
#endif
  if (chdir(start.folder) == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(start.path, start.arguments, start.environment);
  }
  start.error = errno;
  _exit(127);
}

}  // namespace process_internal

class Launcher {
 public:
  // Returns the launcher of this process. It is never taken down: the end of its thread would be
  // the end of the engines.
  static Launcher& get() {
    struct Only {
      std::mutex mutex;
      Launcher* launcher = nullptr;
    };
    static pp::PerProcess<Only> here;
    auto& [mutex, launcher] = here.get();
    const std::lock_guard<std::mutex> lock(mutex);
    if (launcher == nullptr) launcher = new Launcher;
    return *launcher;
  }

  // The new process's id. Throws std::runtime_error.
  pid_t start(process_internal::Start& start) {
    const std::lock_guard<std::mutex> one_at_a_time(callers_);
    std::unique_lock<std::mutex> lock(mutex_);
    start_ = &start;
    changed_.notify_all();
    changed_.wait(lock, [this] { return start_ == nullptr; });
    if (child_ < 0 || start.error != 0) {
      const int error = child_ < 0 ? error_ : start.error;
      if (child_ > 0) waitpid(child_, nullptr, 0);
      throw std::runtime_error(std::string("the engine ") + start.path +
                               " could not be started: " + std::strerror(error));
    }
    return child_;
  }

 private:
  Launcher() : owner_(getpid()) {
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error& error) {
      throw std::runtime_error(std::string("no thread to start engines from: ") + error.what());
    }
  }

  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return start_ != nullptr; });
      // Engines run where our process may, also if the thread that asked is tied to a processor.
      cpu_set_t processors;
      CPU_ZERO(&processors);
      if (sched_getaffinity(owner_, sizeof processors, &processors) != 0) {
        sched_getaffinity(0, sizeof processors, &processors);
      }
      start_->parent = owner_;
      start_->processors = &processors;
      child_ = make(*start_);
      error_ = errno;
      start_ = nullptr;
      changed_.notify_all();
    }
  }
  // A function of its own: the child of a vfork must not return from where it was made.
  static pid_t make(process_internal::Start& start) {
    const pid_t child = vfork();
    if (child == 0) process_internal::become(start);
    return child;
  }

  const pid_t owner_;
  std::mutex callers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  process_internal::Start* start_ = nullptr;
  pid_t child_ = -1;
  int error_ = 0;
};

class Process {
 public:
  // arguments: the path of the program first. Throws std::runtime_error.
  Process(const std::vector<std::string>& arguments, const char* folder,
          const Inherited& inherited = {}) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw std::runtime_error(std::string("no pipe for an engine's output: ") +
                               std::strerror(errno));
    }
    output_ = ends[0];
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::vector<char*> pointers;
    for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    std::vector<char*> variables;
    for (const std::string& each : inherited.variables) {
      variables.push_back(const_cast<char*>(each.c_str()));
    }
    for (char** each = environ; *each != nullptr; ++each) {
      if (!is_among(*each, inherited.variables)) variables.push_back(*each);
    }
    variables.push_back(nullptr);
    process_internal::Start start{arguments[0].c_str(),
                                  pointers.data(),
                                  variables.data(),
                                  folder,
                                  ends[1],
                                  nothing,
                                  &inherited,
                                  0,
                                  nullptr,
                                  0};
    try {
      id_ = Launcher::get().start(start);
    } catch (...) {
      for (const int file : {ends[0], ends[1], nothing}) ::close(file);
      throw;
    }
    ::close(ends[1]);
    ::close(nothing);
  }
  ~Process() {
    end();
    ::close(output_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  // Ends it, and returns when it has ended. It has nothing to save.
  void end() {
    if (id_ > 0 && parent_ == pp::forks()) {
      kill(id_, SIGKILL);
      waitpid(id_, nullptr, 0);
    }
    id_ = -1;
  }

  // Returns true if it is still there; if not, ending() tells how it ended.
  bool runs() {
    if (id_ < 0) return false;
    int status = 0;
    const pid_t waited = waitpid(id_, &status, WNOHANG);
    if (waited == 0) return true;
    if (waited == id_) {
      if (WIFSIGNALED(status)) {
        ending_ = std::string("was ended by signal ") + std::to_string(WTERMSIG(status)) + " (" +
                  strsignal(WTERMSIG(status)) + ")";
      } else {
        ending_ = "ended with exit code " + std::to_string(WEXITSTATUS(status));
      }
    } else {
      ending_ = "ended, and something else in this process has waited for it";
    }
    id_ = -1;
    return false;
  }
  const std::string& ending() const { return ending_; }

  // Takes what it has printed since, so that the pipe does not fill up.
  void take_output() {
    char bytes[4096];
    for (ssize_t n = 0; (n = read(output_, bytes, sizeof bytes)) > 0;) {
      printed_.append(bytes, static_cast<size_t>(n));
    }
    if (printed_.size() > kept_bytes) printed_.erase(0, printed_.size() - kept_bytes);
  }
  // The end of all that it has printed.
  std::string last_output() {
    take_output();
    return printed_;
  }

 private:
  static constexpr size_t kept_bytes = 1024;

  // Returns true if one of the others sets the same variable.
  static bool is_among(const char* variable, const std::vector<std::string>& others) {
    for (const std::string& other : others) {
      const size_t length = other.find('=') + 1;
      if (std::strncmp(variable, other.c_str(), length) == 0) return true;
    }
    return false;
  }

  const uint64_t parent_ = pp::forks();
  pid_t id_ = -1;
  int output_ = -1;
  std::string printed_;
  std::string ending_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_PROCESS_HPP_
