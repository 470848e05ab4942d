// parallel_pool/sdk/pixels/plane_resizer.hpp: resizes a sequence of 8-bit planes of one size and
// does over only what changed since the last.
//
// The caller hands over what differs from the plane before, row by row (set_row), and then asks for
// the picture (finish). Screens of old games change in few places from step to step, so this saves
// most of the work; whole pictures are easier with resizer.hpp. No allocation after construction.
// The result has the bits of OpenCV's (resize_plan.hpp).
#ifndef PARALLEL_POOL_SDK_PIXELS_PLANE_RESIZER_HPP_
#define PARALLEL_POOL_SDK_PIXELS_PLANE_RESIZER_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "parallel_pool/sdk/pixels/float_columns.hpp"
#include "parallel_pool/sdk/pixels/resize_plan.hpp"
#include "parallel_pool/sdk/pixels/row_sums.hpp"

namespace pp::pixels {

class PlaneResizer {
 public:
  PlaneResizer(int in_height, int in_width, int out_height, int out_width,
               Interpolation interpolation)
      : plan_(in_height, in_width, out_height, out_width, interpolation),
        in_width_(in_width),
        width_(out_width),
        height_(out_height),
        dirty_(out_height),
        stride_(static_cast<size_t>(out_width)),
        integers_(plan_.method != Method::area_float ? in_height * width_ : 0),
        sum_(width_),
        integer_sum_(width_),
        row_(in_width) {
    plan_.y.index_spans(in_height, plan_.method == Method::area_integer);
    if (in_height == out_height && in_width == out_width) {
      copy_.resize(static_cast<size_t>(out_height) * static_cast<size_t>(out_width));
      return;
    }
    if (plan_.method != Method::area_float) return;
    if (RowSums::possible(in_width)) {
      shuffled_.emplace(plan_.x, in_width, 1);
      stride_ = shuffled_->floats();
    }
    floats_.resize(static_cast<size_t>(in_height) * stride_);
  }

  // columns_of() returns the columns of the picture that pixels [begin, end) of a row are in, and
  // perhaps a few more; pixels_of() returns the pixels that set_row has to be given for them.
  Span columns_of(Span pixels) const {
    Span columns = plan_.x.outputs_of(pixels);
    if (shuffled_) {
      columns.begin -= columns.begin % group;
      columns.end = std::min((columns.end + group - 1) / group * group, width_);
    }
    return columns;
  }
  Span pixels_of(Span columns) const { return plan_.x.inputs_of(columns); }

  // Row y has other pixels, which show in `columns` only, as columns_of() gave them. `pixels` holds
  // in_width bytes, of which those of pixels_of(columns) count, and is read during the call only.
  void set_row(int y, const uint8_t* pixels, Span columns) {
    if (!copy_.empty()) {
      const auto count = static_cast<size_t>(columns.end - columns.begin);
      const size_t at = static_cast<size_t>(y) * width_ + static_cast<size_t>(columns.begin);
      std::memcpy(copy_.data() + at, pixels + columns.begin, count);
      return;
    }
    const Span rows = plan_.y.outputs[static_cast<size_t>(y)];
    for (int i = rows.begin; i < rows.end; ++i) dirty_[static_cast<size_t>(i)].add(columns);
    if (shuffled_) {
      const auto last = static_cast<size_t>((columns.end + group - 1) / group);
      shuffled_->run(pixels, {static_cast<size_t>(columns.begin / group), last},
                     floats_.data() + static_cast<size_t>(y) * stride_);
    } else if (plan_.method == Method::area_float) {
      float_row(pixels, columns, floats_.data() + static_cast<size_t>(y) * stride_);
    } else {
      integer_row(pixels, columns, integers_.data() + static_cast<size_t>(y) * width_);
    }
  }
  void set_row(int y, const uint8_t* pixels) { set_row(y, pixels, {0, width_}); }

  // Writes the picture to `out`. `last` is the picture of the call before (any memory in the first
  // call, in which every row must have been set).
  void finish(const uint8_t* last, uint8_t* out) {
    if (!copy_.empty()) {
      std::memcpy(out, copy_.data(), copy_.size());
      return;
    }
    if (last != out) std::memcpy(out, last, static_cast<size_t>(height_) * width_);
    for (int y = 0; y < height_; ++y) {
      Span& changed = dirty_[static_cast<size_t>(y)];
      if (changed.empty()) continue;
      const size_t at = static_cast<size_t>(y) * width_;
      if (plan_.method == Method::area_float) {
        float_column(y, changed, out + at);
      } else if (plan_.method == Method::area_integer) {
        block_column(y, changed, out + at);
      } else {
        linear_column(y, changed, out + at);
      }
      changed = Span{};
    }
  }

 private:
  static constexpr int group = 2 * shuffle_sums;  // columns that are computed together

  void float_row(const uint8_t* pixels, Span to, float* out) {
    // Taps of weight 0 may lie elsewhere, and find an older number there.
    const Span from = pixels_of(to);
    for (int i = from.begin; i < from.end; ++i) row_[i] = pixels[i];
    const Axis& x = plan_.x;
    const int32_t* index = x.index.data();
    const float* weight = x.weight.data();
    for (int i = to.begin; i < to.end; ++i) out[i] = row_[index[i]] * weight[i];
    for (int k = 1; k < x.taps; ++k) {
      index += width_;
      weight += width_;
      for (int i = to.begin; i < to.end; ++i) out[i] += row_[index[i]] * weight[i];
    }
  }

  void integer_row(const uint8_t* pixels, Span to, int32_t* out) {
    const Axis& x = plan_.x;
    const bool blocks = plan_.method == Method::area_integer;
    for (int i = to.begin; i < to.end; ++i) {
      int32_t sum = 0;
      for (int k = 0; k < x.taps; ++k) {
        const size_t at = x.at(k, i);
        sum += pixels[x.index[at]] * (blocks ? 1 : x.integer[at]);
      }
      out[i] = sum;
    }
  }

  const float* float_source(int tap, int y) const {
    return floats_.data() + static_cast<size_t>(plan_.y.index[plan_.y.at(tap, y)]) * stride_;
  }
  const int32_t* integer_source(int tap, int y) const {
    return integers_.data() + static_cast<size_t>(plan_.y.index[plan_.y.at(tap, y)]) * width_;
  }

  void float_column(int y, Span to, uint8_t* out) {
    float* sum = sum_.data() + to.begin;
    const auto count = static_cast<size_t>(to.end - to.begin);
    for (int k = 0; k < plan_.y.taps; ++k) {
      add_row(float_source(k, y) + to.begin, plan_.y.weight[plan_.y.at(k, y)], k == 0, sum, count);
    }
    round_row(sum, 1, out + to.begin, count);
  }

  void block_column(int y, Span to, uint8_t* out) {
    int32_t* sum = integer_sum_.data();
    std::fill(sum + to.begin, sum + to.end, 0);
    for (int k = 0; k < plan_.y.taps; ++k) {
      const int32_t* source = integer_source(k, y);
      for (int i = to.begin; i < to.end; ++i) sum[i] += source[i];
    }
    const int area = plan_.x.taps * plan_.y.taps;
    if (plan_.x.taps == 2 && plan_.y.taps == 2) {
      // OpenCV has an integer special case for this one: half up, not half to even.
      for (int i = to.begin; i < to.end; ++i) out[i] = static_cast<uint8_t>((sum[i] + 2) >> 2);
      return;
    }
    const float scale = 1.0F / static_cast<float>(area);
    for (int i = to.begin; i < to.end; ++i) {
      out[i] = static_cast<uint8_t>(std::nearbyint(static_cast<float>(sum[i]) * scale));
    }
  }

  void linear_column(int y, Span to, uint8_t* out) {
    const int32_t* a = integer_source(0, y);
    const int32_t* b = integer_source(1, y);
    const int32_t weight_a = plan_.y.integer[plan_.y.at(0, y)];
    const int32_t weight_b = plan_.y.integer[plan_.y.at(1, y)];
    for (int i = to.begin; i < to.end; ++i) {
      // OpenCV keeps each product within 16 bits and so truncates twice.
      const int32_t sum = ((weight_a * (a[i] >> 4)) >> 16) + ((weight_b * (b[i] >> 4)) >> 16);
      out[i] = static_cast<uint8_t>((sum + 2) >> 2);
    }
  }

  ResizePlan plan_;
  int in_width_, width_, height_;
  std::vector<Span> dirty_;    // per row of the picture: columns changed since the last finish()
  std::vector<uint8_t> copy_;  // the picture, where a plane keeps its size
  std::optional<RowSums> shuffled_;
  size_t stride_;
  std::vector<float> floats_;      // [input row][output column], area_float; rows of stride_
  std::vector<int32_t> integers_;  // for other methods
  std::vector<float> sum_;
  std::vector<int32_t> integer_sum_;
  std::vector<float> row_;
};

}  // namespace pp::pixels

#endif  // PARALLEL_POOL_SDK_PIXELS_PLANE_RESIZER_HPP_
