// The native pool as Python sees it. Long, because each method of the pool is bound here, and
// because between admission and submission of a call nothing may happen that is not in sight.
#include "pool_object.hpp"

#include <pybind11/critical_section.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "actions.hpp"
#include "inside.hpp"
#include "isolation.hpp"
#include "parallel_pool/host/pool.hpp"
#include "plugin_object.hpp"
#include "pool_config_object.hpp"
#include "result_tree.hpp"

namespace pp::python {
namespace {

class PyPool {
 public:
  PyPool(const Plugin& plugin, const std::string& env_id, const std::vector<py::dict>& options,
         host::PoolConfig config, const py::object& isolation, const py::object& step_tree,
         const py::object& reset_tree, const py::object& action_tree, ActionPolicy policy)
      : env_error_(py::module_::import("parallel_pool.pool_errors").attr("EnvError")),
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
    if (!isolation.is_none()) {
      isolation_ = std::make_unique<Isolation>(isolation.cast<py::dict>(), plugin.library(), env,
                                               spec, config.num_envs, config.batch_size);
      // One thread has every process at work; only answers in any order need one each.
      if (config.batch_size == 0 || config.batch_size == config.num_envs) config.num_threads = 1;
    }
    {
      const py::gil_scoped_release release;
      pool_.reset(new host::Pool(
          plugin.library(), isolation_ ? isolation_->table() : env, std::move(config), pointers,
          isolation_ ? isolation_->spec() : spec, isolation_ ? isolation_->backend() : nullptr));
    }
    actions_ = std::make_unique<Actions>(*pool_, action_tree, policy);
    NodeCompiler compiler(*pool_, isolation_.get());
    step_tree_ = std::make_unique<ResultTree>(compiler, step_tree);
    reset_tree_ = std::make_unique<ResultTree>(compiler, reset_tree);
  }
  ~PyPool() { close(); }
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
  py::object recv(const ResultTree& tree, const py::object& timeout = py::none()) {
    const double seconds = timeout.is_none() ? -1.0 : checked_timeout(timeout);
    host::Batch* batch = pool_->take();
    if (batch == nullptr) {
      using Clock = std::chrono::steady_clock;
      const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
      bool late = false;
      {
        const py::gil_scoped_release release;
        batch = pool_->wait([&] {
          if (seconds >= 0.0 && Clock::now() >= deadline) {
            late = true;
            return true;
          }
          const py::gil_scoped_acquire acquire;
          return PyErr_CheckSignals() != 0;
        });
      }
      if (batch == nullptr && late) {
        PyErr_Format(PyExc_TimeoutError,
                     "no batch was ready within %R seconds; what is on its way stays so",
                     timeout.ptr());
        throw py::error_already_set();
      }
    }
    if (batch == nullptr) throw py::error_already_set();  // Ctrl-C
    if (!batch->failures.empty()) return fail(tree, batch);
    const py::object result = tree.build(batch);
    if (isolation_) isolation_->warn();
    return result;
  }

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
    std::vector<std::string> states;
    {
      // Held before others may run, for the reason given at start_step; let go before waiting for
      // the GIL, or a thread that has it would find these environments busy as long as it runs.
      std::optional<host::Pool::Hold> hold(std::in_place, *pool_, ids, n);
      const py::gil_scoped_release release;
      states = pool_->get_states(*hold);
      hold.reset();
    }
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
    std::optional<host::Pool::Hold> hold(std::in_place, *pool_, ids, n);
    const py::gil_scoped_release release;
    pool_->set_states(*hold, views);
    hold.reset();
  }

  py::list render(const py::object& env_id) {
    return inside(env_id,
                  [&](const host::Pool::Hold& envs) { return python::render(*pool_, envs); });
  }
  // The answers of Python environments to one question, which both are any bytes; `verb`: that they
  // could not be asked, where they were never reset. Empty: that does not matter.
  std::vector<py::bytes> ask(const py::bytes& question, const py::object& env_id,
                             const std::string& verb) {
    const Isolation& workers = this->workers("cannot be asked");
    const auto asked = question.cast<std::string_view>();
    std::vector<std::string> answers;
    inside(env_id, [&](const host::Pool::Hold& envs) {
      const py::gil_scoped_release release;
      answers.resize(envs.size());
      const auto put = [&](uint32_t i, void* self, uint32_t lane) {
        return workers.ask(self, lane, asked, &answers[i]) ? 0 : 1;
      };
      pool_->look_into_all(envs, verb.empty() ? "asked" : verb.c_str(), put, verb.empty());
    });
    return {answers.begin(), answers.end()};
  }
  py::dict describe_arrays(const py::object& env_id) {
    return inside(env_id, [&](const host::Pool::Hold& envs) {
      return python::describe_arrays(*pool_, envs);
    });
  }
  py::array read_array(const std::string& name, const py::object& env_id) {
    return inside(env_id, [&](const host::Pool::Hold& envs) {
      return python::read_array(*pool_, envs, name, array_places_);
    });
  }
  void write_array(const std::string& name, const py::array& values, const py::object& env_id) {
    inside(env_id, [&](const host::Pool::Hold& envs) {
      python::write_array(*pool_, envs, name, values, array_places_);
    });
  }

  void close() {
    if (!pool_) return;
    const py::gil_scoped_release release;
    if (isolation_) isolation_->begin_close();
    pool_->close();
    if (isolation_) isolation_->close();
  }

  py::dict stats() {
    py::dict result;
    result["batches"] = pool_->layout().store()->allocated();
    result["batch_bytes"] = pool_->layout().store()->bytes();
    result["shards"] = pool_->num_shards();
    result["num_threads"] = pool_->config().num_threads;
    result["nanoseconds_per_env_step"] = pool_->nanoseconds_per_env_step();
    if (isolation_) {
      std::vector<int> pids;
      {
        const py::gil_scoped_release release;  // one may be busy
        pids = isolation_->pids();
      }
      if (!pids.empty()) result["worker_pids"] = pids;
    }
    return result;
  }

 private:
  // Those of Python environments. Throws where there are none; `what` says what the pool is not.
  const Isolation& workers(const char* what) const {
    if (isolation_ && isolation_->python()) return *isolation_;
    throw host::Error(host::ErrorKind::not_offered,
                      std::string(pool_->env().id) + " " + what +
                          ": only environments written in Python have that");
  }

  // Holds environments while `work` looks into them.
  template <class Work>
  std::invoke_result_t<Work, const host::Pool::Hold&> inside(const py::object& env_id,
                                                             Work&& work) {
    Borrowed scratch(scratch_);
    uint32_t n = 0;
    const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
    const host::Pool::Hold envs(*pool_, ids, n);
    return work(envs);
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
    actions_->convert(action, n, scratch->arrays);
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
    host::AdmittedCall call = pool_->admit(ids, n, host::Op::reset, alone);
    for (uint32_t i = 0; given && i < n; ++i) {
      pool_->set_reset_options(ids == nullptr ? i : ids[i], given);
    }
    for (uint32_t i = 0; i < list.size(); ++i) {
      if (list[i]) pool_->set_seed(ids == nullptr ? i : ids[i], *list[i]);
    }
    pool_->submit(std::move(call));
  }

  // Raises EnvError that carries the whole batch: what the others computed is not lost.
  py::object fail(const ResultTree& tree, host::Batch* batch) const {
    py::dict failures;
    for (const host::EnvFailure& failure : batch->failures) {
      failures[py::int_(failure.env)] = failure.message;
    }
    const py::object& kind = batch->timed_out ? timeout_error_ : env_error_;
    const py::object result = tree.build(batch);
    const py::object error = kind(failures, result);
    PyErr_SetObject(kind.ptr(), error.ptr());
    throw py::error_already_set();
  }

  py::object env_error_;
  py::object timeout_error_;
  std::unique_ptr<Isolation> isolation_;  // outlives the pool
  std::unique_ptr<host::Pool, host::Pool::Closer> pool_;
  std::unique_ptr<Actions> actions_;
  std::unique_ptr<ResultTree> step_tree_;
  std::unique_ptr<ResultTree> reset_tree_;
  ArrayPlaces array_places_;
  Scratch scratch_;         // used with the GIL held
  PlayerRows player_rows_;  // as well, and with no Python code in between
};

std::unique_ptr<PyPool> make_pool(const Plugin& plugin, const std::string& env_id,
                                  const std::vector<py::dict>& options, const PyPoolConfig& config,
                                  const py::object& isolation, const py::object& step_tree,
                                  const py::object& reset_tree, const py::object& action_tree) {
  const uint32_t num_envs = config.pool.num_envs;
  if (num_envs == 0 || config.pool.seeds.size() != num_envs || config.pool.batch_size > num_envs ||
      (options.size() != 1 && options.size() != num_envs)) {
    throw py::value_error("inconsistent sizes");  // checked in Python with better messages
  }
  return std::make_unique<PyPool>(plugin, env_id, options, config.pool, isolation, step_tree,
                                  reset_tree, action_tree, config.policy);
}

// Calls of one pool take turns, as they do where Python has one lock for everything; like that
// lock, this one is let go while a call waits.
template <class Result, class... Arguments>
auto in_turn(Result (PyPool::*method)(Arguments...)) {
#ifdef Py_GIL_DISABLED
  return [method](const py::handle& self, Arguments... arguments) -> Result {
    const py::scoped_critical_section turn(self);
    return (self.cast<PyPool&>().*method)(std::forward<Arguments>(arguments)...);
  };
#else
  return method;
#endif
}

}  // namespace

void bind_pool(py::module_& module) {
  py::class_<PyPool>(
      module, "Pool",
      "The native pool. The views in parallel_pool.views give it the shape of an API; "
      "`step_tree` and `reset_tree` say how (see result_tree.hpp).")
      // A plugin that is written in Python lives as long as its pools.
      .def(py::init(&make_pool), py::keep_alive<1, 2>(), py::kw_only(), py::arg("plugin"),
           py::arg("env_id"), py::arg("options"), py::arg("config"),
           py::arg("isolation") = py::none(), py::arg("step_tree"), py::arg("reset_tree"),
           py::arg("action_tree"))
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
      .def("close", in_turn(&PyPool::close))
      .def("stats", in_turn(&PyPool::stats))
      .def_property_readonly("num_threads", [](PyPool& p) { return p.pool().config().num_threads; })
      .def_property_readonly("own_threads", [](PyPool& p) { return p.pool().own_threads(); })
      .def_property_readonly("is_async", [](PyPool& p) { return !p.pool().synchronous(); })
      .def_property_readonly("closed", [](PyPool& p) { return p.pool().closed(); });
}

}  // namespace pp::python
