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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "parallel_pool/sdk/mujoco/model.hpp"
#include "parallel_pool/sdk/mujoco/scene.hpp"
#include "parallel_pool/sdk/mujoco/simulation.hpp"
#include "parallel_pool/sdk/options.hpp"
#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"
#include "parallel_pool/sdk/state.hpp"

namespace pp::mujoco {

inline constexpr const char* kObsDtypes[] = {"float64", "float32"};

class Observer {
 public:
  // float32 or scenes in bytes if the options say so: describe() changes the dtype.
  using Obs = Box<double, dynamic>;

  // `size`: of an observation that is no picture. `sim` must outlive this.
  Observer(const Options& options, size_t size, const Simulation& sim)
      : depth_(static_cast<size_t>(options.integer("frame_stack"))),
        narrow_(options.text("obs_dtype") == "float32"),
        direct_(depth_ == 1 && !narrow_ && !options.flag("from_pixels")) {
    if (options.flag("from_pixels")) {
      scene_.emplace(sim);
      unseen_.resize(size);
      size = scene_->size() / sizeof(double);
    }
    size_ = size;
    if (!direct_) frames_.resize(depth_ * size_);
  }

  static void describe(Spec& spec, const Options& options, size_t size) {
    const int64_t depth = options.integer("frame_stack");
    Field& obs = spec.obs();
    if (options.flag("from_pixels")) {
      size = Scene::size_for(Model::share(options));
      obs.dtype = PP_UINT8;
    } else if (options.text("obs_dtype") == "float32") {
      obs.dtype = PP_FLOAT32;
    }
    if (depth == 1) {
      obs.shaped({static_cast<int64_t>(size)});
    } else {
      obs.shaped({depth, static_cast<int64_t>(size)});
    }
  }

  // The place for the next observation. With `first`, it fills the whole stack.
  double* begin(const Obs::Ref& row) {
    if (direct_) return row.data();
    if (depth_ > 1) std::memmove(frames_.data(), frames_.data() + size_, older() * sizeof(double));
    return scene_ ? unseen_.data() : frames_.data() + older();
  }
  void end(const Obs::Ref& row, bool first) {
    if (direct_) return;
    if (scene_) scene_->write(reinterpret_cast<char*>(frames_.data() + older()));
    if (first) {
      for (size_t at = 0; at < older(); at += size_) {
        std::memcpy(frames_.data() + at, frames_.data() + older(), size_ * sizeof(double));
      }
    }
    if (!narrow_ || scene_) {
      std::memcpy(row.data(), frames_.data(), frames_.size() * sizeof(double));
      return;
    }
    auto* out = reinterpret_cast<float*>(row.data());
    std::transform(frames_.begin(), frames_.end(), out,
                   [](double value) { return static_cast<float>(value); });
  }

  void save(StateWriter& out) const {
    out.write_bytes(frames_.data(), frames_.size() * sizeof(double));
  }
  void load(StateReader& in) {
    in.read_bytes(frames_.data(), frames_.size() * sizeof(double));
    for (size_t at = 0; scene_ && at < frames_.size(); at += size_) {
      scene_->sign(reinterpret_cast<char*>(frames_.data() + at));
    }
  }

 private:
  size_t older() const { return frames_.size() - size_; }

  size_t size_ = 0;  // of a frame, in doubles
  size_t depth_;
  bool narrow_;
  bool direct_;
  std::optional<Scene> scene_;
  std::vector<double> unseen_;  // where the observation goes that a picture takes the place of
  std::vector<double> frames_;  // the oldest first; empty if observations are written directly
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_SDK_MUJOCO_TASK_OBSERVER_HPP_
