// parallel_pool/sdk/mujoco/task/observer.hpp: where observations are written: straight into the
// row, or on the way there as float32, or into a stack of the last few. With from_pixels, the row
// has what Python draws the picture from instead.
//
//   double* out = observer_.begin(row);
//   out = std::copy(sim_.qpos, sim_.qpos + nq, out);
//   std::copy(sim_.qvel, sim_.qvel + nv, out);
//   observer_.end(row, first);
#ifndef PARALLEL_POOL_SDK_MUJOCO_TASK_OBSERVER_HPP_
#define PARALLEL_POOL_SDK_MUJOCO_TASK_OBSERVER_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "parallel_pool/sdk/mujoco/model.hpp"
#include "parallel_pool/sdk/mujoco/scene.hpp"
#include "parallel_pool/sdk/mujoco/simulation.hpp"
#include "parallel_pool/sdk/mujoco/task/options.hpp"
#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"
#include "parallel_pool/sdk/state.hpp"

namespace pp::mujoco {

class Observer {
 public:
  // float32 or scenes in bytes if the options say so: describe() changes the dtype.
  using Obs = Box<double, dynamic>;

  // `size`: of an observation that is no picture. `sim` must outlive this.
  Observer(const ObserverOptions& options, size_t size, const Simulation& sim)
      : narrow_(options.obs_dtype == ObsDtype::float32 && !options.from_pixels) {
    if (options.from_pixels) {
      scene_.emplace(sim);
      unseen_.resize(size);
      size = scene_->size() / sizeof(double);
    }
    if (scene_ || narrow_ || options.frame_stack > 1) {
      frames_.emplace(static_cast<size_t>(options.frame_stack), size);
    }
  }

  // `obs`: the field that it writes, spec.obs() or one of a dict.
  static void describe(Field& obs, const ObserverOptions& options,
                       const std::shared_ptr<const Model>& model, size_t size) {
    const int64_t depth = options.frame_stack;
    if (options.from_pixels) {
      size = Scene::size_for(model);
      obs.dtype = PP_UINT8;
    } else if (options.obs_dtype == ObsDtype::float32) {
      obs.dtype = PP_FLOAT32;
    }
    if (depth == 1) {
      obs.shaped({static_cast<int64_t>(size)});
    } else {
      obs.shaped({depth, static_cast<int64_t>(size)});
    }
  }

  // The place for the next observation.
  double* begin(const Obs::Ref& row) {
    if (!frames_) return row.data();
    return scene_ ? unseen_.data() : frames_->next();
  }
  // It is there. With `first`, it fills the whole stack.
  void end(const Obs::Ref& row, bool first) {
    if (!frames_) return;
    if (scene_) scene_->write(reinterpret_cast<char*>(frames_->next()));
    frames_->push();
    if (first) frames_->restart(pixels::Padding::repeat);
    if (narrow_) {
      frames_->write(reinterpret_cast<float*>(row.data()));
    } else {
      frames_->write(row.data());
    }
    // Older frames may be from a state that another process has saved.
    for (size_t i = 0; scene_ && i < frames_->depth(); ++i) {
      scene_->sign(reinterpret_cast<char*>(row.data() + i * frames_->frame_size()));
    }
  }

  void save(StateWriter& out) const {
    if (frames_) frames_->save(out);
  }
  void load(StateReader& in) {
    if (frames_) frames_->load(in);
  }

 private:
  bool narrow_;  // numbers, in float32
  std::optional<Scene> scene_;
  std::vector<double> unseen_;  // where the observation goes that a picture takes the place of
  std::optional<pixels::FrameStack<double>> frames_;  // none: observations are written directly
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_SDK_MUJOCO_TASK_OBSERVER_HPP_
