#include "picture/patchwork.hpp"

#include <stdexcept>
#include <utility>

namespace box2d::picture {

Patchwork::Patchwork(std::vector<int> cuts, int height)
    : cuts_(std::move(cuts)),
      width_(cuts_.back()),
      height_(height),
      pixels_(static_cast<size_t>(width_) * static_cast<size_t>(height)) {
  for (size_t patch = 0; patch + 1 < cuts_.size(); ++patch) {
    patch_of_.insert(patch_of_.end(), static_cast<size_t>(cuts_[patch + 1] - cuts_[patch]),
                     static_cast<uint16_t>(patch));
  }
  const size_t stride = (cuts_.size() + 15) / 16 * 16;
  shades_stride_ = static_cast<ptrdiff_t>(stride);
  stride_ = width_;
  all_shades_.resize(stride * static_cast<size_t>(height));
  set_upside_down(false);
}

void Patchwork::clear(Colour colour) {
  if (shade_count_ > most_shades / 2) {
    shade_count_ = 1;
    latest_ = 0;
    colours_[0] = colour;
  }
  std::fill(all_shades_.begin(), all_shades_.end(), shade_of(colour));
}

void Patchwork::set_upside_down(bool upside_down) {
  stride_ = upside_down ? -width_ : width_;
  shades_stride_ = upside_down ? -std::abs(shades_stride_) : std::abs(shades_stride_);
  const ptrdiff_t top = upside_down ? height_ - 1 : 0;
  first_ = pixels_.data() + top * width_;
  shades_first_ = all_shades_.data() + top * std::abs(shades_stride_);
}

void Patchwork::find(Colour colour) {
  const auto end = colours_.begin() + static_cast<ptrdiff_t>(shade_count_);
  const auto found = std::find(colours_.begin(), end, colour);
  if (found == end) {
    if (shade_count_ == most_shades) throw std::length_error("too many colours in a picture");
    *found = colour;
    ++shade_count_;
  }
  latest_ = static_cast<Shade>(found - colours_.begin());
}

}  // namespace box2d::picture
