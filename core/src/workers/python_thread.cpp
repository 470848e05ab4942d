#include "workers/python_thread.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/python_lock.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"
#include "parallel_pool/host/workers/shared_memory.hpp"

namespace pp::python {
namespace {

namespace py = pybind11;
using host::workers::SharedMemory;

constexpr const char* too_many = "; this user may have no more threads (`ulimit -u`)";

// The state that a thread leaves behind for the threads that are still there.
struct Ending {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> running{true};
};

class PythonThread final : public host::workers::WorkerHost {
 public:
  explicit PythonThread(std::shared_ptr<py::object> start) : start_(std::move(start)) {}

  void start(const std::shared_ptr<SharedMemory>& mailbox) override {
    // It would answer the calls that are meant for the next one.
    if (given_up_) {
      throw host::Error(host::ErrorKind::environment,
                        "an earlier worker thread with these environments does not return");
    }
    auto ending = std::make_shared<Ending>();
    std::string reason;
    // Not here: in the main thread a Ctrl-C could come in between, and then it is unknown whether
    // the worker has begun.
    try {
      std::thread([&] { reason = begin(mailbox, ending); }).join();
    } catch (const std::system_error& error) {
      reason = std::string(error.what()) + too_many;
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
  std::string begin(const std::shared_ptr<SharedMemory>& mailbox,
                    const std::shared_ptr<Ending>& ending) const {
    const host::UsualFloatRules rules;  // the new thread inherits them
    const Locked locked;
    if (!locked.python()) return "the interpreter is ending";
    try {
      (*start_)(mailbox, py::cpp_function([ending](std::string text) {
                  const std::lock_guard<std::mutex> lock(ending->mutex);
                  ending->text = std::move(text);
                  ending->running.store(false);
                }));
    } catch (const py::error_already_set& error) {
      const bool refused = error.matches(PyExc_RuntimeError);  // threading raises this one
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
