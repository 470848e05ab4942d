// A simulation as dm_control steps it, with the look-ups by name that tasks need.
//
// Written from the behaviour of dm_control's mujoco.Physics and control.Physics. After a step, all
// that follows from positions and velocities is computed for where the step has led, unless
// legacy_step is off: so a step finishes the one that mj_step1 has begun. Before and after an
// episode is set up, everything is computed with the actuators off.
//
// Names are looked up once, in constructors: pointers into mjData stay where they are.
#ifndef PARALLEL_POOL_DMC_PHYSICS_HPP_
#define PARALLEL_POOL_DMC_PHYSICS_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "numpy_math.hpp"
#include "options.hpp"
#include "sdk_names.hpp"
#include "tolerance.hpp"

namespace suite {

// Elements of a row of xmat, geom_xmat or site_xmat: the world's axis, then the frame's.
enum Axes : size_t { xx, xy, xz, yx, yy, yz, zx, zy, zz };

class Physics {
 public:
  using Columns = std::initializer_list<size_t>;

  // `own_model` is true if the task changes its model (edit()); else all environments share it.
  Physics(const SuiteOptions& options, bool own_model)
      : simulation(own_model ? Model::own(options) : Model::share(options)),
        model(simulation.model),
        n_sub_steps(count_sub_steps(options, model)),
        fused_norm(options.fused_norm),
        qpos(simulation.qpos),
        qvel(simulation.qvel),
        ctrl(simulation.ctrl),
        xpos(simulation.xpos),
        xmat(simulation.array<double>("mjData.xmat")),
        sensordata(simulation.array<double>("mjData.sensordata")),
        ncon(member<int32_t>("mjData.ncon")),
        time_(member<double>("mjData.time")),
        legacy_step_(options.legacy_step),
        passive_model_(copy_without_actuation(model)) {
    NumpyMath::use(options.numpy_math);
  }
  Physics(const Physics&) = delete;
  Physics& operator=(const Physics&) = delete;

  // Counts as dm_control's environments do. Throws std::invalid_argument if the simulation's
  // timestep does not divide control_timestep.
  static int64_t count_sub_steps(const SuiteOptions& options, const Model& model) {
    if (options.n_sub_steps > 0) return options.n_sub_steps;
    const double control = options.control_timestep;
    if (control == 0.0) return 1;
    const double ratio = control / model.timestep;
    if (control < model.timestep || std::abs(ratio - std::nearbyint(ratio)) > 1e-8) {
      throw std::invalid_argument("control_timestep is " + std::to_string(control) +
                                  ", expected a multiple of the simulation's timestep, " +
                                  std::to_string(model.timestep));
    }
    return static_cast<int64_t>(std::nearbyint(ratio));
  }

  void step(int64_t count) {
    if (legacy_step_) return simulation.control_step(count);
    simulation.step(count);
  }
  // Calls mj_resetData and a forward pass. An episode begins with it, before the task sets it up.
  void reset() {
    simulation.reset();
    forward_without_actuation();
  }
  // dm_control's after_reset.
  void forward_without_actuation() {
    simulation.run([this] { model.engine.forward(passive_model(), simulation.raw); });
  }
  void set_time(double seconds) { *time_ = seconds; }

  // An array of mjModel that the task writes into: edit<double>("mjModel.geom_pos", 3 * ngeom), or
  // only the ranges `written`. Its environment must have a model of its own. A pointer that
  // constant() gave before points to the compiled array.
  template <class T>
  T* edit(const char* member, int64_t count, const std::vector<ModelEdits::Range>& written) {
    T* const numbers = simulation.edit<T>(member, static_cast<size_t>(count), written);
    model.engine.at<T*>(static_cast<void*>(passive_model_.get()), member) = numbers;
    return numbers;
  }
  template <class T>
  T* edit(const char* member, int64_t count) {
    return edit<T>(member, count, {{0, static_cast<size_t>(count)}});
  }
  // One row of such an array, of which the task writes those columns.
  template <class T = double>
  T* edit_row(const char* member, int64_t width, int64_t rows, int64_t row,
              const Columns& columns) {
    const auto start = static_cast<size_t>(width * row);
    std::vector<ModelEdits::Range> written;
    for (const size_t column : columns) written.push_back({start + column, 1});
    return edit<T>(member, width * rows, written) + start;
  }
  void undo_edits() { simulation.edits.undo(); }

  // Numbers of things by name. Throw std::invalid_argument.
  int64_t body(const char* name) const { return model.id("mjOBJ_BODY", "body", name); }
  int64_t geom(const char* name) const { return model.id("mjOBJ_GEOM", "geom", name); }
  int64_t site(const char* name) const { return model.id("mjOBJ_SITE", "site", name); }
  int64_t joint(const char* name) const { return model.id("mjOBJ_JOINT", "joint", name); }
  int64_t material(const std::string& name) const {
    return model.id("mjOBJ_MATERIAL", "material", name);
  }
  int64_t actuator(const char* name) const { return model.id("mjOBJ_ACTUATOR", "actuator", name); }

  // The row of one body, geom or site.
  double* edit_body(const char* member, int64_t width, const char* name, const Columns& columns) {
    return edit_row(member, width, model.nbody, body(name), columns);
  }
  template <class T = double>
  T* edit_geom(const char* member, int64_t width, const char* name, const Columns& columns) {
    return edit_row<T>(member, width, model.at<int64_t>("mjModel.ngeom"), geom(name), columns);
  }
  template <class T = double>
  T* edit_site(const char* member, int64_t width, const char* name, const Columns& columns) {
    return edit_row<T>(member, width, model.nsite, site(name), columns);
  }

  // Their places in mjData.
  const double* body_xpos(const char* name) const { return xpos + 3 * body(name); }
  const double* body_xmat(const char* name) const { return xmat + 9 * body(name); }
  const double* body_xipos(const char* name) const { return simulation.xipos + 3 * body(name); }
  const double* geom_xpos(const char* name) const {
    return data<double>("mjData.geom_xpos") + 3 * geom(name);
  }
  const double* site_xpos(const char* name) const {
    return data<double>("mjData.site_xpos") + 3 * site(name);
  }
  const double* sensor(const char* name) const {
    return sensordata +
           model.at<const int32_t*>("mjModel.sensor_adr")[model.id("mjOBJ_SENSOR", "sensor", name)];
  }
  const double* geom_size(const char* name) const {
    return constant<double>("mjModel.geom_size") + 3 * geom(name);
  }
  const double* site_size(const char* name) const {
    return constant<double>("mjModel.site_size") + 3 * site(name);
  }
  double* joint_qpos(const char* name) const {
    return qpos + model.at<const int32_t*>("mjModel.jnt_qposadr")[joint(name)];
  }
  double* joint_qvel(const char* name) const {
    return qvel + model.at<const int32_t*>("mjModel.jnt_dofadr")[joint(name)];
  }
  // An array of mjData or of mjModel by its name in C.
  template <class T>
  T* data(const char* name) const {
    return simulation.array<T>(name);
  }
  template <class T>
  const T* constant(const char* name) const {
    return model.at<const T*>(name);
  }

  // np.linalg.norm of a short vector; np.dot is in NumpyMath.
  double length(const double* vector, size_t count) const {
    return norm(vector, count, fused_norm);
  }
  // The length of the difference; count <= 3.
  double distance(const double* to, const double* from, size_t count) const {
    double difference[3];
    for (size_t i = 0; i < count; ++i) difference[i] = to[i] - from[i];
    return length(difference, count);
  }
  void normalize(double* vector, size_t count) const {
    const double size = length(vector, count);
    for (size_t i = 0; i < count; ++i) vector[i] /= size;
  }
  // The way from one place to another, in the frame of a row of xmat.
  void in_frame(const double* to, const double* from, const double* frame, double* result) const {
    double way[3];
    for (size_t i = 0; i < 3; ++i) way[i] = to[i] - from[i];
    NumpyMath::product(way, frame, 3, 3, result);
  }

  // A factor of several rewards, from 0.8 to 1: it grows as the controls come near 0.
  double small_control() const {
    const auto nu = static_cast<size_t>(model.nu);
    const double sum = numpy_sum<double>(
        [this](size_t i) { return element_tolerance(ctrl[i], {}, 1, Sigmoid::quadratic, 0); }, 0,
        nu);
    return (sum / static_cast<double>(nu) + 4) / 5;
  }

  Simulation simulation;
  const Model& model;
  const int64_t n_sub_steps;
  const bool fused_norm;

  // Arrays of mjData. dm_control's position(), velocity() and control() are qpos, qvel and ctrl.
  double* const qpos;              // [nq]
  double* const qvel;              // [nv]
  double* const ctrl;              // [nu]
  const double* const xpos;        // [nbody][3]
  const double* const xmat;        // [nbody][9]
  const double* const sensordata;  // [nsensordata]
  const int32_t* const ncon;       // contacts found by the last forward pass

 private:
  template <class T>
  T* member(const char* name) const {
    return &model.engine.at<T>(static_cast<void*>(simulation.raw), name);
  }

  const RawModel* passive_model() const {
    return reinterpret_cast<const RawModel*>(passive_model_.get());
  }
  // A second mjModel with the flag that turns actuators off, and the same arrays: setting the flag
  // in the model itself, as dm_control does, would turn them off for all that share it.
  static std::unique_ptr<char[]> copy_without_actuation(const Model& model) {
    const Engine& engine = model.engine;
    const size_t size = engine.size_of("mjModel");
    std::unique_ptr<char[]> copy(new char[size]);
    std::memcpy(copy.get(), model.raw, size);
    engine.at<int32_t>(static_cast<void*>(copy.get()), "mjModel.opt.disableflags") |=
        static_cast<int32_t>(engine.constant("mjDSBL_ACTUATION"));
    return copy;
  }

  double* const time_;
  const bool legacy_step_;
  const std::unique_ptr<char[]> passive_model_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_PHYSICS_HPP_
