// parallel_pool_mujoco/task/observed_numbers.hpp: writes one array of an observation straight into
// the row, or as float32, or into a stack of the last few.
#ifndef PARALLEL_POOL_MUJOCO_TASK_OBSERVED_NUMBERS_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_OBSERVED_NUMBERS_HPP_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"
#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/task/options.hpp"

namespace pp::mujoco {

class ObservedNumbers {
 public:
  // False if only pictures are observed.
  static bool shown(const PictureOptions& options) {
    return !options.from_pixels || !options.pixels_only;
  }

  // Adds the array's field, if numbers are shown. An array without a name is the whole observation,
  // or "state" beside a picture, which is Gymnasium's and dm_control's name for it.
  static void describe(Spec& spec, const ObserverOptions& options, const std::string& name,
                       const std::vector<int64_t>& shape) {
    if (!shown(options)) return;
    const bool beside = name.empty() && options.from_pixels;
    Field& field =
        spec.add(PP_ROLE_OBS, beside ? "state" : name, PP_KIND_BOX,
                 options.obs_dtype == ObsDtype::float32 ? PP_FLOAT32 : PP_FLOAT64, shape);
    if (options.frame_stack > 1) field.shape.insert(field.shape.begin(), options.frame_stack);
  }

  ObservedNumbers(const ObserverOptions& options, size_t size)
      : shown_(shown(options)), narrow_(options.obs_dtype == ObsDtype::float32) {
    if (!shown_) {
      unseen_.resize(size);
    } else if (narrow_ || options.frame_stack > 1) {
      frames_.emplace(static_cast<size_t>(options.frame_stack), size);
    }
  }

  // The place for the next observation of field `number` of the row.
  double* begin(const Fields::Ref& row, size_t number) {
    if (!shown_) return unseen_.data();
    return frames_ ? frames_->next() : row.get<double>(number).data();
  }
  // The observation has been written. With `first`, it fills the whole stack.
  void end(const Fields::Ref& row, size_t number, bool first) {
    if (!frames_) return;
    frames_->push();
    if (first) frames_->restart(pixels::Padding::repeat);
    if (narrow_) {
      frames_->write(row.get<float>(number).data());
    } else {
      frames_->write(row.get<double>(number).data());
    }
  }

  void save(StateWriter& out) const {
    if (frames_) frames_->save(out);
  }
  void load(StateReader& in) {
    if (frames_) frames_->load(in);
  }

 private:
  bool shown_;
  bool narrow_;                                       // float32 in the row
  std::vector<double> unseen_;                        // takes numbers that are not shown
  std::optional<pixels::FrameStack<double>> frames_;  // empty: the row is written directly
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_OBSERVED_NUMBERS_HPP_
