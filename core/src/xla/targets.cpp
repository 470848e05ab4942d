// Gives XLA the targets of programs, and Python a token.
#include <pybind11/stl.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "xla/calls.hpp"

namespace pp::xla {
namespace {

Handle handle_of(const Frame& frame) {
  const Buffer& buffer = frame.argument(0);
  if (buffer.dtype != DataType::u32 || elements(buffer) != Handle{}.size()) {
    Frame::wrong("argument", 0, "is no handle");
  }
  Handle handle;
  std::memcpy(handle.data(), buffer.data, sizeof(handle));
  return handle;
}

void give_handle(const Frame& frame, const Handle& handle) {
  const Buffer& buffer = frame.result(0);
  if (buffer.dtype != DataType::u32 || elements(buffer) != handle.size()) {
    Frame::wrong("result", 0, "is no handle");
  }
  std::memcpy(buffer.data, handle.data(), sizeof(handle));
}

template <void (PoolCalls::*Call)(const Frame&, CallToken&)>
void in_turn(const Frame& frame) {
  CallToken token(handle_of(frame), frame.text("signature"));
  (token.calls().*Call)(frame, token);
  token.done();
  give_handle(frame, token.next());
}

// A call in Python: `with _core.XlaTurn(handle) as turn: ...; turn.done()`.
class PythonTurn {
 public:
  PythonTurn(const Handle& handle, const std::string& signature)
      : token_(std::in_place, handle, signature) {}
  void done() { token_->done(); }
  Handle next() const { return token_->next(); }
  void end() { token_.reset(); }

 private:
  std::optional<CallToken> token_;
};

// name -> capsule, for jax.ffi.register_ffi_target.
py::dict targets() {
  py::dict all;
  const auto add = [&all](const char* name, Error* (*handler)(CallFrame*)) {
    all[name] = py::capsule(reinterpret_cast<void*>(handler));
  };
  add("parallel_pool.send", &handle<in_turn<&PoolCalls::send>>);
  add("parallel_pool.recv", &handle<in_turn<&PoolCalls::recv>>);
  add("parallel_pool.step", &handle<in_turn<&PoolCalls::step>>);
  add("parallel_pool.reset", &handle<in_turn<&PoolCalls::reset>>);
  return all;
}

}  // namespace

void bind_xla(py::module_& module) {
  module.def("xla_targets", &targets, "Handlers of XLA's FFI by name, in capsules.");
  py::class_<PythonTurn>(module, "XlaTurn", "A call that Python makes in a program's place.")
      .def(py::init<const Handle&, const std::string&>(), py::arg("handle"), py::arg("signature"))
      .def("done", &PythonTurn::done)
      .def("next", &PythonTurn::next)
      .def("end", &PythonTurn::end);
}

}  // namespace pp::xla
