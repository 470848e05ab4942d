// parallel_pool_mujoco/scene.hpp: all that a picture of a simulation is drawn from, in one row
// of bytes, for environments that are observed in pictures.
//
// Python has OpenGL, and a picture takes longer than many steps. So the library writes down what is
// to be seen at that moment, and Python draws it later: pictures are right in asynchronous pools,
// and also for the last step of an episode after which the next one has begun already.
// `parallel_pool_mujoco.sdk.copies.unpacked` reads it.
#ifndef PARALLEL_POOL_MUJOCO_SCENE_HPP_
#define PARALLEL_POOL_MUJOCO_SCENE_HPP_

#include <cstdint>
#include <cstring>
#include <vector>

#include "parallel_pool_mujoco/simulation.hpp"

namespace pp::mujoco {

// A row has the address of the model (int64), the time (double), mjData's buffer, padded to 8
// bytes, and the edited numbers of the model (model_edits.hpp).
class Scene {
 public:
  // `sim` must outlive this. Edit all arrays of its model first.
  explicit Scene(const Simulation& sim)
      : model_(sim.model.address),
        edits_(sim.edits),
        shown_(sim.shown),
        numbers_(sim.model.array_layout(sim.raw).numbers()),
        time_(&sim.model.engine.at<double>(static_cast<const void*>(sim.raw), "mjData.time")),
        buffer_(*reinterpret_cast<char**>(reinterpret_cast<char*>(sim.raw) +
                                          sim.model.engine.member("mjData.buffer").value)),
        count_(static_cast<size_t>(
            sim.model.engine.at<int64_t>(static_cast<const void*>(sim.raw), "mjData.nbuffer"))) {}

  // In bytes, a multiple of 8.
  size_t size() const { return edits_at() + edits_.packed_size(); }

  void write(char* row) const {
    sign(row);
    std::memcpy(row + sizeof model_, time_, sizeof *time_);
    std::memcpy(row + buffer_at, buffer_, count_);
    edits_.pack(row + edits_at());
  }
  // Writes this process's address of the model into a row that another process may have saved.
  void sign(char* row) const { std::memcpy(row, &model_, sizeof model_); }
  // Takes the numbers of a row from a state, which may be forged. All that leads to memory is
  // written anew or checked. Throws std::invalid_argument for a row that no simulation writes.
  void adopt(const char* row, char* out) const {
    edits_.check_packed(row + edits_at());
    write(out);
    std::memcpy(out + sizeof model_, row + sizeof model_, sizeof *time_);
    for (const ArrayPlace& each : numbers_) {
      std::memcpy(out + buffer_at + each.first, row + buffer_at + each.first, each.bytes);
    }
    shown_.take_tendons(reinterpret_cast<const uint8_t*>(row + buffer_at),
                        reinterpret_cast<uint8_t*>(out + buffer_at));
    std::memcpy(out + edits_at(), row + edits_at(), edits_.packed_size());
  }

 private:
  static constexpr size_t buffer_at = sizeof(int64_t) + sizeof(double);
  size_t edits_at() const { return (buffer_at + count_ + 7) / 8 * 8; }

  const int64_t model_;
  const ModelEdits& edits_;
  const ShownArrays& shown_;
  const std::vector<ArrayPlace> numbers_;
  const double* const time_;
  const char* const buffer_;
  const size_t count_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_SCENE_HPP_
