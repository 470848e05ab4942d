#include "workers/isolation.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string_view>
#include <utility>

#include "base/python_lock.hpp"
#include "plugin/option_values.hpp"
#include "plugin/plugin_object.hpp"
#include "workers/python_thread.hpp"

#if PP_WORKERS
#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "parallel_pool/host/workers/parent_guard.hpp"
#include "parallel_pool/host/workers/plugin_server.hpp"
#include "parallel_pool/host/workers/worker_channel.hpp"
#include "parallel_pool/host/workers/worker_group.hpp"

namespace pp::python {

namespace workers = host::workers;

struct Isolation::Impl {
  // A copy of the payload's descriptor, for workers that are started later.
  struct Descriptor {
    explicit Descriptor(int other) : number(other < 0 ? -1 : fcntl(other, F_DUPFD_CLOEXEC, 3)) {
      if (other < 0 || number >= 0) return;
      throw host::Error(host::ErrorKind::environment,
                        std::string("cannot start worker processes: ") + std::strerror(errno));
    }
    ~Descriptor() { close(); }
    void close() {
      if (number >= 0) ::close(number);
      number = -1;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number;
  } payload;
  workers::WorkerGroup group;

  Impl(workers::WorkerConfig config, const pp_env& env, const host::EnvSpec& spec,
       uint32_t num_envs, uint32_t batch_size)
      : payload(config.payload),
        group((config.payload = payload.number, std::move(config)), env, spec, num_envs,
              batch_size) {}
};

Isolation::Isolation(const PyWorkerConfig& decided, const host::Library& library, const pp_env& env,
                     const host::EnvSpec& spec, uint32_t num_envs, uint32_t batch_size)
    : python_(decided.handle_field >= 0) {
  workers::WorkerConfig config;
  config.workers = decided.workers;
  if (!decided.start_thread.is_none()) config.host = python_threads(decided.start_thread);
  config.command = decided.command;
  config.payload = decided.payload;
  config.label = std::string(env.id) + " (plugin " + library.plugin().name + " " +
                 library.plugin().version + ")";
  config.step_timeout = decided.step_timeout;
  config.seed_bits = decided.seed_bits;
  config.handle_field = decided.handle_field;
  const Unlocked unlocked;
  impl_ = std::make_unique<Impl>(std::move(config), env, spec, num_envs, batch_size);
}
Isolation::~Isolation() {
  const Unlocked unlocked;  // threads need it to leave
  impl_.reset();
}

const pp_env& Isolation::table() const {
  return impl_->group.table();
}
const host::EnvSpec& Isolation::spec() const {
  return impl_->group.spec();
}
host::Backend* Isolation::backend() const {
  return &impl_->group;
}
void Isolation::begin_close() {
  impl_->group.begin_close();
}
void Isolation::close() {
  impl_->group.close();
  impl_->payload.close();
}
std::vector<std::string> Isolation::take_infos(const std::vector<int64_t>& handles) const {
  return impl_->group.infos().take(handles);
}
bool Isolation::ask(void* shard, uint32_t lane, std::string_view question,
                    std::string* answer) const {
  return static_cast<workers::RemoteShard*>(shard)->ask(workers::Op::ask, lane, question, answer);
}
std::vector<int> Isolation::pids() const {
  return impl_->group.pids();
}

void Isolation::warn() const {
  workers::WorkerEvents& events = impl_->group.events();
  if (!events.any()) return;
  for (const workers::WorkerEvent& each : events.take()) {
    const char* const module = each.kind == workers::WorkerEvent::died ? "parallel_pool.pool_errors"
                                                                       : "parallel_pool.errors";
    const char* const name = each.kind == workers::WorkerEvent::died     ? "WorkerCrashWarning"
                             : each.kind == workers::WorkerEvent::advice ? "WaitingEnvsWarning"
                                                                         : "LostInfoWarning";
    const py::object category = py::module_::import(module).attr(name);
    py::module_::import("parallel_pool.caller").attr("warn_caller")(each.text, category);
  }
}

host::EnvSpec isolated_spec(const host::EnvSpec& spec, const std::string& env_id) {
  return workers::isolated_spec(spec, env_id);
}

namespace {

void serve(int fd, const Plugin& plugin, const std::string& env_id,
           const std::vector<py::dict>& options) {
  workers::Mailbox box(fd);
  const pp_env& env = plugin.library().env(env_id);
  const OptionsOfEnvs values(env, options);
  const Unlocked unlocked;
  workers::PluginServer(box, env, values.values()).serve();
}

void refuse(int fd, const std::string& reason) {
  workers::Mailbox box(fd);
  workers::WorkerChannel channel(box);
  const Unlocked unlocked;
  while (channel.next() != workers::Op::leave) {
    add_record(channel.out, workers::Record::error, PP_ALL_LANES, reason.data(), reason.size());
    channel.answer(1);
  }
}

// A mailbox for a worker with environments written in Python.
class PyMailbox {
 public:
  explicit PyMailbox(int fd) : box_(fd), channel_(box_) {}

  // The next call: (op, shard, env0, first, count, text).
  py::tuple next() {
    {
      const Unlocked unlocked(Door::all);
      channel_.next();
    }
    const workers::Call& call = box_.call();
    return py::make_tuple(static_cast<uint32_t>(call.op), call.shard, call.env0, call.first,
                          call.count, py::bytes(channel_.in));
  }
  // `text`: of a call that went well, where it is no list of records.
  void answer_text(const py::bytes& text) {
    channel_.out.append(text.cast<std::string_view>());
    channel_.answer(0);
  }
  // `records`: of (kind, lane, bytes).
  void answer(int32_t status, const py::list& records) {
    for (const py::handle each : records) {
      const auto record = each.cast<py::tuple>();
      const auto text = record[2].cast<std::string_view>();
      workers::add_record(channel_.out, static_cast<workers::Record>(record[0].cast<uint32_t>()),
                          record[1].cast<uint32_t>(), text.data(), text.size());
    }
    channel_.answer(status);
  }

  // Views of the shared memory; they keep `self` alive.
  static py::array column(const py::object& self, uint32_t field, const py::dtype& dtype,
                          std::vector<py::ssize_t> shape) {
    const workers::Mailbox& box = self.cast<PyMailbox&>().box_;
    shape.insert(shape.begin(), static_cast<py::ssize_t>(box.head().capacity));
    return view(self, dtype, shape, box.rows(field));
  }
  static py::array kind(const py::object& self) {
    const workers::Mailbox& box = self.cast<PyMailbox&>().box_;
    return view(self, py::dtype::of<uint8_t>(), {box.head().capacity}, box.kind());
  }
  static py::array seed(const py::object& self) {
    const workers::Mailbox& box = self.cast<PyMailbox&>().box_;
    return view(self, py::dtype::of<uint64_t>(), {box.head().capacity}, box.seed());
  }

 private:
  static py::array view(const py::object& self, const py::dtype& dtype,
                        const std::vector<py::ssize_t>& shape, void* data) {
    return py::array(dtype, shape, {}, data, self);
  }
  workers::Mailbox box_;
  workers::WorkerChannel channel_;
};

}  // namespace

void bind_isolation(py::module_& module) {
  py::class_<PyMailbox>(module, "Mailbox", "A worker's end of the memory it shares with its pool.")
      .def(py::init<int>(), py::arg("fd"))
      .def("next", &PyMailbox::next)
      .def("answer", &PyMailbox::answer, py::arg("status"), py::arg("records"))
      .def("answer_text", &PyMailbox::answer_text, py::arg("text"))
      .def("column", &PyMailbox::column, py::arg("field"), py::arg("dtype"), py::arg("shape"))
      .def("kind", &PyMailbox::kind)
      .def("seed", &PyMailbox::seed);
  module.def("live_with", &workers::live_with, py::arg("parent"),
             "In a worker process: end it when the process `parent` is gone. Once.");
  module.def("serve", &serve, py::arg("fd"), py::arg("plugin"), py::arg("env_id"),
             py::arg("options"),
             "In a worker process: serve the mailbox `fd` with a plugin's environments.");
  module.def("refuse", &refuse, py::arg("fd"), py::arg("reason"),
             "In a worker process that cannot serve: say why, to every call.");
}

}  // namespace pp::python

#else

namespace pp::python {

struct Isolation::Impl {};
namespace {
[[noreturn]] void unavailable() {
  throw host::Error(host::ErrorKind::value,
                    "isolation=\"process\" and Python environments need Linux (shared memory and "
                    "futexes); run native environments in this process: isolation=None");
}
}  // namespace
Isolation::Isolation(const PyWorkerConfig&, const host::Library&, const pp_env&,
                     const host::EnvSpec&, uint32_t, uint32_t) {
  unavailable();
}
Isolation::~Isolation() = default;
const pp_env& Isolation::table() const {
  unavailable();
}
const host::EnvSpec& Isolation::spec() const {
  unavailable();
}
host::Backend* Isolation::backend() const {
  return nullptr;
}
void Isolation::warn() const {}
void Isolation::begin_close() {}
void Isolation::close() {}
std::vector<std::string> Isolation::take_infos(const std::vector<int64_t>&) const {
  unavailable();
}
bool Isolation::ask(void*, uint32_t, std::string_view, std::string*) const {
  unavailable();
}
std::vector<int> Isolation::pids() const {
  return {};
}
host::EnvSpec isolated_spec(const host::EnvSpec&, const std::string&) {
  unavailable();
}
void bind_isolation(py::module_&) {}  // Python finds no worker to start, and says why

}  // namespace pp::python
#endif
