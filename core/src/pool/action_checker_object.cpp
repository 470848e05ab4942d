// parallel_pool._core.ActionChecker: what pools check of actions and ids, without a pool.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "actions/action_checker.hpp"
#include "actions/env_ids.hpp"
#include "actions/given_arrays.hpp"
#include "base/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "plugin/option_values.hpp"
#include "plugin/plugin_object.hpp"
#include "pool/pool_config_object.hpp"

namespace pp::python {

namespace {

py::array_t<int32_t> env_ids(py::handle env_id, uint32_t num_envs) {
  std::vector<uint32_t> storage;
  uint32_t n = 0;
  const uint32_t* parsed = parse_env_ids(env_id, num_envs, storage, &n);
  py::array_t<int32_t> ids(n);
  for (uint32_t i = 0; i < n; ++i) {
    ids.mutable_at(i) = static_cast<int32_t>(parsed == nullptr ? i : parsed[i]);
  }
  return ids;
}

}  // namespace

py::array ActionChecker::ids(py::handle env_id) const {
  py::array_t<int32_t> ids = env_ids(env_id, num_envs_);
  std::vector<bool> named(num_envs_);
  for (py::ssize_t i = 0; i < ids.size(); ++i) {
    const auto env = static_cast<uint32_t>(ids.at(i));
    if (named[env]) throw host::occurs_twice(env);
    named[env] = true;
  }
  return ids;
}

std::vector<py::array> ActionChecker::check(py::handle action, const Ids& ids) const {
  const auto n = static_cast<uint32_t>(ids.size());
  std::vector<py::array> arrays;
  std::vector<py::array> rows;
  std::vector<Unfit> unfit;
  convert(action, n, arrays);
  for (size_t l = 0; l < leaves_.size(); ++l) {
    const Leaf& leaf = leaves_[l];
    if (leaf.spec.per_player) {
      throw host::Error(host::ErrorKind::not_offered,
                        leaf.label + " has rows of players, which only their pool can check");
    }
    std::vector<py::ssize_t> shape(leaf.shape.begin(), leaf.shape.end());
    shape.insert(shape.begin(), static_cast<py::ssize_t>(n));
    py::array& row = rows.emplace_back(numpy_dtype(leaf.spec.dtype), shape);
    put_actions({leaf.spec, leaf.label, nullptr, n, static_cast<char*>(row.mutable_data()), policy_,
                 unfit, 0, ids.data(), 0, chunk_},
                raw_of(arrays[l]));
  }
  return unfit.empty() ? rows : arrays;
}

void bind_action_checker(py::module_& module) {
  module.def("env_ids", &env_ids, py::arg("env_id"), py::kw_only(), py::arg("num_envs"));
  py::class_<ActionChecker>(module, "ActionChecker",
                            "Checks actions and ids as a pool does, in the same words.")
      .def(py::init([](const Plugin& plugin, const std::string& env_id, const py::dict& options,
                       const PyPoolConfig& config, const py::object& tree) {
             const pp_env& env = plugin.library().env(env_id);
             return ActionChecker(plugin.spec(env, *parse_options(env, options)), tree,
                                  config.policy, config.pool.num_envs, config.pool.action_chunk);
           }),
           py::kw_only(), py::arg("plugin"), py::arg("env_id"), py::arg("options"),
           py::arg("config"), py::arg("action_tree"))
      .def("ids", &ActionChecker::ids, py::arg("env_id"))
      .def("check", &ActionChecker::check, py::arg("action"), py::arg("ids"))
      .def("array", &ActionChecker::array, py::arg("member"), py::arg("value"), py::arg("rows"))
      .def("members", &ActionChecker::members, py::arg("action"))
      .def("expect", &ActionChecker::expect, py::arg("member"), py::arg("shape"), py::arg("dtype"),
           py::arg("rows"))
      .def_static(
          "expect_ids",
          [](const std::vector<py::ssize_t>& shape, const py::dtype& dtype) {
            expect_ids(shape.data(), shape.size(), dtype);
          },
          py::arg("shape"), py::arg("dtype"));
}

}  // namespace pp::python
