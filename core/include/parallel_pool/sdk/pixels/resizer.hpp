// parallel_pool/sdk/pixels/resizer.hpp: pictures of any size and number of channels to another
// size.
//
//   Resizer shrink({240, 320, 3}, {84, 84}, Interpolation::area);   // once
//   shrink.run(rgb, Channels::last, obs.data(), Channels::first);    // (3, 84, 84)
//
// Promises the bits of OpenCV's cv2.resize for 8-bit pictures (resize_plan.hpp). No allocation
// after construction.
#ifndef PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_
#define PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_pool/sdk/pixels/plane_resizer.hpp"

namespace pp::pixels {

// Whether the values of a pixel follow each other, (height, width, channels), or each channel is a
// plane, (channels, height, width).
enum class Channels { last, first };

// The size of a picture.
struct PictureSize {
  int height;
  int width;
  int channels = 1;
};

// Turns pictures of one size into pictures of another.
class Resizer {
 public:
  // `to.channels` is not looked at: pictures keep their channels.
  Resizer(PictureSize from, PictureSize to, Interpolation interpolation)
      : from_(from),
        to_{to.height, to.width, from.channels},
        plane_(from.height, from.width, to.height, to.width, interpolation),
        row_(static_cast<size_t>(from.width)),
        picture_(static_cast<size_t>(to.height) * static_cast<size_t>(to.width)) {}

  PictureSize size() const { return to_; }
  size_t bytes() const { return picture_.size() * static_cast<size_t>(to_.channels); }

  // `out` holds bytes() bytes and is not `in`.
  void run(const uint8_t* in, Channels in_order, uint8_t* out, Channels out_order) {
    const auto channels = static_cast<size_t>(from_.channels);
    for (size_t channel = 0; channel < channels; ++channel) {
      set_rows(in, in_order, channel);
      if (out_order == Channels::first || channels == 1) {
        uint8_t* plane = out + channel * picture_.size();
        plane_.finish(plane, plane);
      } else {
        plane_.finish(picture_.data(), picture_.data());
        for (size_t i = 0; i < picture_.size(); ++i) out[i * channels + channel] = picture_[i];
      }
    }
  }

 private:
  void set_rows(const uint8_t* in, Channels order, size_t channel) {
    const auto channels = static_cast<size_t>(from_.channels);
    const auto width = static_cast<size_t>(from_.width);
    for (int y = 0; y < from_.height; ++y) {
      const auto row = static_cast<size_t>(y);
      if (order == Channels::first || channels == 1) {
        const auto height = static_cast<size_t>(from_.height);
        plane_.set_row(y, in + (channel * height + row) * width);
      } else {
        const uint8_t* pixel = in + row * width * channels + channel;
        for (size_t x = 0; x < width; ++x, pixel += channels) row_[x] = *pixel;
        plane_.set_row(y, row_.data());
      }
    }
  }

  PictureSize from_;
  PictureSize to_;
  PlaneResizer plane_;
  std::vector<uint8_t> row_;      // one channel of a row
  std::vector<uint8_t> picture_;  // one channel of the result
};

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_
