// Gives XLA the targets of programs, and Python a token.
#include <pybind11/stl.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "xla/calls.hpp"

namespace pp::xla {
namespace {

using Call = void (PoolCalls::*)(const Frame&, CallToken&);

void* place_of_handle(const Buffer& buffer, const char* what) {
  if (buffer.dtype != DataType::u32 || elements(buffer) != Handle{}.size()) {
    Frame::wrong(what, 0, "is no handle");
  }
  return buffer.data;
}

void make(Call call, const Frame& frame, CallToken& token) {
  (token.calls().*call)(frame, token);
  token.done();
  const Handle next = token.next();
  std::memcpy(place_of_handle(frame.result(0), "result"), next.data(), sizeof(next));
}

template <Call call>
Error* on_cpu(const Frame& frame) {
  Handle handle;
  std::memcpy(handle.data(), place_of_handle(frame.argument(0), "argument"), sizeof(handle));
  CallToken token(handle, frame.text("signature"));
  make(call, frame, token);
  return nullptr;
}

template <Call call>
Error* on_cuda(const Frame& frame) {
  void* given = nullptr;
  if (Error* error = frame.get_stream(&given)) return error;
  const cuda::Stream stream(given);
  Handle handle;
  stream.to_host(handle.data(), place_of_handle(frame.argument(0), "argument"), sizeof(handle));
  stream.wait();
  CallToken token(handle, frame.text("signature"));
  Staging& staging = token.calls().staging();
  make(call, staging.arrive(frame, stream), token);
  staging.depart(frame, stream);
  return nullptr;
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

template <Call call>
void add(py::dict& all, const char* name) {
  const auto capsule = [](Error* (*handler)(CallFrame*)) {
    return py::capsule(reinterpret_cast<void*>(handler));
  };
  all[py::make_tuple("cpu", name)] = capsule(&handle<on_cpu<call>>);
  all[py::make_tuple("CUDA", name)] = capsule(&handle<on_cuda<call>>);
}

// (platform, name) -> capsule, for jax.ffi.register_ffi_target.
py::dict targets() {
  py::dict all;
  add<&PoolCalls::send>(all, "parallel_pool.send");
  add<&PoolCalls::recv>(all, "parallel_pool.recv");
  add<&PoolCalls::step>(all, "parallel_pool.step");
  add<&PoolCalls::reset>(all, "parallel_pool.reset");
  return all;
}

}  // namespace

void bind_xla(py::module_& module) {
  module.def("xla_targets", &targets, "Handlers of XLA's FFI by platform and name, in capsules.");
  py::class_<PythonTurn>(module, "XlaTurn", "A call that Python makes in a program's place.")
      .def(py::init<const Handle&, const std::string&>(), py::arg("handle"), py::arg("signature"))
      .def("done", &PythonTurn::done)
      .def("next", &PythonTurn::next)
      .def("end", &PythonTurn::end);
}

}  // namespace pp::xla
