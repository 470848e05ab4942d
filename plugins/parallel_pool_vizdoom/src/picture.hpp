// One picture of an observation: what the engine has drawn, resized, stacked and laid out as the
// options say.
#ifndef PARALLEL_POOL_VIZDOOM_PICTURE_HPP_
#define PARALLEL_POOL_VIZDOOM_PICTURE_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "options.hpp"
#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "parallel_pool/sdk/pixels/resizer.hpp"
#include "scenario_settings.hpp"

namespace doom {

// The way in which pixels become one: their mean, or the one in the middle where numbers are names.
enum class Shrinking { area, nearest };

class Picture {
 public:
  static std::vector<int64_t> shape(const DoomOptions& options, const ScenarioSettings& scenario,
                                    int channels) {
    const int64_t depth = channels * options.stack_num;
    const pp::pixels::PictureSize to = size_of(options, scenario, channels);
    if (options.channels_last) return {to.height, to.width, depth};
    return {depth, to.height, to.width};
  }

  Picture(const DoomOptions& options, const ScenarioSettings& scenario, int channels,
          Shrinking shrinking)
      : from_{static_cast<int>(scenario.screen_height), static_cast<int>(scenario.screen_width),
              channels},
        to_(size_of(options, scenario, channels)),
        order_(options.channels_last ? Channels::last : Channels::first) {
    if (from_.height != to_.height || from_.width != to_.width) {
      if (shrinking == Shrinking::area) {
        resizer_.emplace(from_, to_, pp::pixels::Interpolation::area);
      } else {
        set_nearest();
      }
    }
    const auto frame = static_cast<size_t>(to_.height) * static_cast<size_t>(to_.width) *
                       static_cast<size_t>(channels);
    if (options.stack_num > 1) stack_.emplace(static_cast<size_t>(options.stack_num), frame);
  }

  bool stacks() const { return stack_.has_value(); }

  // `drawn` is (height, width, channels). `first`: of an episode.
  void observe(const uint8_t* drawn, uint8_t* out, bool first) {
    if (!stack_) {
      lay_out(drawn, out);
      return;
    }
    lay_out(drawn, stack_->next());
    stack_->push();
    if (first) stack_->restart(pp::pixels::Padding::repeat);
    if (order_ == Channels::last) {
      stack_->write_channels_last(out, static_cast<size_t>(from_.channels));
    } else {
      stack_->write(out);
    }
  }

 private:
  using Channels = pp::pixels::Channels;

  static pp::pixels::PictureSize size_of(const DoomOptions& options,
                                         const ScenarioSettings& scenario, int channels) {
    const auto chosen = [](int64_t wanted, int64_t drawn) {
      return static_cast<int>(wanted != 0 ? wanted : drawn);
    };
    return {chosen(options.img_height, scenario.screen_height),
            chosen(options.img_width, scenario.screen_width), channels};
  }
  void set_nearest() {
    for (int y = 0; y < to_.height; ++y) {
      for (int x = 0; x < to_.width; ++x) {
        const int from_y = (2 * y + 1) * from_.height / (2 * to_.height);
        const int from_x = (2 * x + 1) * from_.width / (2 * to_.width);
        nearest_.push_back(static_cast<size_t>(from_y * from_.width + from_x));
      }
    }
  }

  void lay_out(const uint8_t* drawn, uint8_t* out) {
    const auto channels = static_cast<size_t>(from_.channels);
    if (resizer_) {
      resizer_->run(drawn, Channels::last, out, order_);
      return;
    }
    const size_t pixels = static_cast<size_t>(to_.height) * static_cast<size_t>(to_.width);
    if (!nearest_.empty()) {  // only for one channel
      for (size_t i = 0; i < pixels; ++i) out[i] = drawn[nearest_[i]];
    } else if (channels == 1 || order_ == Channels::last) {
      std::memcpy(out, drawn, pixels * channels);
    } else {
      for (size_t channel = 0; channel < channels; ++channel) {
        for (size_t i = 0; i < pixels; ++i) *out++ = drawn[i * channels + channel];
      }
    }
  }

  const pp::pixels::PictureSize from_;
  const pp::pixels::PictureSize to_;
  const Channels order_;
  std::optional<pp::pixels::Resizer> resizer_;
  std::vector<size_t> nearest_;  // the source of each pixel; empty: it is not resized so
  std::optional<pp::pixels::FrameStack<uint8_t>> stack_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_PICTURE_HPP_
