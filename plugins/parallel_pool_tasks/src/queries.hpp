// A program asks MuJoCo for this beside mjData's arrays: contacts, rays, velocities of things.
#ifndef PARALLEL_POOL_TASKS_QUERIES_HPP_
#define PARALLEL_POOL_TASKS_QUERIES_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool_mujoco/sdk.hpp"
#include "program.hpp"

namespace tasks {

class Queries {
 public:
  // `sim` must outlive this. Throws std::invalid_argument that names the author's line.
  Queries(const Program& program, pp::mujoco::Simulation& sim) : sim_(sim) {
    for (const auto* part : {&program.reset, &program.step}) {
      for (const Instruction& each : *part) {
        try {
          bind(program, each);
        } catch (const std::invalid_argument& error) {
          throw std::invalid_argument(program.where(each) + ": " + error.what());
        }
      }
    }
  }

  // Counts the contacts between geoms of two sets that push, or adds up their normal forces, in N.
  double contacts(const Instruction& i) const {
    int64_t count = 0;
    each_contact(i, [&](int) { ++count; });
    return static_cast<double>(count);
  }
  double contact_force(const Instruction& i) const {
    double sum = 0.0;
    each_contact(i, [&](int contact) {
      double force[6] = {};
      contact_force_(sim_.model.raw, sim_.raw, contact, force);
      sum += force[0];
    });
    return sum;
  }

  // Writes the distances, then the numbers of the geoms.
  void ray(const Instruction& i, double* r) {
    uint8_t groups[6];
    for (int k = 0; k < 6; ++k) groups[k] = i.turned >> k & 1;
    const bool fixed = (i.turned >> 6 & 1) != 0;
    double* const to = r + i.to;
    sim_.run([&] {
      for (size_t k = 0; k < i.count; ++k) {
        int geom = -1;
        const double* const from = r + i.from[0] + 3 * k * i.stride[0];
        const double* const along = r + i.from[1] + 3 * k * i.stride[1];
        to[k] = ray_(sim_.model.raw, sim_.raw, from, along, groups, fixed,
                     static_cast<int>(i.number) - 1, &geom, nullptr);
        to[i.count + k] = geom;
      }
    });
  }
  void velocity(const Instruction& i, double* to) {
    const auto kind = static_cast<int>(sim_.model.engine.constant(object_kinds[i.place].constant));
    sim_.run([&] {
      velocity_(sim_.model.raw, sim_.raw, kind, static_cast<int>(i.first), to,
                static_cast<int>(i.turned));
    });
  }

 private:
  void bind(const Program& program, const Instruction& i) {
    const pp::mujoco::Engine& engine = sim_.model.engine;
    if (i.op == Op::n_contacts || i.op == Op::contact_force) {
      ncon_ = engine.offset<int32_t>("mjData.ncon");
      contacts_ = engine.member("mjData.contact").value;
      size_ = engine.size_of("mjContact");
      geom_ = engine.offset<int32_t>("mjContact.geom");
      row_ = engine.offset<int32_t>("mjContact.efc_address");
      contact_force_ = engine.function<ContactForce>("mj_contactForce");
      if (sets_.empty()) take(program);
    } else if (i.op == Op::ray) {
      ray_ = engine.function<Ray>("mj_ray");
    } else if (i.op == Op::object_velocity) {
      velocity_ = engine.function<Velocity>("mj_objectVelocity");
      const auto& kind = object_kinds[i.place];
      if (int64_t{i.first} >= sim_.model.at<int64_t>(kind.count)) {
        throw std::invalid_argument(sim_.model.source + " has no " + std::string(kind.name) + " " +
                                    std::to_string(i.first));
      }
    }
  }
  void take(const Program& program) {
    const auto geoms = static_cast<size_t>(sim_.model.at<int64_t>("mjModel.ngeom"));
    for (const std::vector<uint32_t>& set : program.geoms) {
      std::vector<uint8_t> has(geoms, set.empty() ? 1 : 0);  // empty: all
      for (const uint32_t geom : set) {
        if (geom >= geoms) {
          throw std::invalid_argument(sim_.model.source + " has no geom " + std::to_string(geom));
        }
        has[geom] = 1;
      }
      sets_.push_back(std::move(has));
    }
  }

  template <class Visit>
  void each_contact(const Instruction& i, Visit&& visit) const {
    const char* const data = reinterpret_cast<const char*>(sim_.raw);
    const int32_t count = *reinterpret_cast<const int32_t*>(data + ncon_);
    const char* contact = *reinterpret_cast<const char* const*>(data + contacts_);
    const std::vector<uint8_t>& a = sets_[i.place];
    const std::vector<uint8_t>& b = sets_[i.first];
    for (int32_t k = 0; k < count; ++k, contact += size_) {
      const int32_t* const geom = reinterpret_cast<const int32_t*>(contact + geom_);
      // One of a flex has no geom; one in the gap has no row of the constraints.
      if (*reinterpret_cast<const int32_t*>(contact + row_) < 0 || geom[0] < 0 || geom[1] < 0) {
        continue;
      }
      const auto one = static_cast<size_t>(geom[0]), two = static_cast<size_t>(geom[1]);
      if ((a[one] != 0 && b[two] != 0) || (a[two] != 0 && b[one] != 0)) visit(k);
    }
  }

  using Model = pp::mujoco::RawModel;
  using Data = pp::mujoco::RawData;
  using ContactForce = void(const Model*, const Data*, int, double*);
  using Ray = double(const Model*, const Data*, const double*, const double*, const uint8_t*, bool,
                     int, int*, double*);
  using Velocity = void(const Model*, const Data*, int, int, double*, int);

  pp::mujoco::Simulation& sim_;
  size_t ncon_ = 0, contacts_ = 0, size_ = 0, geom_ = 0, row_ = 0;  // offsets; bytes of a contact
  std::vector<std::vector<uint8_t>> sets_;                          // 1 for each geom that is in it
  ContactForce* contact_force_ = nullptr;
  Ray* ray_ = nullptr;
  Velocity* velocity_ = nullptr;
};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_QUERIES_HPP_
