// Quadruped escape: climb out of a bowl with bumps that are new in each episode, on four legs. As
// dm_control's suite.quadruped has it.
#ifndef PARALLEL_POOL_DMC_QUADRUPED_ESCAPE_HPP_
#define PARALLEL_POOL_DMC_QUADRUPED_ESCAPE_HPP_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "environment.hpp"
#include "quadruped.hpp"
#include "sensors.hpp"
#include "spline_zoom.hpp"
#include "tolerance.hpp"

namespace suite {

class QuadrupedEscape {
 public:
  static constexpr const char* id = "dmc/quadruped_escape-v1";
  static constexpr const char* summary = "Climb out of a bowl, on four legs";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model& model) {
    Entries entries = QuadrupedBody::observed(model);
    entries.push_back({"origin", {3}});
    entries.push_back({"rangefinder", {rangefinders(model).size()}});
    return entries;
  }
  static bool edits_model(const Options&) { return true; }

  QuadrupedEscape(const Options&, Physics& physics)
      : physics_(physics),
        body_(physics),
        rangefinders_(rangefinders(physics.model)),
        workspace_(physics.site_xpos("workspace")),
        size_(physics.constant<double>("mjModel.hfield_size")[0]),
        rows_(physics.constant<int32_t>("mjModel.hfield_nrow")[0]),
        n_bumps_(static_cast<int64_t>(2 * size_ / bump_scale)),
        zoom_(n_bumps_, rows_),
        bumps_(static_cast<size_t>(n_bumps_ * n_bumps_)),
        terrain_(physics.edit<float>("mjModel.hfield_data", rows_ * rows_)) {}

  void initialize_episode(RandomState& random) {
    constexpr double smoothness = .15;
    random.fill_uniform(bumps_.data(), bumps_.size(), smoothness, 1);
    zoom_.filter(bumps_.data());
    for (int64_t row = 0; row < rows_; ++row) {
      for (int64_t column = 0; column < rows_; ++column) {
        const double height = bowl(row, column) * zoom_(bumps_.data(), row, column);
        terrain_[row * rows_ + column] = static_cast<float>(height);
      }
    }
    double orientation[4];
    QuadrupedBody::draw_orientation(random, physics_, orientation);
    body_.place(orientation);
  }

  void observe(ObservationWriter& out) const {
    body_.observe(out);
    double* const origin = out.next();
    NumpyMath::product(body_.torso_xpos, body_.torso_xmat, 3, 3, origin);
    for (size_t axis = 0; axis < 3; ++axis) origin[axis] = -origin[axis];
    rangefinders_.put(physics_.sensordata, out.next(),
                      [](const double* readings, double* seen, size_t size) {
                        NumpyMath::tanh(readings, seen, size);
                        for (size_t i = 0; i < size; ++i) {
                          if (readings[i] == -1.0) seen[i] = 1.0;  // the ray meets nothing
                        }
                      });
  }

  double reward() const {
    const double escaped =
        tolerance(physics_.length(workspace_, 3), {size_, infinity}, size_, Sigmoid::linear, 0);
    return body_.upright(NumpyMath::cos(20 * (pi / 180))) * escaped;
  }

 private:
  static constexpr double bump_scale = 2;  // m

  static Sensors rangefinders(const Model& model) {
    return Sensors::of(model, {"mjSENS_RANGEFINDER"});
  }

  // The height rises from 0 in the middle to 1 halfway to the edge, and falls again.
  double bowl(int64_t row, int64_t column) const {
    const double step = 2.0 / static_cast<double>(rows_ - 1);
    const double y = -1 + static_cast<double>(row) * step;
    const double x = -1 + static_cast<double>(column) * step;
    const double radius = clipped(std::sqrt(x * x + y * y), .04, 1);
    return .5 - NumpyMath::cos(2 * pi * radius) / 2;
  }

  Physics& physics_;
  QuadrupedBody body_;
  const Sensors rangefinders_;
  const double* const workspace_;
  const double size_;  // half of the terrain's, in m
  const int64_t rows_;
  const int64_t n_bumps_;  // along each side
  SplineZoom zoom_;
  std::vector<double> bumps_;
  float* const terrain_;  // in the model
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_QUADRUPED_ESCAPE_HPP_
