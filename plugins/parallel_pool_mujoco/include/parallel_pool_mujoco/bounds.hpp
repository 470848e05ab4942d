// parallel_pool_mujoco/bounds.hpp: the spheres and boxes around geoms that MuJoCo looks for
// collisions with, as its compiler makes them.
#ifndef PARALLEL_POOL_MUJOCO_BOUNDS_HPP_
#define PARALLEL_POOL_MUJOCO_BOUNDS_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/extents.hpp"

namespace pp::mujoco {

// Writes the spheres and boxes into the arrays of one model.
class Bounds {
 public:
  Bounds(const Engine& engine, RawModel* model) : engine_(engine), model_(engine, model) {}

  // Sets the box and the sphere of each geom whose size differs from the compiled one.
  void set_bounds(const double* compiled_sizes) const {
    const auto* const kinds = model_.get<const int32_t>("geom_type");
    for (size_t geom = 0; geom < model_.count("geom_type"); ++geom) {
      const auto* const size = model_.get<const double>("geom_size") + 3 * geom;
      if (std::equal(size, size + 3, compiled_sizes + 3 * geom)) continue;
      const double a = size[0], b = size[1], c = size[2];
      const int32_t kind = kinds[geom];
      double radius = 0;
      double half[3] = {a, b, c};
      if (kind == constant("mjGEOM_PLANE")) continue;
      if (kind == constant("mjGEOM_SPHERE")) {
        radius = half[1] = half[2] = a;
      } else if (kind == constant("mjGEOM_CAPSULE")) {
        radius = half[2] = a + b;
        half[1] = a;
      } else if (kind == constant("mjGEOM_CYLINDER")) {
        radius = std::hypot(a, b);
        half[1] = a;
        half[2] = b;
      } else if (kind == constant("mjGEOM_ELLIPSOID")) {
        radius = std::max({a, b, c});
      } else if (kind == constant("mjGEOM_BOX")) {
        radius = std::sqrt(a * a + b * b + c * c);
      } else {
        throw std::invalid_argument("geom_size of geom " + std::to_string(geom) +
                                    " follows from its mesh or height field. Change it in the XML");
      }
      model_.get<double>("geom_rbound")[geom] = radius;
      double* const box = model_.get<double>("geom_aabb") + 6 * geom;
      std::fill(box, box + 3, 0.0);
      std::copy(half, half + 3, box + 3);
    }
  }

  // Sets the tree of boxes around the geoms of each body, in the body's inertial frame.
  void set_boxes() const {
    const auto* const first = model_.get<const int32_t>("body_bvhadr");
    const auto* const nodes = model_.get<const int32_t>("body_bvhnum");
    for (size_t body = 0; body < model_.count("body_bvhnum"); ++body) {
      // Backwards, because children come after their parents.
      for (int32_t i = nodes[body]; i-- > 0;) {
        set_box(body, static_cast<size_t>(first[body] + i), first[body]);
      }
    }
  }

 private:
  void set_box(size_t body, size_t node, int32_t tree) const {
    double* const all = model_.get<double>("bvh_aabb");
    double* const centre = all + 6 * node;
    double* const half = centre + 3;
    const auto* const child = model_.get<const int32_t>("bvh_child") + 2 * node;
    if (child[0] >= 0 || child[1] >= 0) {
      double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
      double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
      for (int c = 0; c < 2; ++c) {
        if (child[c] < 0) continue;
        const double* const box = all + 6 * static_cast<size_t>(tree + child[c]);
        for (size_t axis = 0; axis < 3; ++axis) {
          low[axis] = std::min(low[axis], box[axis] - box[3 + axis]);
          high[axis] = std::max(high[axis], box[axis] + box[3 + axis]);
        }
      }
      for (size_t axis = 0; axis < 3; ++axis) {
        centre[axis] = (high[axis] + low[axis]) / 2;
        half[axis] = (high[axis] - low[axis]) / 2;
      }
      return;
    }
    const auto geom = static_cast<size_t>(model_.get<const int32_t>("bvh_nodeid")[node]);
    const auto* const box = model_.get<const double>("geom_aabb") + 6 * geom;
    double inertial[9], rotation[9], place[3], moved[3];
    matrix(model_.get<const double>("body_iquat") + 4 * body, inertial);
    matrix(model_.get<const double>("geom_quat") + 4 * geom, rotation);
    const auto* const at = model_.get<const double>("geom_pos") + 3 * geom;
    const auto* const origin = model_.get<const double>("body_ipos") + 3 * body;
    for (size_t i = 0; i < 3; ++i) {
      moved[i] =
          rotation[3 * i] * box[0] + rotation[3 * i + 1] * box[1] + rotation[3 * i + 2] * box[2];
      place[i] = at[i] + moved[i] - origin[i];
    }
    for (size_t i = 0; i < 3; ++i) {  // by the transposed matrix of the inertial frame
      centre[i] = half[i] = 0;
      for (size_t k = 0; k < 3; ++k) {
        double both = 0;
        for (size_t j = 0; j < 3; ++j) both += inertial[3 * j + i] * rotation[3 * j + k];
        half[i] += std::abs(both) * box[3 + k];
        centre[i] += inertial[3 * k + i] * place[k];
      }
      half[i] = std::max(half[i], 1e-14);
    }
  }
  void matrix(const double* quaternion, double* result) const {
    engine_.function<void(double*, const double*)>("mju_quat2Mat")(result, quaternion);
  }
  int32_t constant(const char* name) const { return static_cast<int32_t>(engine_.constant(name)); }

  const Engine& engine_;
  const ModelArrays model_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_BOUNDS_HPP_
