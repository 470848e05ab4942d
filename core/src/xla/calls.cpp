#include "xla/calls.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "actions/env_ids.hpp"
#include "base/python_lock.hpp"
#include "parallel_pool/dtypes.hpp"
#include "xla/values.hpp"

namespace pp::xla {
namespace {

using host::ErrorKind;

// Python's main thread looks for signals while it waits here; in others none is ever handled.
class Interruption {
 public:
  bool raised() {
    if (!main_ || raised_) return raised_;
    const python::Locked locked;
    if (!locked.python() || PyErr_CheckSignals() == 0) return false;
    const py::error_already_set error;
    raised_ = true;
    said_ = py::str(error.type().attr("__name__")).cast<std::string>();
    if (const auto text = py::str(error.value()).cast<std::string>(); !text.empty()) {
      said_ += ": " + text;
    }
    return true;
  }
  [[noreturn]] void rethrow() const {
    throw host::Error(ErrorKind::interrupted,
                      said_ + "; what is on its way stays so: recv() of the pool has it");
  }

 private:
  const bool main_ = python::is_main_thread();
  bool raised_ = false;
  std::string said_;
};

std::string said_of(const host::Batch& batch) {
  std::string text = std::to_string(batch.failures.size()) +
                     (batch.failures.size() == 1 ? " environment failed" : " environments failed");
  size_t named = 0;
  for (const host::EnvFailure& failure : batch.failures) {
    if (++named > 4) return text + "; and others. recv() of the pool raises the EnvError";
    text += "; environment " + std::to_string(failure.env) + ": " + failure.message;
  }
  return text + ". recv() of the pool raises the EnvError, with everybody's rows";
}

}  // namespace

PoolCalls::PoolCalls(host::Pool& pool, const python::ActionChecker& checker,
                     std::vector<size_t> step, std::vector<size_t> reset, std::string signature)
    : pool_(pool),
      actions_(pool, checker),
      step_(std::move(step)),
      reset_(std::move(reset)),
      registration_(*this, std::move(signature)) {}

PoolCalls::~PoolCalls() {
  keep(nullptr);
}

void PoolCalls::shut() {
  const std::lock_guard<std::mutex> lock(sending_);
  shut_ = true;
}

std::unique_lock<std::mutex> PoolCalls::only_sender() {
  std::unique_lock<std::mutex> lock(sending_);
  if (shut_) throw host::Error(ErrorKind::closed, "the pool is closed");
  return lock;
}

host::Batch* PoolCalls::take_kept() {
  const std::lock_guard<std::mutex> lock(kept_mutex_);
  return std::exchange(kept_, nullptr);
}

void PoolCalls::keep(host::Batch* batch) {
  if (batch != nullptr) host::BatchStore::bring_home(batch);
  host::Batch* before = take_kept();
  if (before != nullptr) host::BatchStore::release(before);
  const std::lock_guard<std::mutex> lock(kept_mutex_);
  kept_ = batch;
}

const uint32_t* PoolCalls::parse_ids(const Buffer& buffer, uint32_t* n) {
  const python::RawArray array = raw(buffer);
  if (array.dtype == PP_BOOL || dtypes::is_floating(array.dtype)) {
    Frame::wrong("argument", 1, "is no env_id");
  }
  return python::parse_env_ids(array, elements(buffer), pool_.config().num_envs, ids_, n);
}

// NULL: the answer is to be copied.
PoolCalls::Places PoolCalls::places(const Frame& frame, const std::vector<size_t>& columns,
                                    size_t rows) {
  constexpr uintptr_t alignment = 64;  // environments may count on it, and XLA gives it
  if (!pool_.places_columns() || python::is_main_thread()) return nullptr;
  places_.assign(pool_.layout().columns().size(), nullptr);
  for (size_t c = 0; c < columns.size(); ++c) {
    const host::Column& column = pool_.layout().column(columns[c]);
    const Buffer& to = frame.result(1 + c);
    if (!alike(column, to) || elements(to) != width_of(column) * rows) continue;
    if (reinterpret_cast<uintptr_t>(to.data) % alignment != 0) continue;
    places_[columns[c]] = static_cast<char*>(to.data);
  }
  return &places_;
}

// handle, [env_id,] actions ... `columns`: what is waited for; NULL: nothing.
void PoolCalls::start_step(const Frame& frame, CallToken& token, bool alone,
                           const std::vector<size_t>* columns) {
  const size_t leaves = actions_.leaves().size();
  const bool named = frame.arguments() == 2 + leaves;
  uint32_t n = pool_.config().num_envs;
  const uint32_t* ids = named ? parse_ids(frame.argument(1), &n) : nullptr;
  arrays_.clear();
  for (size_t l = 0; l < leaves; ++l) {
    const size_t place = 1 + (named ? 1 : 0) + l;
    const Buffer& buffer = frame.argument(place);
    const size_t each =
        actions_.leaves()[l].spec.elements * std::max(pool_.config().action_chunk, 1u);
    if (elements(buffer) != each * n) {
      Frame::wrong("argument", place, "has another shape");
    }
    arrays_.push_back(raw(buffer));
  }
  const Places written = columns == nullptr ? nullptr : places(frame, *columns, n);
  keep(nullptr);
  const auto sending = only_sender();
  host::AdmittedCall call = pool_.admit(ids, n, host::Op::step, alone);
  actions_.stage(arrays_, ids, n);
  pool_.submit(std::move(call), written);
  token.done();
}

host::Batch* PoolCalls::wait(CallToken& token) {
  Interruption interruption;
  host::Batch* batch = nullptr;
  try {
    batch = pool_.wait(host::Pool::Clock::time_point::max(),
                       [&interruption] { return interruption.raised(); });
  } catch (...) {
    // XLA's buffers, where environments may still write, are gone when this call has ended.
    if (pool_.closed() && !python::is_main_thread()) pool_.settle();
    throw;
  }
  if (batch == nullptr) interruption.rethrow();
  token.done();
  if (batch->failures.empty()) return batch;
  const std::string said = said_of(*batch);
  keep(batch);
  throw host::Error(ErrorKind::environment, said);
}

// Results: handle, columns ...
void PoolCalls::give(const Frame& frame, const std::vector<size_t>& columns, CallToken& token) {
  if (frame.results() != 1 + columns.size()) Frame::wrong("result", columns.size(), "is missing");
  host::Batch* batch = wait(token);
  try {
    for (size_t c = 0; c < columns.size(); ++c) {
      const host::Column& column = pool_.layout().column(columns[c]);
      const Buffer& to = frame.result(1 + c);
      const size_t n = width_of(column) * batch->rows;
      if (elements(to) != n) {
        throw host::Error(
            ErrorKind::value,
            "the answer has " + std::to_string(batch->rows) + " rows, and the program expects " +
                std::to_string(to.rank > 0 ? to.dims[0] : 1) +
                ": say how many with recv(handle, rows). recv() of the pool has the answer");
      }
      const char* from = batch->columns[columns[c]];
      if (from != to.data) put(column, from, to, 0, n, 1 + c);
    }
  } catch (...) {
    keep(batch);
    throw;
  }
  host::BatchStore::release(batch);
}

void PoolCalls::send(const Frame& frame, CallToken& token) {
  start_step(frame, token, false, nullptr);
}

void PoolCalls::recv(const Frame& frame, CallToken& token) {
  give(frame, step_, token);
}

void PoolCalls::step(const Frame& frame, CallToken& token) {
  start_step(frame, token, pool_.synchronous(), &step_);
  give(frame, step_, token);
}

void PoolCalls::start_reset(const uint32_t* ids, uint32_t n, const Buffer* seeds, Places places,
                            CallToken& token) {
  const auto* numbers = seeds == nullptr ? nullptr : static_cast<const uint32_t*>(seeds->data);
  if (seeds != nullptr &&
      (seeds->dtype != DataType::u32 || elements(*seeds) != 2 * size_t{pool_.config().num_envs})) {
    Frame::wrong("argument", 1, "is no array of seeds");
  }
  keep(nullptr);
  const auto sending = only_sender();
  host::AdmittedCall call = pool_.admit(ids, n, host::Op::reset, pool_.synchronous());
  for (uint32_t i = 0; numbers != nullptr && i < n; ++i) {
    const uint32_t env = ids == nullptr ? i : ids[i];
    const uint32_t* words = numbers + 2 * size_t{env};  // the low one first
    pool_.set_seed(env, words[0] | uint64_t{words[1]} << 32U);
  }
  pool_.submit(std::move(call), places);
  token.done();
}

// handle, [seeds]: all of them; handle, mask, columns of the answer before ..., [seeds].
void PoolCalls::reset(const Frame& frame, CallToken& token) {
  const size_t given = frame.arguments();
  if (given <= 2) {
    const uint32_t n = pool_.config().num_envs;
    start_reset(nullptr, n, given == 2 ? &frame.argument(1) : nullptr, places(frame, reset_, n),
                token);
    return give(frame, reset_, token);
  }
  const Buffer& mask = frame.argument(1);
  if (mask.dtype != DataType::pred || elements(mask) != pool_.config().num_envs ||
      !pool_.synchronous()) {
    Frame::wrong("argument", 1, "is no mask of a synchronous pool's environments");
  }
  if (frame.results() != 1 + reset_.size()) Frame::wrong("result", reset_.size(), "is missing");
  ids_.clear();
  const auto* chosen = static_cast<const uint8_t*>(mask.data);
  for (uint32_t env = 0; env < pool_.config().num_envs; ++env) {
    if (chosen[env] != 0) ids_.push_back(env);
  }
  if (!ids_.empty()) {
    const bool seeds = given == 3 + reset_.size();
    start_reset(ids_.data(), static_cast<uint32_t>(ids_.size()),
                seeds ? &frame.argument(given - 1) : nullptr, nullptr, token);
  }
  scatter(frame, token);
}

// The rows of those that were reset to their places, beside the rows before.
void PoolCalls::scatter(const Frame& frame, CallToken& token) {
  const uint32_t num_envs = pool_.config().num_envs;
  for (size_t c = 0; c < reset_.size(); ++c) {
    const host::Column& column = pool_.layout().column(reset_[c]);
    const Buffer& before = frame.argument(2 + c);
    const Buffer& to = frame.result(1 + c);
    const size_t n = width_of(column) * num_envs;
    if (elements(before) != n || elements(to) != n || before.dtype != to.dtype) {
      Frame::wrong("argument", 2 + c, "has another shape");
    }
    if (before.data != to.data) {
      std::memcpy(to.data, before.data, n * dtypes::item_size(raw(to).dtype));
    }
  }
  if (ids_.empty()) return;
  host::Batch* batch = wait(token);
  try {
    for (size_t c = 0; c < reset_.size(); ++c) {
      const host::Column& column = pool_.layout().column(reset_[c]);
      const size_t width = width_of(column);
      for (uint32_t row = 0; row < batch->rows; ++row) {
        put(column, batch->columns[reset_[c]] + row * column.row_bytes, frame.result(1 + c),
            ids_[row] * width, width, 1 + c);
      }
    }
  } catch (...) {
    keep(batch);
    throw;
  }
  host::BatchStore::release(batch);
}

}  // namespace pp::xla
