#include "workers/python_thread.hpp"

#if PP_WORKERS
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/python_lock.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"

namespace pp::python {
namespace {

namespace py = pybind11;

constexpr const char* too_many = "; this user may have no more threads (`ulimit -u`)";

// What a thread leaves behind, for the threads that are still there.
struct Ending {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> running{true};
};

class PythonThread final : public host::workers::WorkerHost {
 public:
  explicit PythonThread(std::shared_ptr<py::object> start) : start_(std::move(start)) {}

  void start(int mailbox) override {
    // It would answer the calls that are meant for the next one.
    if (given_up_) {
      throw host::Error(host::ErrorKind::environment,
                        "an earlier worker thread with these environments does not return");
    }
    auto ending = std::make_shared<Ending>();
    const int fd = fcntl(mailbox, F_DUPFD_CLOEXEC, 3);
    std::string reason = fd < 0 ? std::strerror(errno) : "";
    if (fd >= 0) {
      // Not here: in the main thread a Ctrl-C could come in between, and then it is unknown
      // whether the worker has begun and the descriptor is its own.
      try {
        std::thread([&] { reason = begin(fd, ending); }).join();
      } catch (const std::system_error& error) {
        reason = std::string(error.what()) + too_many;
      }
      if (!reason.empty()) close(fd);
    }
    if (!reason.empty()) {
      throw host::Error(host::ErrorKind::environment, "cannot start a worker thread: " + reason);
    }
    ending_ = std::move(ending);
  }

  bool running() override { return ending_ != nullptr && !given_up_ && ending_->running.load(); }
  void end() override { given_up_ = given_up_ || running(); }

  const char* kind() const override { return "worker thread"; }
  std::string name() const override { return kind(); }
  std::string exit_reason() const override {
    const std::lock_guard<std::mutex> lock(ending_->mutex);
    return ending_->text;
  }
  const char* ended() const override { return "was given up"; }

 private:
  // Why it did not begin; empty: it did.
  std::string begin(int fd, const std::shared_ptr<Ending>& ending) const {
    const host::UsualFloatRules rules;  // which the new thread inherits
    const Locked locked;
    if (!locked.python()) return "the interpreter is ending";
    try {
      (*start_)(fd, py::cpp_function([ending](std::string text) {
                  const std::lock_guard<std::mutex> lock(ending->mutex);
                  ending->text = std::move(text);
                  ending->running.store(false);
                }));
    } catch (const py::error_already_set& error) {
      const bool refused = error.matches(PyExc_RuntimeError);  // as threading says it
      return std::string(py::str(error.value())) + (refused ? too_many : "");
    } catch (const std::exception& error) {  // no memory
      return error.what();
    }
    return "";
  }

  const std::shared_ptr<py::object> start_;
  std::shared_ptr<Ending> ending_;
  bool given_up_ = false;
};

}  // namespace

std::function<std::unique_ptr<host::workers::WorkerHost>()> python_threads(
    const py::object& start) {
  // Its last owner may be any thread, with Python's lock or without.
  const std::shared_ptr<py::object> shared(new py::object(start), [](py::object* object) {
    const Locked locked;
    if (locked.python()) delete object;
  });
  return [shared] { return std::make_unique<PythonThread>(shared); };
}

}  // namespace pp::python
#endif
