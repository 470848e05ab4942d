// The arrays of mjModel that a program writes, in a model of the environment's own: whether they
// are there, as large as the program takes them to be, and mean no places in memory.
#ifndef PARALLEL_POOL_TASKS_MEMBERS_HPP_
#define PARALLEL_POOL_TASKS_MEMBERS_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool_mujoco/sdk.hpp"
#include "program.hpp"

namespace tasks {

// Numbers of the physics and of looks. Not among them are what the option model_overrides refuses,
// whole numbers, the time step, and what decides how MuJoCo lays out its matrices.
inline constexpr const char* written_members =
    "body_mass body_inertia body_pos body_ipos body_quat body_iquat body_gravcomp "
    "jnt_pos jnt_axis jnt_stiffness jnt_margin jnt_range jnt_actfrcrange jnt_solref jnt_solimp "
    "dof_armature dof_damping dof_frictionloss dof_solref dof_solimp "
    "geom_pos geom_quat geom_size geom_friction geom_margin geom_gap geom_solmix geom_solref "
    "geom_solimp geom_rgba pair_friction pair_margin pair_gap pair_solref pair_solreffriction "
    "pair_solimp site_pos site_quat site_size site_rgba cam_pos cam_quat light_pos light_dir "
    "mat_rgba qpos0 qpos_spring tendon_stiffness tendon_damping tendon_frictionloss tendon_range "
    "tendon_margin tendon_lengthspring tendon_solref_lim tendon_solref_fri tendon_solimp_lim "
    "tendon_solimp_fri eq_solref eq_solimp actuator_gear actuator_cranklength actuator_dynprm "
    "actuator_gainprm actuator_biasprm actuator_ctrlrange actuator_forcerange actuator_actrange "
    "hfield_data opt.gravity opt.wind opt.magnetic opt.density opt.viscosity";

inline constexpr double most_of_model = 1e10;  // MuJoCo's mjMAXVAL

// One of the two is not null.
struct Member {
  double* numbers = nullptr;
  float* single = nullptr;
};

// True where the actuators' parameters are nothing but numbers; those of others decide where a
// state is.
inline bool is_plain(const pp::mujoco::Model& model, int64_t actuator) {
  const auto is = [&](const char* member, std::initializer_list<const char*> names) {
    bool found = false;
    for (const char* name : names) {
      found |= model.at<const int32_t*>(member)[actuator] == model.engine.constant(name);
    }
    return found;
  };
  return is("mjModel.actuator_dyntype", {"mjDYN_NONE", "mjDYN_INTEGRATOR", "mjDYN_FILTER",
                                         "mjDYN_FILTEREXACT", "mjDYN_MUSCLE"}) &&
         is("mjModel.actuator_gaintype", {"mjGAIN_FIXED", "mjGAIN_AFFINE", "mjGAIN_MUSCLE"}) &&
         is("mjModel.actuator_biastype", {"mjBIAS_NONE", "mjBIAS_AFFINE", "mjBIAS_MUSCLE"});
}

// The program's members. Throws std::invalid_argument that names the author's line.
inline std::vector<Member> bound_members(const Program& program, pp::mujoco::Simulation& sim) {
  const pp::mujoco::Model& model = sim.model;
  std::vector<Member> bound;
  for (const std::string& name : program.members) {
    const std::string member = "mjModel." + name;
    const pp_mujoco_symbol* const symbol = model.engine.find(member.c_str());
    const bool known = symbol != nullptr && pp::mujoco::lists(written_members, name);
    const size_t size = known ? model.count(member.c_str()) : 0;
    const bool parameters = name.find("prm") != std::string::npos;
    std::vector<pp::mujoco::ModelEdits::Range> written;
    for (const Instruction& each : program.reset) {
      if (each.op != Op::write_model || program.members[each.place] != name) continue;
      const size_t end = each.first + size_t{each.count};
      const auto fail = [&](const std::string& why) {
        throw std::invalid_argument(program.where(each) + ": " + member + " " + why);
      };
      if (!known) fail("is none of the arrays of numbers that a task writes");
      if (end > size) {
        fail("has " + std::to_string(size) + " numbers in " + model.source +
             ", and the program writes " + std::to_string(each.count) + " from number " +
             std::to_string(each.first) + " on");
      }
      const size_t width = parameters ? size / static_cast<size_t>(model.nu) : end;
      for (size_t row = each.first / width; parameters && row * width < end; ++row) {
        if (!is_plain(model, static_cast<int64_t>(row))) {
          fail("of actuator " + std::to_string(row) + " decides where its state is");
        }
      }
      written.push_back({each.first, each.count});
    }
    const auto edited = [&](auto number) {
      using T = decltype(number);
      return program.sets_constants ? sim.edit_with_derived<T>(member.c_str(), written)
                                    : sim.edit<T>(member.c_str(), size, written);
    };
    Member& place = bound.emplace_back();
    if (pp::mujoco::element_of(symbol->type) == "float") {
      place.single = edited(float{});
    } else {
      place.numbers = edited(double{});
    }
  }
  return bound;
}

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_MEMBERS_HPP_
