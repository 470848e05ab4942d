// parallel_pool._core.Pool: host::Pool with numpy at its edges.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/python_calls.hpp"
#include "pool/pool_config_object.hpp"
#include "pool/py_pool.hpp"

namespace pp::python {
namespace {

// env_id: of the library, one for all environments or one for each.
PyPool::Holder make_pool(const Plugin& plugin,
                         const std::variant<std::string, std::vector<std::string>>& env_id,
                         const std::vector<py::dict>& options, const PyPoolConfig& config,
                         const PyWorkerConfig* workers, const py::object& step_tree,
                         const py::object& reset_tree, const py::object& action_tree, bool handles,
                         bool keeps_latest, const py::object& read_failed) {
  const Inside inside;
  const uint32_t num_envs = config.pool.num_envs;
  const auto* const one = std::get_if<std::string>(&env_id);
  const auto env_ids =
      one != nullptr ? std::vector<std::string>{*one} : std::get<std::vector<std::string>>(env_id);
  if (num_envs == 0 || config.pool.seeds.size() != num_envs || config.pool.batch_size > num_envs ||
      (options.size() != 1 && options.size() != num_envs) ||
      (env_ids.size() != 1 && env_ids.size() != options.size()) ||
      (env_ids.size() != 1 && workers != nullptr)) {
    throw py::value_error("inconsistent sizes");  // checked in Python with better messages
  }
  return PyPool::Holder(new PyPool(plugin, env_ids, options, config.pool, workers, step_tree,
                                   reset_tree, action_tree, config.policy, handles, keeps_latest,
                                   read_failed));
}

template <class Result, class... Arguments>
auto in_turn(Result (PyPool::*method)(Arguments...)) {
#ifdef Py_GIL_DISABLED
  return [method](const py::handle& self, Arguments... arguments) -> Result {
    const PoolCall call(self);
    return (self.cast<PyPool&>().*method)(std::forward<Arguments>(arguments)...);
  };
#else
  return [method](PyPool& self, Arguments... arguments) -> Result {
    const PoolCall call{py::handle()};
    return (self.*method)(std::forward<Arguments>(arguments)...);
  };
#endif
}

// A method that each step calls, with `least` to `most` arguments; what is not given is None.
// pybind11 looks for an overload and its type, which takes a sixteenth of a step of CartPole.
template <auto method, Py_ssize_t least, Py_ssize_t most>
PyObject* call_directly(PyObject* self, PyObject* const* given, Py_ssize_t n) {
  return called_from_python([&] {
    auto* pool = reinterpret_cast<py::detail::instance*>(self);
    auto* made = pool->get_value_and_holder().value_ptr<PyPool>();
    if (made == nullptr || n < least || n > most) {
      throw py::type_error(
          "step(action, env_id=None), send(action, env_id=None), recv(timeout=None)");
    }
    const auto argument = [&](Py_ssize_t i) {
      return i < n ? py::reinterpret_borrow<py::object>(given[i]) : py::none();
    };
    const PoolCall call{py::handle(self)};
    if constexpr (most == 1)
      return (made->*method)(argument(0));
    else
      return (made->*method)(argument(0), argument(1));
  });
}

template <auto method, Py_ssize_t least, Py_ssize_t most>
void define_directly(py::class_<PyPool, PyPool::Holder>& pool, const char* name) {
  auto* const call = reinterpret_cast<void (*)()>(&call_directly<method, least, most>);
  static PyMethodDef definition = {name, reinterpret_cast<PyCFunction>(call), METH_FASTCALL,
                                   nullptr};
  pool.attr(name) = py::reinterpret_steal<py::object>(
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(pool.ptr()), &definition));
}

}  // namespace

void bind_pool(py::module_& module) {
  py::class_<PyPool, PyPool::Holder> pool(
      module, "Pool",
      "The native pool. The views in parallel_pool.views give it the shape of an API; "
      "`step_tree` and `reset_tree` say how (see results/result_tree.hpp).");
  define_directly<&PyPool::step, 1, 2>(pool, "step");
  define_directly<&PyPool::send, 1, 2>(pool, "send");
  define_directly<&PyPool::recv_step, 0, 1>(pool, "recv");
  pool
      // A plugin that is written in Python lives as long as its pools.
      .def(py::init(&make_pool), py::keep_alive<1, 2>(), py::kw_only(), py::arg("plugin"),
           py::arg("env_id"), py::arg("options"), py::arg("config"),
           py::arg("workers") = py::none(), py::arg("step_tree"), py::arg("reset_tree"),
           py::arg("action_tree"), py::arg("handles") = false, py::arg("keeps_latest") = false,
           py::arg("read_failed") = py::none())
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
      .def("clone", in_turn(&PyPool::clone), py::arg("source"), py::arg("env_id"))
      .def("simulate", in_turn(&PyPool::simulate), py::arg("states"), py::arg("seeds"),
           py::arg("actions"), py::arg("count"), py::arg("horizon"), py::arg("leaves"))
      .def("keep_reset_options", in_turn(&PyPool::keep_reset_options), py::arg("options"),
           py::arg("env_id") = py::none())
      .def("play_apart", in_turn(&PyPool::play_apart), py::arg("apart"))
      .def("seed_next", in_turn(&PyPool::seed_next), py::arg("env_id"), py::arg("seeds"))
      .def("set_seed_weights", in_turn(&PyPool::set_seed_weights), py::arg("weights"))
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
      .def("check_usable", [](PyPool& p) { p.pool().check_usable(); })
      .def("close", in_turn(static_cast<void (PyPool::*)()>(&PyPool::close)))
      .def("stats", in_turn(&PyPool::stats))
      .def_property("latest", in_turn(&PyPool::latest), in_turn(&PyPool::set_latest))
      .def_property_readonly("num_threads", [](PyPool& p) { return p.pool().config().num_threads; })
      .def_property_readonly("own_threads", [](PyPool& p) { return p.pool().own_threads(); })
      .def_property_readonly("threads", [](PyPool& p) { return p.pool().threads(); })
      .def_property_readonly("spare_envs", [](PyPool& p) { return p.pool().spare_envs(); })
      .def_property_readonly("is_async", [](PyPool& p) { return !p.pool().synchronous(); })
      .def_property_readonly("closed", [](PyPool& p) { return p.pool().closed(); });
}

}  // namespace pp::python
