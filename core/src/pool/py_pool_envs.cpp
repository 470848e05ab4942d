// The methods for single environments between steps: states, pictures, arrays, questions.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "actions/env_ids.hpp"
#include "actions/given_arrays.hpp"
#include "base/dtypes.hpp"
#include "base/signals.hpp"
#include "plugin/option_values.hpp"
#include "pool/py_pool.hpp"

namespace pp::python {

template <class Work>
void PyPool::held(const uint32_t* ids, uint32_t n, Work&& work) {
  pending_.check(pool_->layout(), ids, n, false);
  // Held before others may run, for the reason given at start_step.
  std::optional<host::Pool::Hold> hold(std::in_place, *pool_, ids, n);
  interruptible([&](const host::Interrupted& interrupted) {
    try {
      pool_->attend(*hold, [&] { work(*hold); }, interrupted);
    } catch (...) {
      hold.reset();
      throw;
    }
    hold.reset();
  });
}

template <class Work>
std::invoke_result_t<Work, const host::Pool::Hold&, const Attend&> PyPool::inside(
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

// They live as long as the objects do.
static std::vector<std::string_view> views_of(const std::vector<py::object>& states) {
  std::vector<std::string_view> views;
  views.reserve(states.size());
  for (const py::object& state : states) {
    if (!PyBytes_Check(state.ptr())) {
      throw py::type_error("states[" + std::to_string(views.size()) + "] is " +
                           Py_TYPE(state.ptr())->tp_name + ", expected bytes of get_state");
    }
    views.emplace_back(PyBytes_AS_STRING(state.ptr()),
                       static_cast<size_t>(PyBytes_GET_SIZE(state.ptr())));
  }
  return views;
}

std::vector<py::bytes> PyPool::get_state(const py::object& env_id) {
  Borrowed scratch(scratch_);
  uint32_t n = 0;
  const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
  std::vector<std::string> states;
  held(ids, n, [&](const host::Pool::Hold& envs) { states = pool_->get_states(envs); });
  return {states.begin(), states.end()};
}

void PyPool::set_state(const py::object& env_id, const std::vector<py::object>& states) {
  pending_.set_latest(py::none());  // no longer what the environments show
  Borrowed scratch(scratch_);
  uint32_t n = 0;
  const uint32_t* ids = parse_env_ids(env_id, pool_->config().num_envs, scratch->ids, &n);
  if (states.size() != n) {
    throw py::value_error("there are " + std::to_string(states.size()) + " states for " +
                          std::to_string(n) + " environments");
  }
  const std::vector<std::string_view> views = views_of(states);
  held(ids, n, [&](const host::Pool::Hold& envs) { pool_->set_states(envs, views); });
}

void PyPool::clone(const py::object& source, const py::object& env_id) {
  pending_.set_latest(py::none());
  std::vector<uint32_t> from, ids;
  uint32_t n = 0;
  parse_env_ids(source, pool_->config().num_envs, from, &n);
  parse_env_ids(env_id, pool_->config().num_envs, ids, &n);
  auto first = std::find(ids.begin(), ids.end(), from[0]);
  if (first == ids.end()) first = ids.insert(first, from[0]);
  std::rotate(ids.begin(), first, first + 1);
  held(ids.data(), static_cast<uint32_t>(ids.size()),
       [&](const host::Pool::Hold& envs) { pool_->clone(envs); });
}

py::tuple PyPool::simulate(const std::vector<py::object>& states, std::vector<uint64_t> seeds,
                           const std::vector<py::array>& actions, uint32_t count, uint32_t horizon,
                           const py::list& leaves) {
  const auto zeros = [](const py::dtype& dtype, std::vector<py::ssize_t> shape) {
    py::array array(dtype, std::move(shape));
    std::memset(array.mutable_data(), 0, static_cast<size_t>(array.nbytes()));
    return array;
  };
  py::array rewards = zeros(py::dtype::of<double>(), {count, horizon});
  py::array terminated = zeros(py::dtype::of<bool>(), {count});
  py::array truncated = zeros(py::dtype::of<bool>(), {count});
  py::array lengths = zeros(py::dtype::of<int32_t>(), {count});
  host::Sequences job;
  job.count = count;
  job.horizon = horizon;
  job.states = views_of(states);
  job.seeds = std::move(seeds);
  job.rewards = static_cast<double*>(rewards.mutable_data());
  job.terminated = static_cast<uint8_t*>(terminated.mutable_data());
  job.truncated = static_cast<uint8_t*>(truncated.mutable_data());
  job.lengths = static_cast<int32_t*>(lengths.mutable_data());
  py::list last;
  for (const size_t number : columns_of(leaves)) {
    const host::Column& column = pool_->layout().column(number);
    std::vector<py::ssize_t> shape{count};
    shape.insert(shape.end(), column.shape.begin(), column.shape.end());
    py::array rows = zeros(numpy_dtype(column.dtype), std::move(shape));
    job.last.push_back({number, static_cast<char*>(rows.mutable_data())});
    last.append(std::move(rows));
  }
  const uint32_t steps = count * horizon;
  std::vector<Unfit> none;
  for (size_t l = 0; l < actions.size(); ++l) {
    const ActionChecker::Leaf& leaf = checker_->leaves()[l];
    std::vector<char> rows(steps * leaf.spec.row_bytes);
    const ActionJob put{leaf.spec,          leaf.label, nullptr, steps,   rows.data(),
                        checker_->policy(), none,       0,       nullptr, horizon};
    put_actions(put, raw_of(actions[l]));
    job.actions.push_back({leaf.field, std::move(rows)});
  }
  const host::Pool::Hold hold(*pool_, nullptr, pool_->config().num_envs);
  interruptible(
      [&](const host::Interrupted& interrupted) { pool_->simulate(hold, job, interrupted); });
  return py::make_tuple(rewards, terminated, truncated, lengths, last, failures_of(job.failures));
}

void PyPool::keep_reset_options(const py::object& options, const py::object& env_id) {
  inside(env_id, [&](const host::Pool::Hold& envs, const Attend&) {
    auto given =
        parse_reset_options(pool_->env(0).id, pool_->reset_options(), options, envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      pool_->keep_reset_options(envs, i, std::move(given[i]));
    }
  });
}

void PyPool::seed_next(const py::object& env_id, const py::object& seeds) {
  inside(env_id, [&](const host::Pool::Hold& envs, const Attend&) {
    const auto given = parse_seeds(seeds, envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      if (given[i]) pool_->set_next_seed(envs, i, *given[i]);
    }
  });
}

void PyPool::play_apart(bool apart) {
  if (apart) inside(py::none(), [](const host::Pool::Hold&, const Attend&) {});
  pool_->set_apart(apart);
}

py::list PyPool::render(const py::object& env_id) {
  return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
    return python::render(*pool_, envs, attend);
  });
}

std::vector<py::bytes> PyPool::ask(const py::bytes& question, const py::object& env_id,
                                   const std::string& verb) {
  if (!isolation_ || !isolation_->python()) {
    throw host::Error(host::ErrorKind::not_offered,
                      std::string(pool_->env(0).id) +
                          " cannot be asked: only environments written in Python have that");
  }
  const auto asked = question.cast<std::string_view>();
  std::vector<std::string> answers;
  inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
    answers.resize(envs.size());
    const auto put = [&](uint32_t i, void* self, uint32_t lane) {
      auto& shard = *static_cast<host::workers::RemoteShard*>(self);
      return shard.ask(host::workers::Op::ask, lane, asked, &answers[i]) ? 0 : 1;
    };
    attend([&] {
      pool_->look_into_all(envs, verb.empty() ? "asked" : verb.c_str(), put, verb.empty());
    });
  });
  return {answers.begin(), answers.end()};
}

py::dict PyPool::describe_arrays(const py::object& env_id) {
  return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
    return python::describe_arrays(*pool_, envs, attend);
  });
}

py::array PyPool::read_array(const std::string& name, const py::object& env_id) {
  return inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
    return python::read_array(*pool_, envs, name, array_places_, attend);
  });
}

void PyPool::write_array(const std::string& name, const py::array& values,
                         const py::object& env_id) {
  inside(env_id, [&](const host::Pool::Hold& envs, const Attend& attend) {
    python::write_array(*pool_, envs, name, values, array_places_, attend);
  });
}

}  // namespace pp::python
