#include "picture/patchwork.hpp"

#include <stdexcept>
#include <utility>

namespace box2d::picture {

Patchwork::Patchwork(std::vector<int> cuts, int height)
    : cuts_(std::move(cuts)), width_(cuts_.back()), height_(height) {
  const size_t patches = cuts_.size() - 1;
  int widest = 0;
  for (size_t i = 0; i < patches; ++i) widest = std::max(widest, cuts_[i + 1] - cuts_[i]);
  patch_size_ = static_cast<size_t>((widest + block - 1) / block * block);
  for (size_t i = 0; i < patches; ++i) {
    for (int x = cuts_[i]; x < cuts_[i + 1]; ++x) {
      places_.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(x - cuts_[i])});
    }
  }
  patch_stride_ = patch_size_ * static_cast<size_t>(height);
  pixels_.resize(patches * patch_stride_);
  all_shades_.resize(patches * static_cast<size_t>(height));
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
  const auto patches = static_cast<ptrdiff_t>(cuts_.size() - 1);
  const auto size = static_cast<ptrdiff_t>(patch_size_);
  const ptrdiff_t top = upside_down ? height_ - 1 : 0;
  first_shades_ = all_shades_.data() + top * patches;
  first_pixel_ = pixels_.data() + top * size;
  shades_stride_ = upside_down ? -patches : patches;
  pixels_stride_ = upside_down ? -size : size;
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
