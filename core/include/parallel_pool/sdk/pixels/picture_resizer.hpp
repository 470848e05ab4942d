// parallel_pool/sdk/pixels/picture_resizer.hpp: shrinks whole pictures of interleaved channels with
// the processor's shuffles.
//
// Resizer (resizer.hpp) uses it where it can. The bits are those of PlaneResizer. No allocation
// after construction.
#ifndef PARALLEL_POOL_SDK_PIXELS_PICTURE_RESIZER_HPP_
#define PARALLEL_POOL_SDK_PIXELS_PICTURE_RESIZER_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_pool/sdk/pixels/float_columns.hpp"
#include "parallel_pool/sdk/pixels/resize_plan.hpp"
#include "parallel_pool/sdk/pixels/row_sums.hpp"

namespace pp::pixels {

class PictureResizer {
 public:
  static bool possible(const ResizePlan& plan, int width) {
    return plan.method == Method::area_float && RowSums::possible(width);
  }

  PictureResizer(const ResizePlan& plan, int width, int channels)
      : y_(plan.y),
        width_(static_cast<size_t>(plan.x.size)),
        channels_(static_cast<size_t>(channels)),
        stride_(static_cast<size_t>(width) * channels_),
        row_(plan.x, width, channels),
        rows_(static_cast<size_t>(y_.taps) * row_.floats()),
        sums_(row_.floats()) {}

  // Pixels of `in` follow each other; those of `out` too (`planes` false), or each channel is a
  // plane.
  void run(const uint8_t* in, uint8_t* out, bool planes) {
    int next = 0;  // the first row without sums
    const auto height = static_cast<size_t>(y_.size);
    for (int y = 0; y < y_.size; ++y) {
      for (int k = 0; k < y_.taps; ++k) {
        const size_t tap = y_.at(k, y);
        const float weight = y_.weight[tap];
        if (k > 0 && weight == 0.0F) break;  // the last rows have fewer taps
        const int index = y_.index[tap];
        next = std::max(next, index);
        float* sums = rows_.data() + static_cast<size_t>(index % y_.taps) * row_.floats();
        if (index == next) {
          row_.run(in + static_cast<size_t>(index) * stride_, sums);
          ++next;
        }
        add_row(sums, weight, k == 0, sums_.data(), sums_.size());
      }
      const size_t row = static_cast<size_t>(y) * width_;
      if (!planes || channels_ == 1) {
        round_row(sums_.data(), 1, out + row * channels_, width_ * channels_);
        continue;
      }
      for (size_t channel = 0; channel < channels_; ++channel) {
        uint8_t* plane = out + (channel * height * width_ + row);
        round_row(sums_.data() + channel, channels_, plane, width_);
      }
    }
  }

 private:
  Axis y_;
  size_t width_, channels_, stride_;
  RowSums row_;
  std::vector<float> rows_;  // the sums of row i at i modulo the number of taps
  std::vector<float> sums_;
};

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_PICTURE_RESIZER_HPP_
