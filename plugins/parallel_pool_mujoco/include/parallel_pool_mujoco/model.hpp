// parallel_pool_mujoco/model.hpp: a compiled model, const and shared by all environments that
// were handed the same one.
//
// Python compiles models and hands over a ticket (binding.h). The first environment that asks for
// it copies the model, the others share the copy, and it goes with the last of them. Names are
// mjModel's. Members without a name here are found with `at<const int32_t*>("mjModel.jnt_type")`.
#ifndef PARALLEL_POOL_MUJOCO_MODEL_HPP_
#define PARALLEL_POOL_MUJOCO_MODEL_HPP_

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "parallel_pool/per_process.hpp"
#include "parallel_pool/sdk/option_set.hpp"
#include "parallel_pool_mujoco/array_layout.hpp"
#include "parallel_pool_mujoco/binding.h"
#include "parallel_pool_mujoco/derived.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/extents.hpp"
#include "parallel_pool_mujoco/trap.hpp"

namespace pp::mujoco {

// An environment that uses MuJoCo has this among its options (sdk/option_set.hpp). The option is
// local, since a state may move to a process where the same model is elsewhere.
struct ModelOptions {
  int64_t model;
  static constexpr auto declared = pp::options(
      option(&ModelOptions::model, "model", 0, "internal: address of the compiled model").local());
};

// A compiled model that Python has made and keeps; environments with the same options share it.
class Model {
 public:
  // The model of an option that parallel_pool_mujoco.sdk.hand_over has set. Throws
  // std::invalid_argument if there is none.
  static std::shared_ptr<const Model> share(const ModelOptions& options) {
    return share(options.model, "model");
  }
  // `value` is that of the option `name`.
  static std::shared_ptr<const Model> share(int64_t value, const char* name) {
    const pp_mujoco_model& handle = handle_of(value, name);
    struct Known {
      std::mutex mutex;
      std::map<uint64_t, std::weak_ptr<const Model>> models;
    };
    static PerProcess<Known> here;
    auto& [mutex, shared] = here.get();
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto found = shared.find(handle.ticket); found != shared.end()) {
      if (auto model = found->second.lock()) return model;
    }
    for (auto each = shared.begin(); each != shared.end();) {
      each = each->second.expired() ? shared.erase(each) : std::next(each);
    }
    auto model = std::make_shared<const Model>(handle);
    shared[handle.ticket] = model;
    return model;
  }

  // For an environment that changes its model (Simulation::edit): an mjModel of its own, which
  // shares all arrays but those that are edited. A whole copy would take megabytes, for there are
  // textures in it.
  static std::shared_ptr<const Model> own(const ModelOptions& options) {
    return std::make_shared<const Model>(share(options));
  }

  explicit Model(const pp_mujoco_model& handle)
      : Model(Engine::of(*handle.mujoco), handle.fingerprint, handle.source, copy(handle)) {}
  explicit Model(const std::shared_ptr<const Model>& origin)
      : Model(origin->engine, origin->fingerprint, origin->source, copy_struct(*origin), origin) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // A member of mjModel, by its name in C: at<int64_t>("mjModel.ngeom"), at<const double*>(...).
  template <class T>
  const T& at(const char* name) const {
    return engine.at<T>(static_cast<const void*>(raw), name);
  }

  // An array of mjModel as it was compiled, also where the environment has edited its own:
  // compiled<double>("mjModel.geom_friction").
  template <class T>
  const T* compiled(const char* name) const {
    return engine.at<T*>(static_cast<const void*>(compiled_raw()), name);
  }
  // The count of numbers in a member. 0: MuJoCo does not say.
  size_t count(const char* name) const {
    return Extents::of(engine, raw, engine.member(name)).count();
  }

  // The number of the body, or of the site, of that name. Throws std::invalid_argument.
  int64_t body(const std::string& name) const { return id("mjOBJ_BODY", "body", name); }
  int64_t site(const std::string& name) const { return id("mjOBJ_SITE", "site", name); }
  // The number of any named thing: id("mjOBJ_GEOM", "geom", "floor"). `what` is for messages.
  int64_t id(const char* object, const char* what, const std::string& name) const {
    const auto kind = static_cast<int>(engine.constant(object));
    const int found = engine.name2id(raw, kind, name.c_str());
    if (found < 0) {
      throw std::invalid_argument(source + " has no " + what + " '" + name + "'");
    }
    return found;
  }

  // All mjData of this model have that layout. The first call finds it out. Any thread.
  const ArrayLayout& array_layout(const RawData* data) const {
    if (origin_) return origin_->array_layout(data);
    std::call_once(layout_once_,
                   [&] { layout_ = std::make_unique<const ArrayLayout>(engine, raw, data); });
    return *layout_;
  }

  // All models that environments edit and that were compiled as this one share it. Any thread.
  const Derivation& derivation() const {
    if (origin_) return origin_->derivation();
    std::call_once(derivation_once_,
                   [&] { derivation_ = std::make_unique<const Derivation>(engine, raw); });
    return *derivation_;
  }
  // True if it belongs to one environment, which may edit it.
  bool is_own() const { return origin_ != nullptr; }
  // The mjModel that its numbers came from: itself, if it is shared.
  const RawModel* compiled_raw() const { return origin_ ? origin_->raw : raw; }

  const Engine& engine;
  const uint64_t fingerprint;  // a hash of the contents
  const std::string source;    // the file it came from
  RawModel* const raw;         // const after construction, as MuJoCo's signatures are
  // The address of the mjModel that renderers copy, once for all environments: the origin's, if
  // there is one, else raw.
  const int64_t address;

  const int64_t nq, nv, nu, na, nbody, nsite, ntendon;
  const double timestep;
  const double* const qpos0;               // [nq]
  const double* const body_mass;           // [nbody]
  const double* const actuator_ctrlrange;  // [nu][2]

 private:
  Model(const Engine& with, uint64_t hash, const std::string& from, std::shared_ptr<RawModel> owned,
        const std::shared_ptr<const Model>& origin = nullptr)
      : engine(with),
        fingerprint(hash),
        source(from),
        raw(owned.get()),
        address(origin ? origin->address : reinterpret_cast<int64_t>(raw)),
        nq(at<int64_t>("mjModel.nq")),
        nv(at<int64_t>("mjModel.nv")),
        nu(at<int64_t>("mjModel.nu")),
        na(at<int64_t>("mjModel.na")),
        nbody(at<int64_t>("mjModel.nbody")),
        nsite(at<int64_t>("mjModel.nsite")),
        ntendon(at<int64_t>("mjModel.ntendon")),
        timestep(at<double>("mjModel.opt.timestep")),
        qpos0(at<const double*>("mjModel.qpos0")),
        body_mass(at<const double*>("mjModel.body_mass")),
        actuator_ctrlrange(at<const double*>("mjModel.actuator_ctrlrange")),
        owned_(std::move(owned)),
        origin_(origin) {}

  static const pp_mujoco_model& handle_of(int64_t value, const char* name) {
    const auto* handle = reinterpret_cast<const pp_mujoco_model*>(value);
    if (handle == nullptr) {
      throw std::invalid_argument("the option '" + std::string(name) +
                                  "' holds no model: the plugin's Python side sets it");
    }
    if (handle->magic != PP_MUJOCO_MAGIC || handle->struct_size < sizeof(pp_mujoco_model)) {
      throw std::invalid_argument("the option '" + std::string(name) +
                                  "' holds a model of another version of parallel-pool");
    }
    return *handle;
  }

  static std::shared_ptr<RawModel> copy(const pp_mujoco_model& handle) {
    if (handle.model == nullptr) {
      throw std::invalid_argument("the model of " + std::string(handle.source) +
                                  " was handed over too long ago: make the pool again");
    }
    const Engine& engine = Engine::of(*handle.mujoco);
    RawModel* model = nullptr;
    trapped(engine, [&] {
      model = engine.copy_model(nullptr, static_cast<const RawModel*>(handle.model));
    });
    if (model == nullptr) throw std::runtime_error("MuJoCo cannot copy the model");
    return {model, engine.delete_model};
  }
  static std::shared_ptr<RawModel> copy_struct(const Model& origin) {
    const size_t size = origin.engine.size_of("mjModel");
    auto* const bytes = new char[size];
    std::memcpy(bytes, origin.raw, size);
    return {reinterpret_cast<RawModel*>(bytes),
            [](RawModel* model) { delete[] reinterpret_cast<char*>(model); }};
  }

  const std::shared_ptr<RawModel> owned_;
  const std::shared_ptr<const Model> origin_;  // owns the arrays of a struct copy
  mutable std::once_flag layout_once_;
  mutable std::unique_ptr<const ArrayLayout> layout_;
  mutable std::once_flag derivation_once_;
  mutable std::unique_ptr<const Derivation> derivation_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_MODEL_HPP_
