#include "workers/isolation.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string_view>
#include <utility>

#include "base/python_lock.hpp"
#include "parallel_pool/host/workers/worker_channel.hpp"
#include "plugin/option_values.hpp"
#include "plugin/plugin_object.hpp"
#include "workers/python_thread.hpp"

#if PP_PROCESSES
#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "parallel_pool/host/workers/parent_guard.hpp"
#include "parallel_pool/host/workers/plugin_server.hpp"
#endif

namespace pp::python {

namespace workers = host::workers;

#if PP_PROCESSES
Isolation::Descriptor::Descriptor(int other)
    : number(other < 0 ? -1 : fcntl(other, F_DUPFD_CLOEXEC, 3)) {
  if (other < 0 || number >= 0) return;
  throw host::Error(host::ErrorKind::environment,
                    std::string("cannot start worker processes: ") + std::strerror(errno));
}
void Isolation::Descriptor::close() {
  if (number >= 0) ::close(number);
  number = -1;
}
#else
Isolation::Descriptor::Descriptor(int /*other*/) {}  // threads need none
void Isolation::Descriptor::close() {}
#endif

Isolation::Isolation(const PyWorkerConfig& decided, const host::Library& library, const pp_env& env,
                     const host::EnvSpec& spec, const host::PoolConfig& pool)
    : python_(decided.config.handle_field >= 0), payload_(decided.config.payload) {
  workers::WorkerConfig config = decided.config;
  if (!decided.start_thread.is_none()) config.host = python_threads(decided.start_thread);
  config.payload = payload_.number;
  config.label = std::string(env.id) + " (plugin " + library.plugin().name + " " +
                 library.plugin().version + ")";
  const Unlocked unlocked;
  group_ = std::make_unique<workers::WorkerGroup>(std::move(config), env, spec, pool);
}
Isolation::~Isolation() {
  const Unlocked unlocked;  // threads need it to leave
  group_.reset();
}

void Isolation::close() {
  group_->close();
  payload_.close();
}

void Isolation::warn() const {
  workers::WorkerEvents& events = group_->events();
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

namespace {

#if PP_PROCESSES
void serve(int fd, const Plugin& plugin, const std::string& env_id,
           const std::vector<py::dict>& options) {
  workers::Mailbox box(std::make_shared<workers::SharedMemory>(fd));
  const pp_env& env = plugin.library().env(env_id);
  const OptionsOfEnvs values(env, options);
  const Unlocked unlocked;
  workers::PluginServer(box, env, values.values()).serve();
}

void refuse(int fd, const std::string& reason) {
  workers::Mailbox box(std::make_shared<workers::SharedMemory>(fd));
  workers::WorkerChannel channel(box);
  const Unlocked unlocked;
  while (channel.next() != workers::Op::leave) {
    add_record(channel.out, workers::Record::error, PP_ALL_LANES, reason.data(), reason.size());
    channel.answer(1);
  }
}

#endif

// A mailbox for a worker with environments written in Python.
class PyMailbox {
 public:
  explicit PyMailbox(const std::shared_ptr<workers::SharedMemory>& memory)
      : box_(memory), channel_(box_) {}

  // The next call: (op, shard, env0, first, count, text).
  py::tuple next() {
    {
      const Unlocked unlocked(CallGate::all);
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
    const uint32_t rows = box.head().capacity * box.place(field).planes;
    shape.insert(shape.begin(), static_cast<py::ssize_t>(rows));
    return view(self, dtype, shape, box.rows(field));
  }
  template <class T, T* (workers::Mailbox::*Of)() const>
  static py::array by_lane(const py::object& self) {
    const workers::Mailbox& box = self.cast<PyMailbox&>().box_;
    return view(self, py::dtype::of<T>(), {box.head().capacity}, (box.*Of)());
  }
  uint32_t chunk() const { return box_.head().chunk; }

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
  using Memory = workers::SharedMemory;
  py::class_<Memory, std::shared_ptr<Memory>>(module, "SharedMemory",
                                              "What a pool has in common with one worker.")
#if PP_PROCESSES
      .def(py::init<int>(), py::arg("fd"))
#endif
      ;
  py::class_<PyMailbox>(module, "Mailbox", "A worker's end of the memory it shares with its pool.")
      .def(py::init<const std::shared_ptr<Memory>&>(), py::arg("memory"))
      .def("next", &PyMailbox::next)
      .def("answer", &PyMailbox::answer, py::arg("status"), py::arg("records"))
      .def("answer_text", &PyMailbox::answer_text, py::arg("text"))
      .def("column", &PyMailbox::column, py::arg("field"), py::arg("dtype"), py::arg("shape"))
      .def("kind", &PyMailbox::by_lane<uint8_t, &workers::Mailbox::kind>)
      .def("steps", &PyMailbox::by_lane<uint32_t, &workers::Mailbox::steps>)
      .def_property_readonly("chunk", &PyMailbox::chunk)
      .def("seed", &PyMailbox::by_lane<uint64_t, &workers::Mailbox::seed>);
#if PP_PROCESSES
  module.def("live_with", &workers::live_with, py::arg("parent"),
             "In a worker process: end it when the process `parent` is gone. Once.");
  module.def("serve", &serve, py::arg("fd"), py::arg("plugin"), py::arg("env_id"),
             py::arg("options"),
             "In a worker process: serve the mailbox `fd` with a plugin's environments.");
  module.def("refuse", &refuse, py::arg("fd"), py::arg("reason"),
             "In a worker process that cannot serve: say why, to every call.");
  module.attr("WORKER_PROCESSES") = true;
#else
  module.attr("WORKER_PROCESSES") = false;
#endif
}

}  // namespace pp::python
