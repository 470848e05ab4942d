#include "python_thread.hpp"

#if defined(__linux__)
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

#include "parallel_pool/host/base/error.hpp"

namespace pp::python {
namespace {

namespace py = pybind11;

// What a thread leaves behind, for whoever is still there.
struct Fate {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> running{true};
};

class PythonThread final : public host::remote::Carrier {
 public:
  explicit PythonThread(std::shared_ptr<py::object> start) : start_(std::move(start)) {}

  void start(int mailbox) override {
    // It would answer the calls that are meant for the next one.
    if (given_up_) {
      throw host::Error(host::ErrorKind::environment,
                        "an earlier worker thread with these environments does not come out");
    }
    auto fate = std::make_shared<Fate>();
    const int fd = fcntl(mailbox, F_DUPFD_CLOEXEC, 3);
    std::string reason = fd < 0 ? std::strerror(errno) : "";
    if (fd >= 0) {
      // Not here: in the main thread a Ctrl-C could come in between, and then nobody knows whether
      // the worker has begun and the descriptor is its own.
      try {
        std::thread([&] { reason = begin(fd, fate); }).join();
      } catch (const std::system_error& error) {
        reason = error.what();
      }
      if (!reason.empty()) close(fd);
    }
    if (!reason.empty()) {
      throw host::Error(host::ErrorKind::environment, "cannot start a worker thread: " + reason);
    }
    fate_ = std::move(fate);
  }

  bool running() override { return fate_ != nullptr && !given_up_ && fate_->running.load(); }
  void end() override { given_up_ = given_up_ || running(); }

  const char* kind() const override { return "worker thread"; }
  std::string name() const override { return kind(); }
  std::string fate() const override {
    const std::lock_guard<std::mutex> lock(fate_->mutex);
    return fate_->text;
  }
  const char* ended() const override { return "was given up"; }

 private:
  // Why it did not begin; empty: it did.
  std::string begin(int fd, const std::shared_ptr<Fate>& fate) const {
    const py::gil_scoped_acquire acquire;
    try {
      (*start_)(fd, py::cpp_function([fate](std::string text) {
                  const std::lock_guard<std::mutex> lock(fate->mutex);
                  fate->text = std::move(text);
                  fate->running.store(false);
                }));
    } catch (const py::error_already_set& error) {
      return py::str(error.value());
    }
    return "";
  }

  const std::shared_ptr<py::object> start_;
  std::shared_ptr<Fate> fate_;
  bool given_up_ = false;
};

}  // namespace

std::function<std::unique_ptr<host::remote::Carrier>()> python_threads(const py::object& start) {
  // Its last owner may be anybody, with Python's lock or without.
  const std::shared_ptr<py::object> shared(new py::object(start), [](py::object* object) {
    const py::gil_scoped_acquire acquire;
    delete object;
  });
  return [shared] { return std::make_unique<PythonThread>(shared); };
}

}  // namespace pp::python
#endif
