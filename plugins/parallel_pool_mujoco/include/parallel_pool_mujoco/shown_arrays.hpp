// parallel_pool_mujoco/shown_arrays.hpp: arrays that a picture is drawn from and that a restored
// simulation cannot compute.
//
// A step of MuJoCo computes where everything is and then moves the positions on, so that a picture
// shows the simulation as it was before the last substep: Gymnasium's pictures do. The positions
// that led there are gone, so states keep the arrays derived from them that mjv_updateScene reads.
#ifndef PARALLEL_POOL_MUJOCO_SHOWN_ARRAYS_HPP_
#define PARALLEL_POOL_MUJOCO_SHOWN_ARRAYS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/array_layout.hpp"

namespace pp::mujoco {

// These arrays of one model. `buffer` is that of any of its mjData, or a copy of it.
class ShownArrays {
 public:
  explicit ShownArrays(const ArrayLayout& layout)
      : tendon_first_(layout.place("ten_wrapadr")),
        tendon_count_(layout.place("ten_wrapnum")),
        wrapped_(layout.place("wrap_obj")) {
    for (const char* name :
         {"xpos",      "xquat",      "xmat",       "xipos",       "ximat",         "xanchor",
          "xaxis",     "geom_xpos",  "geom_xmat",  "site_xpos",   "site_xmat",     "cam_xpos",
          "cam_xmat",  "light_xpos", "light_xdir", "subtree_com", "flexvert_xpos", "flexelem_aabb",
          "wrap_xpos", "ten_length", "sensordata", "bvh_aabb_dyn"}) {
      if (const ArrayPlace place = layout.place(name); place.bytes > 0) numbers_.push_back(place);
    }
  }

  void save(StateWriter& out, const uint8_t* buffer) const {
    for (const ArrayPlace& each : numbers_) out.write_bytes(buffer + each.first, each.bytes);
    for (const ArrayPlace& each : {tendon_first_, tendon_count_, wrapped_}) {
      out.write_bytes(buffer + each.first, each.bytes);
    }
  }
  void load(StateReader& in, uint8_t* buffer) const {
    for (const ArrayPlace& each : numbers_) in.read_bytes(buffer + each.first, each.bytes);
    std::vector<uint8_t> given(tendon_first_.bytes + tendon_count_.bytes + wrapped_.bytes);
    in.read_bytes(given.data(), given.size());
    take_tendons(given.data(), given.data() + tendon_first_.bytes,
                 given.data() + tendon_first_.bytes + tendon_count_.bytes, buffer);
  }
  // Copies the paths of tendons, which are indices, from a buffer that may be forged.
  void take_tendons(const uint8_t* from, uint8_t* buffer) const {
    take_tendons(from + tendon_first_.first, from + tendon_count_.first, from + wrapped_.first,
                 buffer);
  }

 private:
  // Throws std::invalid_argument for a path that leads beyond the array.
  void take_tendons(const uint8_t* first, const uint8_t* count, const uint8_t* wrapped,
                    uint8_t* buffer) const {
    const auto places = static_cast<int64_t>(wrapped_.bytes / sizeof(int32_t));
    for (size_t at = 0; at < tendon_first_.bytes; at += sizeof(int32_t)) {
      int32_t begin = 0;
      int32_t length = 0;
      std::memcpy(&begin, first + at, sizeof begin);
      std::memcpy(&length, count + at, sizeof length);
      if (begin < 0 || length < 0 || int64_t{begin} + length > places) {
        throw std::invalid_argument("the state is damaged or made up: a tendon leads nowhere");
      }
    }
    std::memcpy(buffer + tendon_first_.first, first, tendon_first_.bytes);
    std::memcpy(buffer + tendon_count_.first, count, tendon_count_.bytes);
    std::memcpy(buffer + wrapped_.first, wrapped, wrapped_.bytes);
  }

  std::vector<ArrayPlace> numbers_;
  ArrayPlace tendon_first_;
  ArrayPlace tendon_count_;
  ArrayPlace wrapped_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_SHOWN_ARRAYS_HPP_
