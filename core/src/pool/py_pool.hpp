// A pool for Python: host::Pool with numpy at its edges.
#pragma once

#include <pybind11/critical_section.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "actions/action_checker.hpp"
#include "actions/pool_actions.hpp"
#include "base/python_lock.hpp"
#include "parallel_pool/host/pool.hpp"
#include "plugin/plugin_object.hpp"
#include "pool/env_access.hpp"
#include "results/pending_result.hpp"
#include "results/result_handle.hpp"
#include "results/result_tree.hpp"
#include "workers/isolation.hpp"
#include "xla/calls.hpp"

namespace pp::python {

namespace py = pybind11;

// While it lives, a call of Python's is in the pool. Calls of one pool take turns, as they do where
// Python has one lock for everything; like that lock, this one is let go while a call waits.
class PoolCall {
 public:
#ifdef Py_GIL_DISABLED
  explicit PoolCall(py::handle pool) : section_(pool) {}
#else
  explicit PoolCall(py::handle /*pool*/) {}
#endif

 private:
  const Inside inside_;
#ifdef Py_GIL_DISABLED
  const py::scoped_critical_section section_;
#endif
};

// Its methods are called within a PoolCall, but for arrive(). Those that Python has are described
// in _core.pyi.
class PyPool final : public ResultSource {
 public:
  PyPool(const Plugin& plugin, const std::vector<std::string>& env_ids,
         const std::vector<py::dict>& options, host::PoolConfig config,
         const PyWorkerConfig* workers, const py::object& step_tree, const py::object& reset_tree,
         const py::object& action_tree, ActionPolicy policy, bool handles, bool keeps_latest,
         py::object read_failed);
  ~PyPool();

  // In a forked child nothing of the parent's pool is taken down: its threads may be anywhere in
  // it.
  struct Closer {
    void operator()(PyPool* pool) const {
      if (!pool->pool_->forked()) delete pool;
    }
  };
  using Holder = std::unique_ptr<PyPool, Closer>;

  host::Pool& pool() { return *pool_; }
  const ActionChecker& checker() const { return *checker_; }

  // ---- py_pool_calls.cpp

  py::object send(const py::object& action, const py::object& env_id) {
    start_step(action, env_id, false, nullptr);
    return py::none();
  }
  // `seeds`: None, or one per environment named, each an int or None.
  // `options`: None, or arguments of this reset, a dict for all of them or one for each.
  void send_reset(const py::object& env_id, const py::object& seeds, const py::object& options) {
    start_reset(env_id, seeds, options, false);
  }
  // `timeout`: None or seconds.
  py::object recv_step(const py::object& timeout) { return recv(*step_tree_, timeout); }
  py::object step(const py::object& action, const py::object& env_id);
  // Do the same, and are told of which environment and player each row of the action is.
  py::object step_players(const py::object& action, const py::object& env_id,
                          const py::object& player_env_id, const py::object& player_id);
  void send_players(const py::object& action, const py::object& env_id,
                    const py::object& player_env_id, const py::object& player_id);
  py::object reset(const py::object& env_id, const py::object& seeds, const py::object& options);
  py::object arrive(HandedOut& handed_out, PyObject* maps) override;
  py::object latest() { return pending_.latest(pool_->layout()); }
  void set_latest(const py::object& result) { pending_.set_latest(result); }

  // ---- py_pool_envs.cpp

  std::vector<py::bytes> get_state(const py::object& env_id);
  // `states`: a list of bytes, one per environment named.
  void set_state(const py::object& env_id, const std::vector<py::object>& states);
  // `source`: a list of one. `env_id`: an array.
  void clone(const py::object& source, const py::object& env_id);
  // `options`: a dict for all of them, or one for each; None: none.
  void keep_reset_options(const py::object& options, const py::object& env_id);
  void play_apart(bool apart);
  // `seeds`: one per environment named, each an int or None, which leaves it as it is.
  void seed_next(const py::object& env_id, const py::object& seeds);
  // Plays sequences of actions from states: see _core.pyi.
  py::tuple simulate(const std::vector<py::object>& states, std::vector<uint64_t> seeds,
                     const std::vector<py::array>& actions, uint32_t count, uint32_t horizon,
                     const py::list& leaves);
  // The pool draws seeds from a list; there is a checked weight for each of it.
  void set_seed_weights(const std::vector<double>& weights) {
    pool_->check_usable();
    pool_->episode_seeds()->set_weights(weights);
  }
  py::list render(const py::object& env_id);
  // The answers of Python environments to one question, which both are any bytes; `verb`: that they
  // could not be asked, where they were never reset. Empty: that does not matter.
  std::vector<py::bytes> ask(const py::bytes& question, const py::object& env_id,
                             const std::string& verb);
  py::dict describe_arrays(const py::object& env_id);
  py::array read_array(const std::string& name, const py::object& env_id);
  void write_array(const std::string& name, const py::array& values, const py::object& env_id);

  // ---- py_pool.cpp

  // dtype, and shape of a row, of the columns that these leaves of result trees are.
  py::list columns(const py::list& leaves);
  // The current handle for compiled JAX programs (xla/calls.hpp). The first time, `step` and
  // `reset` are the leaves of result trees that programs get, and `signature` what the pool is.
  py::tuple xla(const py::list& step, const py::list& reset, const std::string& signature);
  // (where it begins, bytes, its lease) of the block of results that holds this address, which the
  // caller keeps alive, for memory that is registered elsewhere, as CUDA has to know what it copies
  // by itself; None: no block of this pool. The first time lend(begin, bytes) gives the lease, an
  // object that is let go of before the block is freed, by the thread that frees it.
  py::object block(uintptr_t address, const py::object& lend);
  py::dict stats();
  // Raises what a signal handler does while it waits; then the pool is being closed, and the next
  // call waits on.
  void close();

 private:
  // The memory that a call needs for a moment. Each call takes it and gives it back, because Python
  // code that runs in between (a conversion of the user's) may call again.
  struct Scratch {
    std::vector<uint32_t> ids;
    std::vector<py::array> arrays;
  };
  class Borrowed {
   public:
    explicit Borrowed(Scratch& home) : home_(home), scratch_(std::move(home)) {}
    ~Borrowed() {
      scratch_.arrays.clear();
      home_ = std::move(scratch_);
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    Scratch* operator->() { return &scratch_; }

   private:
    Scratch& home_;
    Scratch scratch_;
  };

  static std::vector<std::optional<uint64_t>> parse_seeds(const py::object& seeds, uint32_t n);

  // ---- py_pool_calls.cpp

  HandedOut receive(const ResultTree& tree, const py::object& timeout);
  // A handle, or the result itself where that is what calls return.
  py::object recv(const ResultTree& tree, const py::object& timeout);
  py::object arrive_unguarded(HandedOut& handed_out, PyObject* maps);
  // NULL: not in time.
  host::Batch* wait(double seconds);
  // Held from admission to submission of a call, where programs send too, without Python's lock.
  std::unique_lock<std::mutex> only_sender();
  // First all that may run Python code. Between admission and submission actions are staged, and
  // nothing else; if that throws, the call is dropped and nothing has changed. `alone`: refuse if
  // anything is on its way, so that the next answer is ours. `named`: of which players the rows
  // are, where the caller says so; NULL.
  void start_step(const py::object& action, const py::object& env_id, bool alone,
                  const PlayerNames* named);
  void start_reset(const py::object& env_id, const py::object& seeds, const py::object& options,
                   bool alone);
  // Returns the reasons by environment, or by sequence.
  static py::dict failures_of(const std::vector<host::EnvFailure>& failures);
  // EnvError that carries the whole batch: what the others computed is not lost.
  py::object error_of(const host::Batch& batch, const py::object& result) const;

  // ---- py_pool_envs.cpp

  // Holds environments during work(hold), and lets go of them before waiting for Python's lock:
  // else a thread that has it would find them busy as long as it runs.
  template <class Work>
  void held(const uint32_t* ids, uint32_t n, Work&& work);
  // Holds environments while `work` looks into them.
  template <class Work>
  std::invoke_result_t<Work, const host::Pool::Hold&, const Attend&> inside(
      const py::object& env_id, Work&& work);

  // ---- py_pool.cpp

  std::vector<size_t> columns_of(const py::list& leaves);
  template <class Asked>
  void close(Asked&& interrupted);

  PyObject* self_ = nullptr;  // the object of Python; borrowed
  PendingResult pending_;
  const py::object read_failed_;  // its value of the result goes into an EnvError; None
  py::object env_error_;
  py::object timeout_error_;
  std::unique_ptr<Isolation> isolation_;  // outlives the pool
  std::unique_ptr<host::Pool, host::Pool::Closer> pool_;
  std::unique_ptr<ActionChecker> checker_;
  std::unique_ptr<PoolActions> actions_;
  std::unique_ptr<ResultTree> step_tree_;
  std::unique_ptr<ResultTree> reset_tree_;
  std::unique_ptr<xla::PoolCalls> xla_;  // NULL: no program asked for this pool
  ArrayPlaces array_places_;
  bool closing_begun_ = false;
  host::AttendedWork closing_;  // destroyed first, because it uses the members above
  Scratch scratch_;             // used with the GIL held
  PlayerRows player_rows_;      // used with the GIL held, and with no Python code in between
};

}  // namespace pp::python
