// The native pool as Python sees it. Long, because each method of the pool is bound here, and
// because between admission and submission of a call nothing may happen that is not in sight.
#include "pool/pool_object.hpp"

#include <pybind11/critical_section.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "actions/actions.hpp"
#include "actions/pool_actions.hpp"
#include "base/dtypes.hpp"
#include "base/python_lock.hpp"
#include "base/signals.hpp"
#include "parallel_pool/host/pool.hpp"
#include "plugin/plugin_object.hpp"
#include "pool/closing.hpp"
#include "pool/env_access.hpp"
#include "pool/pool_config_object.hpp"
#include "results/block_leases.hpp"
#include "results/pending_result.hpp"
#include "results/result_handle.hpp"
#include "results/result_tree.hpp"
#include "workers/isolation.hpp"
#include "xla/calls.hpp"

namespace pp::python {
namespace {

// How results reach Python; see _core.pyi.
struct Delivery {
  bool handles;       // calls return handles, not results
  bool keeps_latest;  // `latest` is asked for
  py::object read_failed;
};

class PyPool final : public ResultSource {
 public:
  PyPool(const Plugin& plugin, const std::string& env_id, const std::vector<py::dict>& options,
         host::PoolConfig config, const PyWorkerConfig* workers, const py::object& step_tree,
         const py::object& reset_tree, const py::object& action_tree, ActionPolicy policy,
         Delivery delivery)
      : delivery_(std::move(delivery)),
        pending_(delivery_.handles, delivery_.keeps_latest, config.num_envs),
        env_error_(py::module_::import("parallel_pool.pool_errors").attr("EnvError")),
        timeout_error_(py::module_::import("parallel_pool.pool_errors").attr("EnvTimeoutError")) {
    config.refuse_steps = policy.nan == ActionPolicy::Nan::truncate;
    const pp_env& env = plugin.library().env(env_id);
    // Environments that are alike share one dict, which is then looked at once.
    std::map<const PyObject*, std::unique_ptr<host::OptionValues>> values;
    std::vector<const host::OptionValues*> pointers;
    host::EnvSpec spec;
    for (size_t i = 0; i < options.size(); ++i) {
      std::unique_ptr<host::OptionValues>& here = values[options[i].ptr()];
      const bool fresh = here == nullptr;
      if (fresh) here = parse_options(env, options[i]);
      pointers.push_back(here.get());
      if (!fresh) continue;
      host::EnvSpec own = plugin.spec(env, *here);
      if (i == 0) {
        spec = std::move(own);
      } else if (!own.same_layout(spec)) {
        throw py::value_error("environments 0 and " + std::to_string(i) +
                              " of one pool have different " +
                              "observation or action spaces, because their options differ");
      }
    }
    if (workers != nullptr) {
      isolation_ = std::make_unique<Isolation>(*workers, plugin.library(), env, spec,
                                               config.num_envs, config.batch_size);
      // One thread has every process at work; only answers in any order need one each.
      if (config.batch_size == 0 || config.batch_size == config.num_envs) config.num_threads = 1;
    }
    interruptible([&](const host::Interrupted& interrupted) {
      pool_.reset(new host::Pool(plugin.library(), isolation_ ? isolation_->table() : env,
                                 std::move(config), pointers,
                                 isolation_ ? isolation_->spec() : spec,
                                 isolation_ ? isolation_->backend() : nullptr, interrupted));
    });
    checker_ = std::make_unique<ActionChecker>(pool_->spec(), action_tree, policy,
                                               pool_->config().num_envs);
    actions_ = std::make_unique<PoolActions>(*pool_, *checker_);
    NodeCompiler compiler(*pool_, isolation_.get());
    step_tree_ = std::make_unique<ResultTree>(compiler, step_tree);
    reset_tree_ = std::make_unique<ResultTree>(compiler, reset_tree);
  }
  ~PyPool() {
    try {
      close();
    } catch (const py::error_already_set&) {
      close_anyhow();
    }
    if (xla_) {
      const Unlocked unlocked;
      xla_->end();
    }
  }
  PyPool(const PyPool&) = delete;
  PyPool& operator=(const PyPool&) = delete;

  host::Pool& pool() { return *pool_; }

  void send(const py::object& action, const py::object& env_id) {
    start_step(action, env_id, false);
  }

  // `seeds`: None, or one per environment named, each an int or None.
  // `options`: None, or arguments of this reset for all of them.
  void send_reset(const py::object& env_id, const py::object& seeds, const py::object& options) {
    start_reset(env_id, seeds, options, false);
  }

  // `timeout`: None or seconds.
  HandedOut receive(const ResultTree& tree, const py::object& timeout) {
    const double seconds = timeout.is_none() ? -1.0 : checked_timeout(timeout);
    const auto fail = [this](const host::Batch& batch, const py::object& result) {
      return error_of(batch, result);
    };
    if (pending_.waiting()) {
      pool_->check_usable();
      return pending_.hand_out_again(tree, fail);
    }
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
  // A handle, or the result itself where that is what calls return.
  py::object recv(const ResultTree& tree, const py::object& timeout = py::none()) {
    HandedOut handed_out = receive(tree, timeout);
    if (!delivery_.handles) return arrive_unguarded(handed_out, nullptr);
    if (self_ == nullptr) self_ = py::cast(this).ptr();  // it is alive in this call
    return make_result_handle(self_, *this, std::move(handed_out));
  }
  py::object arrive(HandedOut& handed_out, PyObject* map) override {
    const Inside inside;
#ifdef Py_GIL_DISABLED
    const py::scoped_critical_section turn{py::handle(self_)};
#endif
    return arrive_unguarded(handed_out, map);
  }
  py::object latest() { return pending_.latest(); }
  void set_latest(const py::object& result) { pending_.set_latest(result); }

  py::object recv_step(const py::object& timeout) { return recv(*step_tree_, timeout); }
  py::object step(const py::object& action, const py::object& env_id) {
    start_step(action, env_id, pool_->synchronous());
    return recv(*step_tree_);
  }
  // The same, saying of which environment and player each row of the action is.
  py::object step_players(const py::object& action, const py::object& env_id,
                          const py::object& player_env_id, const py::object& player_id) {
    const PlayerNames named(player_env_id, player_id);
    start_step(action, env_id, pool_->synchronous(), &named);
    return recv(*step_tree_);
  }
  void send_players(const py::object& action, const py::object& env_id,
                    const py::object& player_env_id, const py::object& player_id) {
    const PlayerNames named(player_env_id, player_id);
    start_step(action, env_id, false, &named);
  }
  py::object reset(const py::object& env_id, const py::object& seeds, const py::object& options) {
    start_reset(env_id, seeds, options, pool_->synchronous());
    return recv(*reset_tree_);
  }

  std::vector<py::bytes> get_state(const py::object& env_id) {
    Borrowed scratch(scratch_);
    uint32_t n = 0;
    const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
    pending_.check(pool_->layout(), ids, n, false);
    std::vector<std::string> states;
    // Held before others may run, for the reason given at start_step.
    std::optional<host::Pool::Hold> hold(std::in_place, *pool_, ids, n);
    attend(hold, [&] { states = pool_->get_states(*hold); });
    return {states.begin(), states.end()};
  }

  // `states`: a list of bytes, one per environment named.
  void set_state(const py::object& env_id, const std::vector<py::object>& states) {
    Borrowed scratch(scratch_);
    uint32_t n = 0;
    const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
    if (states.size() != n) {
      throw py::value_error("there are " + std::to_string(states.size()) + " states for " +
                            std::to_string(n) + " environments");
    }
    std::vector<std::string_view> views;
    views.reserve(n);
    for (const py::object& state : states) {
      if (!PyBytes_Check(state.ptr())) {
        throw py::type_error("a state is bytes, as get_state gives it, not " +
                             std::string(py::str(py::type::of(state))));
      }
      views.emplace_back(PyBytes_AS_STRING(state.ptr()),
                         static_cast<size_t>(PyBytes_GET_SIZE(state.ptr())));
    }
    pending_.check(pool_->layout(), ids, n, false);
    std::optional<host::Pool::Hold> hold(std::in_place, *pool_, ids, n);
    attend(hold, [&] { pool_->set_states(*hold, views); });
  }

  py::list render(const py::object& env_id) {
    return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
      return python::render(*pool_, envs, attend);
    });
  }
  // The answers of Python environments to one question, which both are any bytes; `verb`: that they
  // could not be asked, where they were never reset. Empty: that does not matter.
  std::vector<py::bytes> ask(const py::bytes& question, const py::object& env_id,
                             const std::string& verb) {
    const Isolation& workers = this->workers("cannot be asked");
    const auto asked = question.cast<std::string_view>();
    std::vector<std::string> answers;
    inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
      answers.resize(envs.size());
      const auto put = [&](uint32_t i, void* self, uint32_t lane) {
        return workers.ask(self, lane, asked, &answers[i]) ? 0 : 1;
      };
      attend([&] {
        pool_->look_into_all(envs, verb.empty() ? "asked" : verb.c_str(), put, verb.empty());
      });
    });
    return {answers.begin(), answers.end()};
  }
  py::dict describe_arrays(const py::object& env_id) {
    return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
      return python::describe_arrays(*pool_, envs, attend);
    });
  }
  py::array read_array(const std::string& name, const py::object& env_id) {
    return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
      return python::read_array(*pool_, envs, name, array_places_, attend);
    });
  }
  void write_array(const std::string& name, const py::array& values, const py::object& env_id) {
    inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
      python::write_array(*pool_, envs, name, values, array_places_, attend);
    });
  }

  // dtype, and shape of a row, of the columns that these leaves of result trees are.
  py::list columns(const py::list& leaves) {
    py::list all;
    for (const size_t number : columns_of(leaves)) {
      const host::Column& column = pool_->layout().column(number);
      all.append(py::make_tuple(numpy_dtype(column.dtype), py::tuple(py::cast(column.shape))));
    }
    return all;
  }

  // The current handle for compiled JAX programs (xla/calls.hpp). The first time, `step` and
  // `reset` are the leaves of result trees that programs get, and `signature` what the pool is.
  py::tuple xla(const py::list& step, const py::list& reset, const std::string& signature) {
    if (!xla_) {
      pool_->check_usable();
      if (closing_.begun()) throw host::Error(host::ErrorKind::closed, "the pool is closed");
      xla_ = std::make_unique<xla::PoolCalls>(*pool_, *checker_, columns_of(step),
                                              columns_of(reset), signature);
    }
    return py::tuple(py::cast(xla_->handle()));
  }

  const ActionChecker& checker() const { return *checker_; }

  py::object block(uintptr_t address, const py::object& lend) {
    return leased_block(*pool_->layout().store(), address, lend);
  }

  // Raises what a signal handler does while it waits; then the pool is being closed, and the next
  // call waits on.
  void close() {
    Signals signals;
    close([&signals](Unlocked& unlocked) { return signals.raised(unlocked); });
    signals.rethrow();
  }

  py::dict stats() {
    py::dict result;
    result["batches"] = pool_->layout().store()->allocated();
    result["batch_bytes"] = pool_->layout().store()->bytes();
    result["shards"] = pool_->num_shards();
    result["num_threads"] = pool_->config().num_threads;
    result["nanoseconds_per_env_step"] = pool_->nanoseconds_per_env_step();
    result["seconds_waited"] = pool_->seconds_waited();
    result["seconds_slept"] = pool_->seconds_slept();
    if (!pool_->synchronous()) {
      const host::Ages::Report ages = pool_->ages();
      const double rows = static_cast<double>(std::max<uint64_t>(ages.rows, 1));
      result["mean_age"] = static_cast<double>(ages.sum) / rows;
      result["most_age"] = ages.most;
    }
    if (isolation_) {
      std::vector<int> pids;
      {
        const Unlocked unlocked;  // one may be busy
        pids = isolation_->pids();
      }
      if (!pids.empty()) result["worker_pids"] = pids;
    }
    return result;
  }

 private:
  std::vector<size_t> columns_of(const py::list& leaves) {
    NodeCompiler compiler(*pool_, isolation_.get());
    std::vector<size_t> columns;
    for (const py::handle leaf : leaves) {
      columns.push_back(compiler.compile(leaf)->column());
      if (columns.back() == host::Layout::none) throw py::type_error("a leaf is no column");
    }
    return columns;
  }

  py::object arrive_unguarded(HandedOut& handed_out, PyObject* map) {
    const auto mapped = [map](const py::object& result) {
      return map == nullptr ? result : py::reinterpret_borrow<py::object>(map)(result);
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

  // Held from admission to submission of a call, where programs send too, without Python's lock.
  std::unique_lock<std::mutex> only_sender() {
    return xla_ ? std::unique_lock<std::mutex>(xla_->sending()) : std::unique_lock<std::mutex>();
  }

  // Those of Python environments. Throws where there are none; `what` says what the pool is not.
  const Isolation& workers(const char* what) const {
    if (isolation_ && isolation_->python()) return *isolation_;
    throw host::Error(host::ErrorKind::not_offered,
                      std::string(pool_->env().id) + " " + what +
                          ": only environments written in Python have that");
  }

  void close_anyhow() {
    close([](Unlocked&) { return false; });
  }
  template <class Asked>
  void close(Asked&& interrupted) {
    if (!pool_) return;
    const bool first = closing_.begin();
    if (xla_) xla_->shut();
    const bool here = pool_->forked();
    {
      Unlocked unlocked;
      const auto work = [this] {
        if (isolation_) isolation_->begin_close();
        pool_->close();
        if (isolation_) isolation_->close();
      };
      if (first) closing_.start(work, here);
      closing_.wait([&] { return interrupted(unlocked); });
    }
    closing_.finish();
  }

  // Does what may take long, without Python's lock; what a signal handler raises meanwhile is
  // raised.
  template <class Work>
  static void interruptible(Work&& work) {
    Signals signals;
    try {
      Unlocked unlocked;
      work([&] { return signals.raised(unlocked); });
    } catch (const host::Error& error) {
      if (error.kind() == host::ErrorKind::interrupted) signals.rethrow();
      throw;
    }
    signals.rethrow();
  }

  // NULL: not in time.
  host::Batch* wait(double seconds) {
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

  // Lets go of the environments before waiting for Python's lock, or a thread that has it would
  // find them busy as long as it runs.
  template <class Work>
  void attend(std::optional<host::Pool::Hold>& hold, Work&& work) {
    interruptible([&](const host::Interrupted& interrupted) {
      try {
        pool_->attend(*hold, work, interrupted);
      } catch (...) {
        hold.reset();
        throw;
      }
      hold.reset();
    });
  }

  // Holds environments while `work` looks into them.
  template <class Work>
  std::invoke_result_t<Work, const host::Pool::Hold&, const Attend&> inside(
      const py::object& env_id, Work&& work) {
    Borrowed scratch(scratch_);
    uint32_t n = 0;
    const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
    pending_.check(pool_->layout(), ids, n, false);
    const host::Pool::Hold envs(*pool_, ids, n);
    const Attend attend = [&](const std::function<void()>& part) {
      interruptible(
          [&](const host::Interrupted& interrupted) { pool_->attend(envs, part, interrupted); });
    };
    return work(envs, attend);
  }

  static double checked_timeout(const py::object& timeout) {
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

  // What a call needs for a moment. Each call takes it and gives it back, because Python code that
  // runs in between (a conversion of the user's) may call again.
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

  // First all that may run Python code. Between admission and submission actions are staged, and
  // nothing else; if that throws, the call is dropped and nothing has changed. `alone`: refuse if
  // anything is on its way, so that the next answer is ours.
  // `named`: whose the rows of players are, where the caller says so.
  void start_step(const py::object& action, const py::object& env_id, bool alone,
                  const PlayerNames* named = nullptr) {
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

  void start_reset(const py::object& env_id, const py::object& seeds, const py::object& options,
                   bool alone) {
    Borrowed scratch(scratch_);
    uint32_t n = 0;
    const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
    std::vector<std::optional<uint64_t>> list;
    if (!seeds.is_none()) {
      list = seeds.cast<std::vector<std::optional<uint64_t>>>();
      if (list.size() != n) {
        throw py::value_error("there are " + std::to_string(list.size()) + " seeds for " +
                              std::to_string(n) + " environments");
      }
    }
    std::shared_ptr<const host::OptionValues> given;
    if (!options.is_none()) {
      given =
          parse_reset_options(pool_->env().id, pool_->reset_options(), options.cast<py::dict>());
    }
    pending_.check(pool_->layout(), ids, n, alone);
    const auto sending = only_sender();
    host::AdmittedCall call = pool_->admit(ids, n, host::Op::reset, alone);
    for (uint32_t i = 0; given && i < n; ++i) {
      pool_->set_reset_options(ids == nullptr ? i : ids[i], given);
    }
    for (uint32_t i = 0; i < list.size(); ++i) {
      if (list[i]) pool_->set_seed(ids == nullptr ? i : ids[i], *list[i]);
    }
    pool_->submit(std::move(call));
  }

  // EnvError that carries the whole batch: what the others computed is not lost.
  py::object error_of(const host::Batch& batch, const py::object& result) const {
    py::dict failures;
    for (const host::EnvFailure& failure : batch.failures) {
      failures[py::int_(failure.env)] = failure.message;
    }
    const py::object& error = batch.timed_out ? timeout_error_ : env_error_;
    return error(failures,
                 delivery_.read_failed.is_none() ? result : delivery_.read_failed(result));
  }

  const Delivery delivery_;
  PyObject* self_ = nullptr;  // of Python; borrowed
  PendingResult pending_;
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
  Closing closing_;         // outlives nothing, and is over before they go
  Scratch scratch_;         // used with the GIL held
  PlayerRows player_rows_;  // as well, and with no Python code in between
};

std::unique_ptr<PyPool> make_pool(const Plugin& plugin, const std::string& env_id,
                                  const std::vector<py::dict>& options, const PyPoolConfig& config,
                                  const PyWorkerConfig* workers, const py::object& step_tree,
                                  const py::object& reset_tree, const py::object& action_tree,
                                  bool handles, bool keeps_latest, const py::object& read_failed) {
  const Inside inside;
  const uint32_t num_envs = config.pool.num_envs;
  if (num_envs == 0 || config.pool.seeds.size() != num_envs || config.pool.batch_size > num_envs ||
      (options.size() != 1 && options.size() != num_envs)) {
    throw py::value_error("inconsistent sizes");  // checked in Python with better messages
  }
  return std::make_unique<PyPool>(plugin, env_id, options, config.pool, workers, step_tree,
                                  reset_tree, action_tree, config.policy,
                                  Delivery{handles, keeps_latest, read_failed});
}

// Calls of one pool take turns, as they do where Python has one lock for everything; like that
// lock, this one is let go while a call waits.
template <class Result, class... Arguments>
auto in_turn(Result (PyPool::*method)(Arguments...)) {
#ifdef Py_GIL_DISABLED
  return [method](const py::handle& self, Arguments... arguments) -> Result {
    const Inside inside;
    const py::scoped_critical_section turn(self);
    return (self.cast<PyPool&>().*method)(std::forward<Arguments>(arguments)...);
  };
#else
  return [method](PyPool& self, Arguments... arguments) -> Result {
    const Inside inside;
    return (self.*method)(std::forward<Arguments>(arguments)...);
  };
#endif
}

}  // namespace

void bind_pool(py::module_& module) {
  py::class_<PyPool>(
      module, "Pool",
      "The native pool. The views in parallel_pool.views give it the shape of an API; "
      "`step_tree` and `reset_tree` say how (see results/result_tree.hpp).")
      // A plugin that is written in Python lives as long as its pools.
      .def(py::init(&make_pool), py::keep_alive<1, 2>(), py::kw_only(), py::arg("plugin"),
           py::arg("env_id"), py::arg("options"), py::arg("config"),
           py::arg("workers") = py::none(), py::arg("step_tree"), py::arg("reset_tree"),
           py::arg("action_tree"), py::arg("handles") = false, py::arg("keeps_latest") = false,
           py::arg("read_failed") = py::none())
      .def("step", in_turn(&PyPool::step), py::arg("action"), py::arg("env_id") = py::none())
      .def("send", in_turn(&PyPool::send), py::arg("action"), py::arg("env_id") = py::none())
      .def("recv", in_turn(&PyPool::recv_step), py::arg("timeout") = py::none())
      .def("step_players", in_turn(&PyPool::step_players), py::arg("action"), py::arg("env_id"),
           py::arg("player_env_id"), py::arg("player_id"))
      .def("send_players", in_turn(&PyPool::send_players), py::arg("action"), py::arg("env_id"),
           py::arg("player_env_id"), py::arg("player_id"))
      .def("reset", in_turn(&PyPool::reset), py::arg("env_id") = py::none(),
           py::arg("seeds") = py::none(), py::arg("options") = py::none())
      .def("send_reset", in_turn(&PyPool::send_reset), py::arg("env_id") = py::none(),
           py::arg("seeds") = py::none(), py::arg("options") = py::none())
      .def("get_state", in_turn(&PyPool::get_state), py::arg("env_id") = py::none())
      .def("set_state", in_turn(&PyPool::set_state), py::arg("env_id"), py::arg("states"))
      .def("render", in_turn(&PyPool::render), py::arg("env_id") = py::none())
      .def("ask", in_turn(&PyPool::ask), py::arg("question"), py::arg("env_id") = py::none(),
           py::arg("verb") = "")
      .def("describe_arrays", in_turn(&PyPool::describe_arrays), py::arg("env_id") = py::none())
      .def("read_array", in_turn(&PyPool::read_array), py::arg("name"),
           py::arg("env_id") = py::none())
      .def("write_array", in_turn(&PyPool::write_array), py::arg("name"), py::arg("values"),
           py::arg("env_id") = py::none())
      .def("columns", in_turn(&PyPool::columns), py::arg("leaves"))
      .def("xla", in_turn(&PyPool::xla), py::arg("step"), py::arg("reset"), py::arg("signature"))
      .def("action_checker", [](PyPool& p) { return p.checker(); })
      .def("block", in_turn(&PyPool::block), py::arg("address"), py::arg("lend"))
      .def("close", in_turn(static_cast<void (PyPool::*)()>(&PyPool::close)))
      .def("stats", in_turn(&PyPool::stats))
      .def_property("latest", in_turn(&PyPool::latest), in_turn(&PyPool::set_latest))
      .def_property_readonly("num_threads", [](PyPool& p) { return p.pool().config().num_threads; })
      .def_property_readonly("own_threads", [](PyPool& p) { return p.pool().own_threads(); })
      .def_property_readonly("is_async", [](PyPool& p) { return !p.pool().synchronous(); })
      .def_property_readonly("closed", [](PyPool& p) { return p.pool().closed(); });
}

}  // namespace pp::python
