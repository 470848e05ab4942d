// SPDX-License-Identifier: GPL-2.0-only
// From one or two emulator screens to one observation frame: colours, maximum of the two, resize.
//
// Promises the bits of `cv2.resize(np.maximum(f(a), f(b)), (width, height))` where f is ALE's grey
// or RGB conversion (RGB: per channel, result as three planes, R first). Keeps the two screens it
// was given last and does over only what changed in either, row by row. No allocation per call.

#ifndef PARALLEL_POOL_ATARI_PREPROCESS_HPP_
#define PARALLEL_POOL_ATARI_PREPROCESS_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator.hpp"
#include "parallel_pool/sdk/pixels/plane_resizer.hpp"
#include "row_changes.hpp"
#include "row_shades.hpp"

namespace pp::atari {

class Preprocessor {
 public:
  Preprocessor(const Palette& palette, int screen_height, bool grayscale, int out_height,
               int out_width, pixels::Interpolation interpolation)
      : screen_height_(screen_height),
        plane_size_(static_cast<size_t>(out_height) * out_width),
        seen_a_(static_cast<size_t>(screen_height) * screen_width),
        seen_b_(seen_a_.size()) {
    const int planes = grayscale ? 1 : 3;
    for (int p = 0; p < planes; ++p) {
      tables_.push_back(grayscale ? palette.gray : palette.rgb[p]);
      resizers_.emplace_back(screen_height, screen_width, out_height, out_width, interpolation);
    }
  }

  size_t screen_size() const { return seen_a_.size(); }
  size_t frame_size() const { return plane_size_ * resizers_.size(); }

  // Writes the frame for the maximum of screens `a` and `b` (the same pointer twice: one screen) to
  // `out`. `last` is the frame that the call before wrote.
  void run(const uint8_t* a, const uint8_t* b, const uint8_t* last, uint8_t* out) {
    for (int y = 0; y < screen_height_; ++y) {
      const size_t at = static_cast<size_t>(y) * screen_width;
      pixels::Span changed = watch_({a + at, b + at, &seen_a_[at], &seen_b_[at]});
      if (!valid_) changed = {0, screen_width};
      if (changed.empty()) continue;
      const pixels::Span columns = resizers_[0].columns_of(changed);
      const pixels::Span pixels = resizers_[0].pixels_of(columns);
      for (size_t p = 0; p < resizers_.size(); ++p) {
        shade_(tables_[p], a + at, b + at, pixels.begin, pixels.end, row_.data());
        resizers_[p].set_row(y, row_.data(), columns);
      }
    }
    valid_ = true;
    finish(last, out);
  }

  // The frame for the maximum of the two screens of the last run and `c`. Gymnasium shows this when
  // an episode ends in the last frame of a step. The next run starts afresh.
  void run_on_top(const uint8_t* c, uint8_t* out) {
    for (int y = 0; y < screen_height_; ++y) {
      const size_t at = static_cast<size_t>(y) * screen_width;
      for (size_t p = 0; p < resizers_.size(); ++p) {
        const auto& table = tables_[p];
        std::array<uint8_t, screen_width> row;
        for (int x = 0; x < screen_width; ++x) {
          const uint8_t seen = std::max(table[seen_a_[at + x]], table[seen_b_[at + x]]);
          row[x] = std::max(seen, table[c[at + x]]);
        }
        resizers_[p].set_row(y, row.data());
      }
    }
    forget();
    finish(out, out);
  }

  // Makes the next run compute every row. Needed when `last` is not the frame of the run before.
  void forget() { valid_ = false; }

  // Takes `fill(a, b)`'s word for what the two screens of the last run were.
  template <class Fill>
  void remember(const Fill& fill) {
    fill(seen_a_.data(), seen_b_.data());
    forget();
  }

 private:
  void finish(const uint8_t* last, uint8_t* out) {
    for (size_t p = 0; p < resizers_.size(); ++p) {
      resizers_[p].finish(last + p * plane_size_, out + p * plane_size_);
    }
  }

  int screen_height_;
  size_t plane_size_;
  std::vector<ShadeTable> tables_;  // per plane: palette index -> value
  std::vector<pixels::PlaneResizer> resizers_;
  std::vector<uint8_t> seen_a_, seen_b_;
  std::array<uint8_t, screen_width> row_{};
  RowWatcher watch_ = best_row_watcher();
  RowShader shade_ = best_row_shader();
  bool valid_ = false;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_PREPROCESS_HPP_
