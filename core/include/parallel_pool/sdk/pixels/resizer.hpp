// parallel_pool/sdk/pixels/resizer.hpp: pictures of any size and number of channels to another
// size.
//
//   Resizer shrink({240, 320, 3}, {84, 84}, Interpolation::area);   // once
//   shrink.run(rgb, Channels::last, obs.data(), Channels::first);    // (3, 84, 84)
//
// Promises the bits of OpenCV's cv2.resize for 8-bit pictures (resize_plan.hpp) of 1, 3 or 4
// channels; with 2, OpenCV rounds some values of exact halves by another rule. No allocation
// after construction.
#ifndef PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_
#define PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "parallel_pool/sdk/pixels/picture_resizer.hpp"
#include "parallel_pool/sdk/pixels/plane_resizer.hpp"

namespace pp::pixels {

// The order of a picture: the values of a pixel follow each other, (height, width, channels), or
// each channel is a plane, (channels, height, width).
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
        picture_(static_cast<size_t>(to.height) * static_cast<size_t>(to.width)) {
    const ResizePlan plan(from.height, from.width, to.height, to.width, interpolation);
    if (PictureResizer::possible(plan, from.width)) {
      whole_.emplace(plan, from.width, from.channels);
      if (from.channels > 1) channel_.emplace(plan, from.width, 1);
    } else {
      plane_.emplace(from.height, from.width, to.height, to.width, interpolation);
      row_.resize(static_cast<size_t>(from.width));
    }
  }

  PictureSize size() const { return to_; }
  size_t bytes() const { return picture_.size() * static_cast<size_t>(to_.channels); }

  // `out` holds bytes() bytes and is not `in`.
  void run(const uint8_t* in, Channels in_order, uint8_t* out, Channels out_order) {
    const auto channels = static_cast<size_t>(from_.channels);
    if (whole_ && (in_order == Channels::last || channels == 1)) {
      whole_->run(in, out, out_order == Channels::first);
      return;
    }
    for (size_t channel = 0; channel < channels; ++channel) {
      if (out_order == Channels::first || channels == 1) {
        run_channel(in, in_order, channel, out + channel * picture_.size());
      } else {
        run_channel(in, in_order, channel, picture_.data());
        for (size_t i = 0; i < picture_.size(); ++i) out[i * channels + channel] = picture_[i];
      }
    }
  }

 private:
  void run_channel(const uint8_t* in, Channels order, size_t channel, uint8_t* plane) {
    const auto channels = static_cast<size_t>(from_.channels);
    const auto width = static_cast<size_t>(from_.width);
    const auto height = static_cast<size_t>(from_.height);
    if (channel_) {
      channel_->run(in + channel * height * width, plane, true);
      return;
    }
    for (int y = 0; y < from_.height; ++y) {
      const auto row = static_cast<size_t>(y);
      if (order == Channels::first || channels == 1) {
        plane_->set_row(y, in + (channel * height + row) * width);
      } else {
        const uint8_t* pixel = in + row * width * channels + channel;
        for (size_t x = 0; x < width; ++x, pixel += channels) row_[x] = *pixel;
        plane_->set_row(y, row_.data());
      }
    }
    plane_->finish(plane, plane);
  }

  PictureSize from_;
  PictureSize to_;
  std::optional<PictureResizer> whole_;    // all channels of pixels at once
  std::optional<PictureResizer> channel_;  // one plane of several
  std::optional<PlaneResizer> plane_;      // used if neither of those can be
  std::vector<uint8_t> row_;               // one channel of a row, for plane_
  std::vector<uint8_t> picture_;           // one channel of the result
};

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_RESIZER_HPP_
