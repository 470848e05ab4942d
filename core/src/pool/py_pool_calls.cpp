// The methods that a step passes through: sending, receiving, and the arrival of results.
#include <pybind11/stl.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/env_ids.hpp"
#include "base/signals.hpp"
#include "plugin/option_values.hpp"
#include "pool/py_pool.hpp"

namespace pp::python {
namespace {

double checked_timeout(const py::object& timeout) {
  const double seconds = PyFloat_AsDouble(timeout.ptr());
  if (seconds == -1.0 && PyErr_Occurred() != nullptr) {
    // An int beyond every float is as wrong as a negative one.
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw py::error_already_set();
    PyErr_Clear();
  }
  if (!(seconds >= 0.0)) {
    throw py::value_error("timeout is " + py::repr(timeout).cast<std::string>() +
                          ", expected seconds, 0 or more, or None");
  }
  return seconds;
}

}  // namespace

HandedOut PyPool::receive(const ResultTree& tree, const py::object& timeout) {
  const double seconds = timeout.is_none() ? -1.0 : checked_timeout(timeout);
  const auto fail = [this](const host::Batch& batch, const py::object& result) {
    return error_of(batch, result);
  };
  if (pending_.waiting()) {
    pool_->check_usable();
    return pending_.hand_out_again(tree, fail);
  }
  if (xla_) pool_->check_process();
  host::Batch* batch = xla_ ? xla_->take_kept() : nullptr;
  if (batch == nullptr) batch = pool_->take();
  if (batch == nullptr) batch = wait(seconds);
  if (batch == nullptr) {
    PyErr_Format(PyExc_TimeoutError,
                 "no batch was ready within %R seconds; what is on its way stays so",
                 timeout.ptr());
    throw py::error_already_set();
  }
  HandedOut handed_out = pending_.hand_out(tree, batch, fail);
  if (isolation_) isolation_->warn();
  return handed_out;
}

py::object PyPool::recv(const ResultTree& tree, const py::object& timeout) {
  HandedOut handed_out = receive(tree, timeout);
  if (!pending_.keeps()) return arrive_unguarded(handed_out, nullptr);
  if (self_ == nullptr) self_ = py::cast(this).ptr();  // it is alive in this call
  return make_result_handle(self_, *this, std::move(handed_out));
}

py::object PyPool::arrive(HandedOut& handed_out, PyObject* maps) {
  const PoolCall call{py::handle(self_)};
  return arrive_unguarded(handed_out, maps);
}

py::object PyPool::step(const py::object& action, const py::object& env_id) {
  start_step(action, env_id, pool_->synchronous(), nullptr);
  return recv_step(py::none());
}

py::object PyPool::step_players(const py::object& action, const py::object& env_id,
                                const py::object& player_env_id, const py::object& player_id) {
  const PlayerNames named(player_env_id, player_id);
  start_step(action, env_id, pool_->synchronous(), &named);
  return recv_step(py::none());
}

void PyPool::send_players(const py::object& action, const py::object& env_id,
                          const py::object& player_env_id, const py::object& player_id) {
  const PlayerNames named(player_env_id, player_id);
  start_step(action, env_id, false, &named);
}

py::object PyPool::reset(const py::object& env_id, const py::object& seeds,
                         const py::object& options) {
  start_reset(env_id, seeds, options, pool_->synchronous());
  return recv(*reset_tree_, py::none());
}

py::object PyPool::arrive_unguarded(HandedOut& handed_out, PyObject* maps) {
  const auto mapped = [maps](py::object result) {
    const Py_ssize_t n = maps == nullptr ? 0 : PyTuple_GET_SIZE(maps);
    for (Py_ssize_t i = 0; i < n; ++i)
      result = py::reinterpret_borrow<py::object>(PyTuple_GET_ITEM(maps, i))(result);
    return result;
  };
  while (handed_out.number != 0) {
    if (!pending_.holds(handed_out.number)) {  // a signal handler has received it
      handed_out = receive(*step_tree_, py::none());
      continue;
    }
    py::object shown = mapped(pending_.result());
    if (!pending_.holds(handed_out.number)) continue;
    pending_.arrived();
    return shown;
  }
  return mapped(handed_out.result);
}

std::unique_lock<std::mutex> PyPool::only_sender() {
  if (!xla_) return {};
  pool_->check_process();
  return std::unique_lock<std::mutex>(xla_->sending());
}

host::Batch* PyPool::wait(double seconds) {
  using Clock = host::Pool::Clock;
  host::Batch* batch = nullptr;
  interruptible([&](const auto& interrupted) {
    if (seconds == 0.0) {
      batch = pool_->poll();
      return;
    }
    auto deadline = Clock::time_point::max();
    if (seconds >= 0.0 && seconds < 1e9) {
      deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(seconds));
    }
    batch = pool_->wait(deadline, interrupted);
  });
  return batch;
}

void PyPool::start_step(const py::object& action, const py::object& env_id, bool alone,
                        const PlayerNames* named) {
  Borrowed scratch(scratch_);
  uint32_t n = 0;
  const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
  checker_->convert(action, n, scratch->arrays);
  pending_.check(pool_->layout(), ids, n, alone);
  const auto sending = only_sender();
  host::AdmittedCall call = pool_->admit(ids, n, host::Op::step, alone);
  PlayerRows* players = pool_->players() == nullptr ? nullptr : &player_rows_;
  if (players != nullptr) players->begin(*pool_, named);
  actions_->stage(scratch->arrays, ids, n, players);
  pool_->submit(std::move(call));
}

void PyPool::start_reset(const py::object& env_id, const py::object& seeds,
                         const py::object& options, bool alone) {
  Borrowed scratch(scratch_);
  uint32_t n = 0;
  const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
  std::vector<std::optional<uint64_t>> list;
  if (!seeds.is_none()) list = parse_seeds(seeds, n);
  std::vector<host::ResetOptions::Values> given;
  if (!options.is_none()) {
    given = parse_reset_options(pool_->env(0).id, pool_->reset_options(), options, n);
  }
  pending_.check(pool_->layout(), ids, n, alone);
  const auto sending = only_sender();
  host::AdmittedCall call = pool_->admit(ids, n, host::Op::reset, alone);
  for (uint32_t i = 0; i < given.size(); ++i) {
    if (given[i] != nullptr) {
      pool_->set_reset_options(ids == nullptr ? i : ids[i], std::move(given[i]));
    }
  }
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (list[i]) pool_->set_seed(ids == nullptr ? i : ids[i], *list[i]);
  }
  pool_->submit(std::move(call));
}

std::vector<std::optional<uint64_t>> PyPool::parse_seeds(const py::object& seeds, uint32_t n) {
  auto list = seeds.cast<std::vector<std::optional<uint64_t>>>();
  if (list.size() == n) return list;
  throw py::value_error("there are " + std::to_string(list.size()) + " seeds for " +
                        std::to_string(n) + " environments");
}

py::dict PyPool::failures_of(const std::vector<host::EnvFailure>& failures) {
  py::dict reasons;
  for (const host::EnvFailure& failure : failures) {
    reasons[py::int_(failure.env)] = failure.message;
  }
  return reasons;
}

py::object PyPool::error_of(const host::Batch& batch, const py::object& result) const {
  const py::object& error = batch.timed_out ? timeout_error_ : env_error_;
  return error(failures_of(batch.failures), read_failed_.is_none() ? result : read_failed_(result));
}

}  // namespace pp::python
