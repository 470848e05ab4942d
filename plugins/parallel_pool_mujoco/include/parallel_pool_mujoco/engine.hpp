// parallel_pool_mujoco/engine.hpp: MuJoCo's functions and the places of its structs' members,
// as parallel_pool_mujoco.sdk found them in the MuJoCo that is installed.
//
// An Engine names the functions that every simulation calls. All others are found by their names in
// C: `function<...>("mj_jac")`, `member("mjData.ncon")`, `constant("mjOBJ_BODY")`. A name that this
// MuJoCo does not have throws an error that says so. Look things up in constructors, not in steps:
// a look-up is a search among 2,000 names.
#ifndef PARALLEL_POOL_MUJOCO_ENGINE_HPP_
#define PARALLEL_POOL_MUJOCO_ENGINE_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "parallel_pool/per_process.hpp"
#include "parallel_pool_mujoco/binding.h"

namespace pp::mujoco {

// mjModel and mjData: only MuJoCo knows what is in them.
struct RawModel;
struct RawData;

namespace detail {
// True if a member that C declares as `name` is read as T.
template <class T>
bool is_declared(std::string_view name) {
  if constexpr (std::is_same_v<T, double>) {
    return name == "mjtNum";
  } else if constexpr (std::is_same_v<T, float>) {
    return name == "float";
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return name == "int";
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return name == "mjtSize";
  } else {
    static_assert(std::is_same_v<T, uint8_t>, "members are double, float, int32, int64 and uint8");
    return name == "mjtByte" || name == "mjtBool";
  }
}
}  // namespace detail

class Engine {
 public:
  explicit Engine(const pp_mujoco& table) : table_(table) {
    if (table.magic != PP_MUJOCO_MAGIC || table.struct_size < sizeof(pp_mujoco)) {
      throw std::invalid_argument(
          "the table of MuJoCo's functions is not of this version of parallel-pool");
    }
    bind(copy_model, "mj_copyModel");
    bind(delete_model, "mj_deleteModel");
    bind(make_data, "mj_makeData");
    bind(delete_data, "mj_deleteData");
    bind(reset_data, "mj_resetData");
    bind(step, "mj_step");
    bind(step1, "mj_step1");
    bind(step2, "mj_step2");
    bind(forward, "mj_forward");
    bind(rne_post_constraint, "mj_rnePostConstraint");
    bind(name2id, "mj_name2id");
    bind(state_size, "mj_stateSize");
    bind(get_state, "mj_getState");
    bind(set_state, "mj_setState");
    bind(error, "mju_error");
    bind(write_log, "mju_writeLog");
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The engine of that table, made on first use: a process has one table.
  static const Engine& of(const pp_mujoco& table) {
    static PerProcess<const Engine> engine;
    return engine.get(table);
  }

  RawModel* (*copy_model)(RawModel* into, const RawModel* from);
  void (*delete_model)(RawModel*);
  RawData* (*make_data)(const RawModel*);
  void (*delete_data)(RawData*);
  void (*reset_data)(const RawModel*, RawData*);
  void (*step)(const RawModel*, RawData*);
  void (*step1)(const RawModel*, RawData*);
  void (*step2)(const RawModel*, RawData*);
  void (*forward)(const RawModel*, RawData*);
  void (*rne_post_constraint)(const RawModel*, RawData*);
  int (*name2id)(const RawModel*, int object, const char* name);
  int (*state_size)(const RawModel*, int signature);
  void (*get_state)(const RawModel*, const RawData*, double* state, int signature);
  void (*set_state)(const RawModel*, RawData*, const double* state, int signature);
  void (*error)(const char* format, ...);
  void (*write_log)(const char* type, const char* message);

  const char* version() const { return table_.version; }

  // function<void(const RawModel*, RawData*)>("mj_kinematics"): the type is the caller's promise.
  template <class Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(require(name, "function").value);
  }
  // The address of a global variable.
  void* variable(const char* name) const {
    return reinterpret_cast<void*>(require(name, "variable").value);
  }
  int64_t constant(const char* name) const {
    return static_cast<int64_t>(require(name, "constant").value);
  }
  size_t size_of(const char* type) const { return require(type, "size").value; }

  // A member such as "mjData.qpos"; throws if there is none.
  const pp_mujoco_symbol& member(const char* name) const {
    const pp_mujoco_symbol* symbol = find(name);
    if (symbol == nullptr) missing(name);
    return *symbol;
  }
  // The offset of a member that holds a T, or a pointer to T: checked against its C type.
  template <class T>
  size_t offset(const char* name) const {
    const pp_mujoco_symbol& symbol = member(name);
    if (!holds<T>(symbol.type)) {
      throw std::logic_error("MuJoCo " + std::string(version()) + ": " + name + " is of type '" +
                             symbol.type + "', and is read as another");
    }
    return symbol.value;
  }
  // offset<double*>("mjData.qpos") as a reference into the struct at `base`.
  template <class T>
  T& at(void* base, const char* name) const {
    return *reinterpret_cast<T*>(static_cast<char*>(base) + offset<T>(name));
  }
  template <class T>
  const T& at(const void* base, const char* name) const {
    return *reinterpret_cast<const T*>(static_cast<const char*>(base) + offset<T>(name));
  }

  const pp_mujoco_symbol* begin() const { return table_.symbol; }
  const pp_mujoco_symbol* end() const { return table_.symbol + table_.n_symbol; }

  // NULL if this MuJoCo has nothing of that name.
  const pp_mujoco_symbol* find(const char* name) const {
    const auto* found = std::lower_bound(begin(), end(), name,
                                         [](const pp_mujoco_symbol& symbol, const char* wanted) {
                                           return std::strcmp(symbol.name, wanted) < 0;
                                         });
    return found != end() && std::strcmp(found->name, name) == 0 ? found : nullptr;
  }

 private:
  template <class Function>
  void bind(Function*& pointer, const char* name) {
    pointer = function<Function>(name);
  }

  const pp_mujoco_symbol& require(const char* name, const char* type) const {
    const pp_mujoco_symbol* symbol = find(name);
    if (symbol == nullptr || std::strcmp(symbol->type, type) != 0) missing(name);
    return *symbol;
  }

  [[noreturn]] void missing(const char* name) const {
    throw std::runtime_error("MuJoCo " + std::string(version()) + " has no " + name +
                             "; install a version of mujoco that this plugin was tested with");
  }

  template <class T>
  static bool holds(std::string_view type) {
    if constexpr (std::is_pointer_v<T>) {
      constexpr std::string_view star = " *";
      if (type.size() < star.size() || type.substr(type.size() - star.size()) != star) return false;
      return holds<std::remove_cv_t<std::remove_pointer_t<T>>>(
          type.substr(0, type.size() - star.size()));
    } else {
      // An array within the struct is read through its first element.
      return detail::is_declared<T>(type.substr(0, type.find(" [")));
    }
  }

  const pp_mujoco& table_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_ENGINE_HPP_
