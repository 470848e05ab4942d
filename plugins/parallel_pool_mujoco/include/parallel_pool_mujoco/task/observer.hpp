// parallel_pool_mujoco/task/observer.hpp: writes an observation of one array into the row, as
// float64 or float32, or into a stack of the last few. With from_pixels, the row has the scene that
// Python draws the picture from, instead of the array or beside it.
//
//   double* out = observer_.begin(row);
//   out = std::copy(sim_.qpos, sim_.qpos + nq, out);
//   std::copy(sim_.qvel, sim_.qvel + nv, out);
//   observer_.end(row, first);
//
// A task whose observation has several arrays has an ObservedNumbers for each.
#ifndef PARALLEL_POOL_MUJOCO_TASK_OBSERVER_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_OBSERVER_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"
#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/model.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/observed_numbers.hpp"
#include "parallel_pool_mujoco/task/observed_scene.hpp"
#include "parallel_pool_mujoco/task/options.hpp"

namespace pp::mujoco {

class Observer {
 public:
  // One array, or with pixels_only=False two: describe() adds them.
  using Obs = Fields;

  // `size` is that of the array. `sim` must outlive this.
  Observer(const ObserverOptions& options, size_t size, const Simulation& sim)
      : numbers_(options, size), scene_number_(ObservedNumbers::shown(options) ? 1 : 0) {
    if (options.from_pixels) scene_.emplace(options, sim);
  }

  static void describe(Spec& spec, const ObserverOptions& options,
                       const std::shared_ptr<const Model>& model, size_t size) {
    ObservedNumbers::describe(spec, options, "", {static_cast<int64_t>(size)});
    if (options.from_pixels) ObservedScene::describe(spec, options, Simulation(model));
  }
  // For a task that edits its model: the edited numbers are part of its scenes. `sim` is that of an
  // environment with the same options.
  static void describe(Spec& spec, const ObserverOptions& options, const Simulation& sim,
                       size_t size) {
    ObservedNumbers::describe(spec, options, "", {static_cast<int64_t>(size)});
    if (options.from_pixels) ObservedScene::describe(spec, options, sim);
  }

  // The place for the next observation.
  double* begin(const Obs::Ref& row) { return numbers_.begin(row, 0); }
  // The observation has been written. With `first`, it fills the whole stack.
  void end(const Obs::Ref& row, bool first) {
    numbers_.end(row, 0, first);
    if (scene_) scene_->write(row, scene_number_, first);
  }

  void save(StateWriter& out) const {
    numbers_.save(out);
    if (scene_) scene_->save(out);
  }
  void load(StateReader& in) {
    numbers_.load(in);
    if (scene_) scene_->load(in);
  }

 private:
  ObservedNumbers numbers_;
  std::optional<ObservedScene> scene_;
  size_t scene_number_;  // the field of the scene
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_OBSERVER_HPP_
