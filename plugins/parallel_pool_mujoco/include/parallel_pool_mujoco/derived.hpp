// parallel_pool_mujoco/derived.hpp: what follows from numbers of a model, changed with them as
// MuJoCo's compiler would have it.
//
// mj_setConst computes most of it. The rest is here: spheres and boxes around geoms, margins of
// bodies, which frames agree (before MuJoCo 3.17), lengths of springs of tendons. The option
// `model_overrides` and what episodes change (Simulation::edit_with_derived) both come here, so
// that the same numbers lead to the same model.
#ifndef PARALLEL_POOL_MUJOCO_DERIVED_HPP_
#define PARALLEL_POOL_MUJOCO_DERIVED_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool_mujoco/bounds.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/extents.hpp"
#include "parallel_pool_mujoco/trap.hpp"

namespace pp::mujoco {

// Names of members, as in C without "mjModel.".
using Members = std::set<std::string>;

// True if a text such as derived_members has that name in it.
inline bool lists(std::string_view names, std::string_view member) {
  for (size_t at = names.find(member); at < names.size(); at = names.find(member, at + 1)) {
    const size_t end = at + member.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' '))
      return true;
  }
  return false;
}

// The members that are computed from others, so that a number written there would not stay.
inline constexpr const char* derived_members =
    "body_subtreemass body_invweight0 body_margin body_sameframe body_simple dof_M0 dof_invweight0 "
    "dof_length dof_simplenum tendon_length0 tendon_invweight0 actuator_acc0 actuator_length0 "
    "geom_rbound geom_aabb geom_sameframe site_sameframe bvh_aabb cam_pos0 cam_poscom0 cam_mat0 "
    "light_pos0 light_poscom0 light_dir0 stat.meaninertia stat.meanmass ngravcomp flg_gravcomp";

// Derives for models that differ from `compiled` in some numbers.
class Derivation {
 public:
  // `compiled` must outlive this.
  Derivation(const Engine& engine, const RawModel* compiled)
      : engine_(engine), compiled_(compiled) {
    const std::unique_ptr<RawModel, void (*)(RawModel*)> plain(
        call(engine, [&] { return engine.copy_model(nullptr, compiled); }), engine.delete_model);
    const std::unique_ptr<RawData, void (*)(RawData*)> data(
        call(engine, [&] { return engine.make_data(plain.get()); }), engine.delete_data);
    trapped(engine, [&] { set_const(plain.get(), data.get()); });
    for (const char* name : statistics) {
      const std::string member = std::string("mjModel.stat.") + name;
      authors_.push_back(
          std::memcmp(number(compiled, member), number(plain.get(), member), bytes(member)) != 0);
    }
    const auto* lengths = arrays(compiled).get<const double>("tendon_lengthspring");
    const std::vector<double> rest = rest_lengths(compiled, data.get());
    for (size_t i = 0; i < rest.size(); ++i) {
      unset_.push_back(lengths[2 * i] == rest[i] && lengths[2 * i + 1] == rest[i]);
    }
  }

  // True if another member follows from that one.
  static bool follows_from(const std::string& member) {
    return lists(after_constants, member) || lists(margins, member);
  }

  // Brings `model` up to date, of which the members `changed` are not as they were compiled, and
  // all others are. The model owns the arrays that are written. `data` is any mjData of the model;
  // this leaves it as mj_resetData does. Throws std::invalid_argument for numbers that MuJoCo
  // cannot simulate.
  void update(RawModel* model, RawData* data, const Members& changed) const {
    keep_simple(model, changed);
    if (any(changed, frames)) {
      // 0 means "compute the frame"; from MuJoCo 3.17 on, mj_setConst finds out which agree.
      for (const char* kind : {"body", "geom", "site"}) {
        const std::string member = std::string(kind) + "_sameframe";
        auto* const same = arrays(model).get<uint8_t>(member);
        std::fill(same + (member[0] == 'b' ? 1 : 0), same + arrays(model).count(member),
                  uint8_t{0});
      }
    }
    const Bounds bounds(engine_, model);
    if (changed.count("geom_size") > 0) {
      bounds.set_bounds(arrays(compiled_).get<const double>("geom_size"));
    }
    if (any(changed, boxes)) bounds.set_boxes();
    if (any(changed, margins)) set_margins(model);
    if (any(changed, after_constants)) {
      set_constants(model, data, changed);
      if (changed.count("tendon_lengthspring") == 0) set_spring_lengths(model, data);
      trapped(engine_, [&] { engine_.reset_data(model, data); });
    }
  }

 private:
  // mj_setConst derives others from these.
  static constexpr std::string_view after_constants =
      "body_mass body_inertia body_pos body_ipos body_gravcomp body_quat body_iquat jnt_pos "
      "jnt_axis geom_pos geom_quat geom_size site_pos site_quat cam_pos cam_quat light_pos "
      "light_dir actuator_gear actuator_cranklength qpos0 qpos_spring dof_armature "
      "tendon_stiffness tendon_damping tendon_armature";
  static constexpr std::string_view frames =
      "body_ipos body_iquat geom_pos geom_quat site_pos site_quat";
  static constexpr std::string_view margins = "geom_margin geom_gap";
  static constexpr std::string_view boxes = "geom_size geom_pos geom_quat body_ipos body_iquat";
  static constexpr const char* statistics[] = {"meaninertia", "meanmass", "meansize", "extent",
                                               "center"};

  static bool any(const Members& changed, std::string_view names) {
    return std::any_of(changed.begin(), changed.end(),
                       [&](const std::string& each) { return lists(names, each); });
  }

  template <class Work>
  static auto call(const Engine& engine, Work&& work) -> decltype(work()) {
    decltype(work()) result = nullptr;
    trapped(engine, [&] { result = work(); });
    if (result == nullptr) throw std::runtime_error("MuJoCo is out of memory");
    return result;
  }
  void set_const(RawModel* model, RawData* data) const {
    engine_.function<void(RawModel*, RawData*)>("mj_setConst")(model, data);
  }

  ModelArrays arrays(const RawModel* model) const { return {engine_, model}; }
  // The place of a number in the struct itself; bytes() is its size.
  char* number(const RawModel* model, const std::string& member) const {
    return reinterpret_cast<char*>(const_cast<RawModel*>(model)) +
           engine_.offset<double>(member.c_str());
  }
  size_t bytes(const std::string& member) const {
    return (member == "mjModel.stat.center" ? 3 : 1) * sizeof(double);
  }
  int32_t constant(const char* name) const { return static_cast<int32_t>(engine_.constant(name)); }

  // The inertia of a simple body is stored as a diagonal, where its frames agree.
  void keep_simple(const RawModel* model, const Members& changed) const {
    const auto* const simple = arrays(model).get<const uint8_t>("body_simple");
    for (const char* member : {"body_ipos", "body_iquat", "jnt_pos", "jnt_axis"}) {
      if (changed.count(member) == 0) continue;
      const bool of_joint = member[0] == 'j';
      const auto* const bodies =
          of_joint ? arrays(model).get<const int32_t>("jnt_bodyid") : nullptr;
      const auto* const now = arrays(model).get<const double>(member);
      const auto* const before = arrays(compiled_).get<const double>(member);
      const size_t rows = arrays(model).count(of_joint ? "jnt_bodyid" : "body_simple");
      const size_t width = rows > 0 ? arrays(model).count(member) / rows : 0;
      for (size_t row = 0; row < rows; ++row) {
        const size_t body = of_joint ? static_cast<size_t>(bodies[row]) : row;
        const size_t first = row * width;
        if (simple[body] > 0 && !std::equal(now + first, now + first + width, before + first)) {
          throw std::invalid_argument(
              std::string(member) + " moves frames of body " + std::to_string(body) +
              ", which MuJoCo has compiled as simple: its inertia is stored for frames that agree. "
              "Change it in the XML");
        }
      }
    }
  }

  // A body's margin is the greatest of its geoms'. Older versions of MuJoCo have no such member.
  void set_margins(RawModel* model) const {
    if (engine_.find("mjModel.body_margin") == nullptr) return;
    auto* const margin = arrays(model).get<double>("body_margin");
    std::fill(margin, margin + arrays(model).count("body_margin"), 0.0);
    const auto* const bodies = arrays(model).get<const int32_t>("geom_bodyid");
    for (size_t geom = 0; geom < arrays(model).count("geom_bodyid"); ++geom) {
      double& most = margin[bodies[geom]];
      most = std::max(most, arrays(model).get<const double>("geom_margin")[geom] +
                                arrays(model).get<const double>("geom_gap")[geom]);
    }
  }

  // Calls mj_setConst, and keeps the statistics that the XML's author or the caller has set.
  void set_constants(RawModel* model, RawData* data, const Members& changed) const {
    std::vector<std::vector<char>> kept;
    for (const char* name : statistics) {
      const std::string member = std::string("mjModel.stat.") + name;
      const char* const now = number(model, member);
      kept.emplace_back(now, now + bytes(member));
    }
    try {
      trapped(engine_, [&] {
        engine_.reset_data(model, data);
        set_const(model, data);
      });
    } catch (const Error& error) {
      throw std::invalid_argument(std::string("MuJoCo cannot use the model: ") + error.what());
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      const std::string name = std::string("stat.") + statistics[i];
      if (!authors_[i] && changed.count(name) == 0) continue;
      std::memcpy(number(model, "mjModel." + name), kept[i].data(), kept[i].size());
    }
    std::string bad;
    for (const char* member :
         {"dof_M0", "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0"}) {
      const auto* const numbers = arrays(model).get<const double>(member);
      const bool finite = std::all_of(numbers, numbers + arrays(model).count(member),
                                      [](double each) { return std::isfinite(each); });
      if (!finite && bad.empty()) bad = std::string(" (") + member + " is not finite)";
    }
    if (bad.empty() && !warned(data)) return;
    std::string names;
    for (const std::string& each : changed) {
      if (lists(after_constants, each)) names += (names.empty() ? "" : ", ") + each;
    }
    throw std::invalid_argument("with this " + names +
                                ", the inertia of the model is no matrix that MuJoCo can invert" +
                                bad);
  }
  bool warned(const RawData* data) const {
    const char* const first =
        reinterpret_cast<const char*>(data) + engine_.member("mjData.warning").value;
    for (int32_t i = 0; i < constant("mjNWARNING"); ++i) {
      const void* const warning = first + static_cast<size_t>(i) * engine_.size_of("mjWarningStat");
      if (engine_.at<int32_t>(warning, "mjWarningStat.number") > 0) return true;
    }
    return false;
  }

  // The lengths of tendons while all springs of joints rest. MuJoCo takes them for the lengths of
  // the tendons' springs where the XML sets none.
  std::vector<double> rest_lengths(const RawModel* model, RawData* data) const {
    const size_t tendons = arrays(model).count("tendon_length0");
    if (tendons == 0) return {};
    const auto* const spring = arrays(model).get<const double>("qpos_spring");
    auto* const qpos = engine_.at<double*>(static_cast<void*>(data), "mjData.qpos");
    using Stage = void(const RawModel*, RawData*);
    Stage* const kinematics = engine_.function<Stage>("mj_kinematics");
    Stage* const com_pos = engine_.function<Stage>("mj_comPos");
    Stage* const tendon = engine_.function<Stage>("mj_tendon");
    trapped(engine_, [&] { engine_.reset_data(model, data); });
    std::copy(spring, spring + arrays(model).count("qpos_spring"), qpos);
    trapped(engine_, [&] {
      kinematics(model, data);
      com_pos(model, data);
      tendon(model, data);
    });
    const auto* const found =
        engine_.at<const double*>(static_cast<const void*>(data), "mjData.ten_length");
    return {found, found + tendons};
  }
  void set_spring_lengths(RawModel* model, RawData* data) const {
    const std::vector<double> rest = rest_lengths(model, data);
    auto* const lengths = arrays(model).get<double>("tendon_lengthspring");
    for (size_t i = 0; i < rest.size(); ++i) {
      if (unset_[i]) lengths[2 * i] = lengths[2 * i + 1] = rest[i];
    }
  }

  const Engine& engine_;
  const RawModel* const compiled_;
  std::vector<bool> authors_;  // true where the XML sets that one of `statistics`
  std::vector<bool> unset_;    // true where the XML sets no length of that tendon's spring
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_DERIVED_HPP_
