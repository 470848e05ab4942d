// parallel_pool_mujoco/simulation.hpp: an mjData with the model it belongs to.
//
// The arrays keep their places as long as the simulation lives; they are looked up once. Arrays of
// the contacts and constraints of a step (efc_*, contact) move, and are not among them. Names are
// mjData's. Arrays without a name here are found with `array<double>("mjData.subtree_com")`.
//
// Functions that call MuJoCo throw mujoco::Error if it fails. reset() makes it usable again.
#ifndef PARALLEL_POOL_MUJOCO_SIMULATION_HPP_
#define PARALLEL_POOL_MUJOCO_SIMULATION_HPP_

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/model.hpp"
#include "parallel_pool_mujoco/model_edits.hpp"
#include "parallel_pool_mujoco/shown_arrays.hpp"
#include "parallel_pool_mujoco/trap.hpp"

namespace pp::mujoco {

// MuJoCo's warnings, in numbers that do not change with its version.
enum class Warning : int32_t {
  none = 0,
  inertia,           // the inertia matrix is close to singular
  contact_full,      // no room for a contact: it was left out
  constraint_full,   // no room for a constraint: it was left out
  bad_position,      // a position is infinite, not a number or huge; MuJoCo has reset the data
  bad_velocity,      // a velocity likewise
  bad_acceleration,  // an acceleration likewise
  bad_control        // a control likewise; MuJoCo took all controls as zero
};

class Simulation {
 public:
  explicit Simulation(std::shared_ptr<const Model> shared)
      : shared_(std::move(shared)),
        model(*shared_),
        raw(make(model)),
        shown(model.array_layout(raw)),
        qpos(array<double>("mjData.qpos")),
        qvel(array<double>("mjData.qvel")),
        ctrl(array<double>("mjData.ctrl")),
        xpos(array<double>("mjData.xpos")),
        xipos(array<double>("mjData.xipos")),
        cinert(array<double>("mjData.cinert")),
        cvel(array<double>("mjData.cvel")),
        cfrc_ext(array<double>("mjData.cfrc_ext")),
        qfrc_actuator(array<double>("mjData.qfrc_actuator")),
        qfrc_constraint(array<double>("mjData.qfrc_constraint")),
        site_xpos(array<double>("mjData.site_xpos")),
        ten_length(array<double>("mjData.ten_length")),
        ten_velocity(array<double>("mjData.ten_velocity")),
        runge_kutta_(model.at<int32_t>("mjModel.opt.integrator") ==
                     model.engine.constant("mjINT_RK4")) {
    const Engine& engine = model.engine;
    const char* const watched[] = {"mjWARN_INERTIA", "mjWARN_CONTACTFULL", "mjWARN_CNSTRFULL",
                                   "mjWARN_BADQPOS", "mjWARN_BADQVEL",     "mjWARN_BADQACC",
                                   "mjWARN_BADCTRL"};
    const auto* warnings =
        reinterpret_cast<const char*>(raw) + engine.member("mjData.warning").value;
    for (size_t i = 0; i < n_watched; ++i) {
      counter_[i] = reinterpret_cast<const int32_t*>(
          warnings +
          static_cast<size_t>(engine.constant(watched[i])) * engine.size_of("mjWarningStat") +
          engine.offset<int32_t>("mjWarningStat.number"));
    }
    state_signature_ = static_cast<int>(engine.constant("mjSTATE_INTEGRATION"));
  }
  ~Simulation() { model.engine.delete_data(raw); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Makes the data those of a new mjData of the model as it is now: qpos0, time 0, no warnings.
  // First derives what follows from edit_with_derived(). Throws std::invalid_argument for numbers
  // that MuJoCo cannot simulate; the next reset may have others.
  void reset() {
    seen_ = 0;
    if (edits.derives()) edits.derive(model, raw);
    run([this] { model.engine.reset_data(model.raw, raw); });
  }
  void forward() {
    run([this] { model.engine.forward(model.raw, raw); });
  }
  void step(int64_t count = 1) {
    run([this, count] {
      for (int64_t i = 0; i < count; ++i) model.engine.step(model.raw, raw);
    });
  }
  // dm_control's step: ends the one that mj_step1 began, and begins the next, so that what follows
  // from positions and velocities is up to date. Steps by Runge-Kutta have no such halves.
  void control_step(int64_t count = 1) {
    run([this, count] {
      int64_t left = count;
      if (!runge_kutta_) {
        model.engine.step2(model.raw, raw);
        --left;
      }
      for (; left > 0; --left) model.engine.step(model.raw, raw);
      model.engine.step1(model.raw, raw);
    });
  }
  // Computes cacc, cfrc_int and cfrc_ext, which a step leaves alone.
  void rne_post_constraint() {
    run([this] { model.engine.rne_post_constraint(model.raw, raw); });
  }
  // Runs several engine calls: run([&] { engine.step1(model.raw, raw); ... }). Nothing in there may
  // have a destructor (trap.hpp).
  template <class Work>
  void run(Work&& work) {
    trapped(model.engine, work, warning_text_);
  }

  // The gravest warning since the last call or reset, which is the greatest number of Warning.
  Warning take_warning() {
    int64_t sum = 0;
    for (const int32_t* counter : counter_) sum += *counter;
    if (sum == seen_) return Warning::none;
    return gravest(sum);
  }
  // MuJoCo's text of its last warning. MuJoCo writes each text only once per episode.
  const char* warning_text() const { return warning_text_; }

  // An array of mjData by its name in C: array<double>("mjData.subtree_com").
  template <class T>
  T* array(const char* name) const {
    return model.engine.at<T*>(static_cast<void*>(raw), name);
  }
  // A member of mjModel that may be written from now on: edit<double>("mjModel.geom_pos", 3 *
  // ngeom). Only the ranges `written` may be, if they are given. Nothing is derived from new
  // numbers: they reach only the steps of MuJoCo that read this very member. The model must be the
  // environment's own (Model::own): throws std::logic_error if it is shared, or has another count
  // of numbers.
  template <class T>
  T* edit(const char* member, size_t count) {
    return edits.edit<T>(model, member, count);
  }
  template <class T>
  T* edit(const char* member, size_t count, const std::vector<ModelEdits::Range>& written) {
    return edits.edit<T>(model, member, count, written);
  }
  // Likewise, but the next reset() also derives what follows from the numbers: it makes the model
  // that the option `model_overrides` makes with the same numbers, bit for bit. Returns all numbers
  // of the member, in its shape and MuJoCo's units, in the order of C:
  //
  //   mass_ = sim_.edit_with_derived<double>("mjModel.body_mass");          // [nbody], kg
  //   slide_ = sim_.edit_with_derived<double>("mjModel.geom_friction");     // [ngeom][3]
  //   gravity_ = sim_.edit_with_derived<double>("mjModel.opt.gravity");     // [3], m/s^2
  //   mass_[torso] = 1.2 * sim_.model.compiled<double>("mjModel.body_mass")[torso];
  //   sim_.reset();
  //
  // Call it in constructors, and write before reset(): a number written later is derived from at
  // the next one. Throws std::logic_error also for a member that is derived itself, and
  // std::runtime_error for one that this MuJoCo does not have. The task checks its numbers
  // (docs/mujoco.md lists what makes sense): MuJoCo believes indices and kinds.
  template <class T>
  T* edit_with_derived(const char* member) {
    return edit_with_derived<T>(member, {{0, model.count(member)}});
  }
  template <class T>
  T* edit_with_derived(const char* member, const std::vector<ModelEdits::Range>& written) {
    return edits.with_derived<T>(model, member, model.count(member), written);
  }
  // The memory that mjData's arrays lie in.
  uint8_t* buffer() const { return const_cast<uint8_t*>(ArrayLayout::buffer(model.engine, raw)); }
  double time() const {
    return model.engine.at<double>(static_cast<const void*>(raw), "mjData.time");
  }

  // Saves all that decides what the simulation does from now on, and the arrays that its picture is
  // drawn from (shown_arrays.hpp), for rewards of the next step begin from these too. load()
  // computes all other derived arrays anew.
  void save(StateWriter& out) const {
    out(model.fingerprint);
    edits.save(out);
    std::vector<double> state(state_size());
    model.engine.get_state(model.raw, raw, state.data(), state_signature_);
    out.write_bytes(state.data(), state.size() * sizeof(double));
    shown.save(out, buffer());
  }
  // Throws std::invalid_argument if the state is of another model or another MuJoCo.
  void load(StateReader& in) {
    uint64_t fingerprint = 0;
    in(fingerprint);
    if (fingerprint != model.fingerprint) {
      throw std::invalid_argument("the state is of another model than " + model.source +
                                  ", or of another version of MuJoCo than " +
                                  model.engine.version());
    }
    edits.load(in);
    std::vector<double> state(state_size());
    in.read_bytes(state.data(), state.size() * sizeof(double));
    reset();
    run([&] {
      // Twice: forward() computes the derived arrays, and changes the solver's first guess, which
      // is part of the state.
      model.engine.set_state(model.raw, raw, state.data(), state_signature_);
      model.engine.forward(model.raw, raw);
      model.engine.set_state(model.raw, raw, state.data(), state_signature_);
    });
    shown.load(in, buffer());
  }

 private:
  static constexpr size_t n_watched = 7;

  static RawData* make(const Model& model) {
    RawData* data = nullptr;
    trapped(model.engine, [&] { data = model.engine.make_data(model.raw); });
    if (data == nullptr) throw std::runtime_error("MuJoCo cannot make an mjData: out of memory");
    return data;
  }

  Warning gravest(int64_t sum) {
    // MuJoCo may have reset the data in between, and the counters with it. So any other sum than
    // that of the last call means a warning, and the last counter above zero is the gravest.
    seen_ = sum;
    for (size_t i = n_watched; i > 0; --i) {
      if (*counter_[i - 1] > 0) return static_cast<Warning>(i);
    }
    return Warning::none;
  }

  size_t state_size() const {
    return static_cast<size_t>(model.engine.state_size(model.raw, state_signature_));
  }

  const std::shared_ptr<const Model> shared_;

 public:
  const Model& model;
  ModelEdits edits;
  RawData* const raw;
  const ShownArrays shown;

  double* const qpos;             // [nq]
  double* const qvel;             // [nv]
  double* const ctrl;             // [nu]
  double* const xpos;             // [nbody][3]
  double* const xipos;            // [nbody][3]
  double* const cinert;           // [nbody][10]
  double* const cvel;             // [nbody][6]
  double* const cfrc_ext;         // [nbody][6]
  double* const qfrc_actuator;    // [nv]
  double* const qfrc_constraint;  // [nv]
  double* const site_xpos;        // [nsite][3]
  double* const ten_length;       // [ntendon]
  double* const ten_velocity;     // [ntendon]

 private:
  const bool runge_kutta_;
  const int32_t* counter_[n_watched] = {};
  int64_t seen_ = 0;
  int state_signature_ = 0;
  char warning_text_[message_size] = "";
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_SIMULATION_HPP_
