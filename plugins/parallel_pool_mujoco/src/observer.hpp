// Where observations are written: straight into the row, or on the way there as float32, or into a
// stack of the last few.
#ifndef PARALLEL_POOL_MUJOCO_OBSERVER_HPP_
#define PARALLEL_POOL_MUJOCO_OBSERVER_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "parallel_pool/env.hpp"

namespace pp::mujoco {

inline constexpr const char* kObsDtypes[] = {"float64", "float32"};

class Observer {
 public:
  using Obs = Box<double, dynamic>;  // float32 if the option says so: describe() changes the dtype

  Observer(const Options& options, size_t size)
      : size_(size),
        depth_(static_cast<size_t>(options.integer("frame_stack"))),
        narrow_(options.text("obs_dtype") == "float32"),
        direct_(depth_ == 1 && !narrow_),
        frames_(direct_ ? 0 : depth_ * size) {}

  static void describe(Spec& spec, const Options& options, size_t size) {
    const int64_t depth = options.integer("frame_stack");
    Field& obs = spec.obs();
    if (depth == 1) {
      obs.shaped({static_cast<int64_t>(size)});
    } else {
      obs.shaped({depth, static_cast<int64_t>(size)});
    }
    if (options.text("obs_dtype") == "float32") obs.dtype = PP_FLOAT32;
  }

  // The place for the next observation. With `first`, it fills the whole stack.
  double* begin(const Obs::Ref& row) {
    if (direct_) return row.data();
    if (depth_ > 1) std::memmove(frames_.data(), frames_.data() + size_, older() * sizeof(double));
    return frames_.data() + older();
  }
  void end(const Obs::Ref& row, bool first) {
    if (direct_) return;
    if (first) {
      for (size_t at = 0; at < older(); at += size_) {
        std::memcpy(frames_.data() + at, frames_.data() + older(), size_ * sizeof(double));
      }
    }
    if (!narrow_) {
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
  void load(StateReader& in) { in.read_bytes(frames_.data(), frames_.size() * sizeof(double)); }

 private:
  size_t older() const { return frames_.size() - size_; }

  size_t size_;
  size_t depth_;
  bool narrow_;
  bool direct_;
  std::vector<double> frames_;  // the oldest first; empty if observations are written directly
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_OBSERVER_HPP_
