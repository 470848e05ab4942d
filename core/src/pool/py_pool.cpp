#include "pool/py_pool.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/dtypes.hpp"
#include "base/signals.hpp"
#include "plugin/option_values.hpp"

namespace pp::python {
namespace {

// Returns the one layout that environments of a pool have, or throws if they differ.
host::EnvSpec common_spec(const Plugin& plugin, const std::vector<const pp_env*>& envs,
                          const std::vector<const host::OptionValues*>& values) {
  host::EnvSpec spec = plugin.spec(*envs[0], *values[0]);
  std::set<const host::OptionValues*> described{values[0]};
  for (size_t i = 1; i < values.size(); ++i) {
    if (!described.insert(values[i]).second) continue;
    if (!plugin.spec(*envs[i], *values[i]).same_layout(spec)) {
      throw py::value_error("environments 0 and " + std::to_string(i) +
                            " of one pool have different " +
                            "observation or action spaces, because their options differ");
    }
  }
  return spec;
}

}  // namespace

PyPool::PyPool(const Plugin& plugin, const std::vector<std::string>& env_ids,
               const std::vector<py::dict>& options, host::PoolConfig config,
               const PyWorkerConfig* workers, const py::object& step_tree,
               const py::object& reset_tree, const py::object& action_tree, ActionPolicy policy,
               bool handles, bool keeps_latest, py::object read_failed)
    : pending_(handles, keeps_latest, config.num_envs),
      read_failed_(std::move(read_failed)),
      env_error_(py::module_::import("parallel_pool.pool_errors").attr("EnvError")),
      timeout_error_(py::module_::import("parallel_pool.pool_errors").attr("EnvTimeoutError")) {
  config.refuse_steps = policy.nan == ActionPolicy::Nan::truncate;
  std::vector<const pp_env*> envs;
  for (const std::string& each : env_ids) envs.push_back(&plugin.library().env(each));
  envs.resize(options.size(), envs[0]);
  OptionsOfEnvs values(envs, options);
  const host::EnvSpec spec = common_spec(plugin, envs, values.values());
  if (workers != nullptr) {
    isolation_ = std::make_unique<Isolation>(*workers, plugin.library(), *envs[0], spec, config);
    envs = {&isolation_->group().table()};
    // One thread has every process at work; only answers in any order need one each.
    if (config.batch_size == 0 || config.batch_size == config.num_envs) config.num_threads = 1;
  }
  interruptible([&](const host::Interrupted& interrupted) {
    pool_.reset(new host::Pool(plugin.library(), host::EnvTables(std::move(envs)),
                               std::move(config), values.values(),
                               isolation_ ? isolation_->group().spec() : spec,
                               isolation_ ? &isolation_->group() : nullptr, interrupted));
  });
  checker_ = std::make_unique<ActionChecker>(
      pool_->spec(), action_tree, policy, pool_->config().num_envs, pool_->config().action_chunk);
  actions_ = std::make_unique<PoolActions>(*pool_, *checker_);
  NodeCompiler compiler(*pool_, isolation_.get());
  step_tree_ = std::make_unique<ResultTree>(compiler, step_tree);
  reset_tree_ = std::make_unique<ResultTree>(compiler, reset_tree);
}

template <class Asked>
void PyPool::close(Asked&& interrupted) {
  if (!pool_ || pool_->forked()) return;
  const bool first = !std::exchange(closing_begun_, true);
  if (xla_) xla_->shut();
  {
    const Unlocked unlocked;
    const auto work = [this] {
      if (isolation_) isolation_->group().begin_close();
      pool_->close();
      if (isolation_) isolation_->close();
    };
    if (first) closing_.start(work);
    closing_.wait(interrupted);
  }
  closing_.finish();
}

void PyPool::close() {
  Signals signals;
  close([&signals] { return signals.raised(); });
  signals.rethrow();
}

PyPool::~PyPool() {
  try {
    close();
  } catch (const py::error_already_set&) {
    close([] { return false; });
  }
  if (xla_) {
    const Unlocked unlocked;
    xla_->end();
  }
}

py::list PyPool::columns(const py::list& leaves) {
  py::list all;
  for (const size_t number : columns_of(leaves)) {
    const host::Column& column = pool_->layout().column(number);
    all.append(py::make_tuple(numpy_dtype(column.dtype), py::tuple(py::cast(column.shape))));
  }
  return all;
}

std::vector<size_t> PyPool::columns_of(const py::list& leaves) {
  NodeCompiler compiler(*pool_, isolation_.get());
  std::vector<size_t> columns;
  for (const py::handle leaf : leaves) {
    columns.push_back(compiler.compile(leaf)->column());
    if (columns.back() == host::Layout::none) throw py::type_error("a leaf is no column");
  }
  return columns;
}

py::tuple PyPool::xla(const py::list& step, const py::list& reset, const std::string& signature) {
  pool_->check_process();
  if (!xla_) {
    pool_->check_usable();
    if (closing_begun_) throw host::Error(host::ErrorKind::closed, "the pool is closed");
    xla_ = std::make_unique<xla::PoolCalls>(*pool_, *checker_, columns_of(step), columns_of(reset),
                                            signature);
  }
  return py::tuple(py::cast(xla_->handle()));
}

py::object PyPool::block(uintptr_t address, const py::object& lend) {
  pool_->check_process();
  const host::BatchStore& store = *pool_->layout().store();
  host::Batch* batch = store.find(reinterpret_cast<const char*>(address));
  if (batch == nullptr) return py::none();
  const auto begin = reinterpret_cast<uintptr_t>(batch->data);
  if (batch->lease == nullptr) {
    py::object lease = lend(begin, store.bytes());
    batch->lease = std::shared_ptr<void>(lease.ptr(), [](void* object) {
      const Locked locked;  // or the process ends, and everything with it
      if (locked.python()) Py_DECREF(static_cast<PyObject*>(object));
    });
    lease.release();
  }
  auto* lease = static_cast<PyObject*>(batch->lease.get());
  return py::make_tuple(begin, store.bytes(), py::reinterpret_borrow<py::object>(lease));
}

py::dict PyPool::stats() {
  pool_->check_process();
  py::dict result;
  result["batches"] = pool_->layout().store()->allocated();
  result["batch_bytes"] = pool_->layout().store()->bytes();
  result["shards"] = pool_->num_shards();
  result["num_threads"] = pool_->config().num_threads;
  result["nanoseconds_per_env_step"] = pool_->nanoseconds_per_env_step();
  result["seconds_waited"] = pool_->seconds_waited();
  result["seconds_slept"] = pool_->seconds_slept();
  result["thread_ids"] = pool_->thread_ids();
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
      pids = isolation_->group().pids();
    }
    if (!pids.empty()) result["worker_pids"] = pids;
  }
  return result;
}

}  // namespace pp::python
