#include "picture/smooth_scale.hpp"

#include <algorithm>
#include <cstring>

namespace box2d::picture {
namespace {

constexpr uint32_t one = 0x4000;
constexpr int weight_bits = 14;
constexpr size_t bytes = 3;

}  // namespace

Channels SmoothScale::Area::others(Channels everywhere) const {
  Channels result = everywhere.scaled(first_weight, weight_bits);
  result += everywhere * static_cast<uint32_t>(last - first_whole());
  return result;
}

inline Channels SmoothScale::Area::last_of(Channels pixel) const {
  return pixel.scaled(last_weight, weight_bits);
}

SmoothScale::Axis::Axis(int size, int new_size) {
  const uint32_t length = one * static_cast<uint32_t>(size) / static_cast<uint32_t>(new_size);
  reciprocal = 0x40000000U / length;
  uint32_t left = length;
  Area area{0, 0, 0, 0};
  for (int i = 0; i < size; ++i) {
    if (left > one) {
      left -= one;
      continue;
    }
    area.last = i;
    area.last_weight = left;
    areas.push_back(area);
    const uint32_t rest = one - left;
    area = {i, 0, rest, 0};
    left = length - rest;
    if (rest == 0) area = {i + 1, 0, 0, 0};
  }
  areas.resize(static_cast<size_t>(new_size));
}

inline Channels SmoothScale::Axis::mean(Channels others, Channels last) const {
  others += last;
  return others.scaled(reciprocal, 16);
}

Channels SmoothScale::Axis::mean(const Area& area, Channels everywhere) const {
  return mean(area.others(everywhere), area.last_of(everywhere));
}

SmoothScale::SmoothScale(int width, int height, int new_width, int new_height)
    : across_(width, new_width), down_(height, new_height), picture_(cuts(across_, width), height) {
  compare_rows();
  prepare_columns();
  constexpr Colour none = ~Colour{0};
  remembered_.assign(Patchwork::most_shades, none);
  shares_.resize(Patchwork::most_shades * columns_.size());
  plain_.resize(Patchwork::most_shades * kinds_.size() * columns_.size() * bytes);
  shades_.resize(columns_.size());
  differ_.resize(columns_.size() + 1);
}

std::vector<int> SmoothScale::cuts(const Axis& across, int width) {
  std::vector<int> result;
  for (const Area& each : across.areas) result.push_back(each.first);
  // The last pixel, of which a part may be left over.
  result.push_back(across.areas.back().last);
  result.push_back(width);
  return result;
}

void SmoothScale::compare_rows() {
  const auto same = [&](const Area& a, const Area& b) {
    for (uint64_t value = 0; value < 256; ++value) {
      const Channels all(value, value, value);
      if (!(down_.mean(a, all) == down_.mean(b, all))) return false;
    }
    return true;
  };
  for (const Area& rows : down_.areas) {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                    [&](const Area* kind) { return same(*kind, rows); });
    kind_of_rows_.push_back(static_cast<size_t>(found - kinds_.begin()));
    if (found == kinds_.end()) kinds_.push_back(&rows);
  }
}

void SmoothScale::prepare_columns() {
  const size_t size = picture_.patch_size();
  for (size_t i = 0; i < across_.areas.size(); ++i) {
    const Area& area = across_.areas[i];
    const bool in_next = i + 1 == across_.areas.size() || area.last == across_.areas[i + 1].first;
    const auto length = static_cast<size_t>(area.last - area.first);
    columns_.push_back({area, in_next ? size_t{1} : 0, in_next ? 0 : length});
    masks_.resize(masks_.size() + size);
    const auto first = masks_.end() - static_cast<ptrdiff_t>(size);
    std::fill(first + (area.first_whole() - area.first), first + static_cast<ptrdiff_t>(length),
              ~Colour{0});
  }
}

void SmoothScale::remember_colours() {
  for (size_t i = 0; i < picture_.shade_count(); ++i) {
    const auto shade = static_cast<Shade>(i);
    const Colour colour = picture_.colour(shade);
    if (remembered_[i] == colour) continue;
    remembered_[i] = colour;
    const Channels everywhere(colour);
    for (size_t column = 0; column < columns_.size(); ++column) {
      const Area& area = columns_[column].area;
      const Channels mean = across_.mean(area, everywhere);
      shares_[column * Patchwork::most_shades + i] = {area.others(everywhere),
                                                      area.last_of(everywhere), mean};
      for (size_t kind = 0; kind < kinds_.size(); ++kind) {
        down_.mean(*kinds_[kind], mean).write(plain(shade, kind) + column * bytes);
      }
    }
  }
}

// The shade of each area of those rows; mixed where a patch of the area, or the patch that follows,
// has another one.
void SmoothScale::compare_patches(const Area& rows) {
  const size_t patches = differ_.size();
  const Shade* __restrict const first = picture_.shades(rows.first);
  Shade* __restrict const differ = differ_.data();
  Shade* __restrict const result = shades_.data();
  std::memset(differ, 0, patches);
  for (int y = rows.first + 1; y <= rows.last; ++y) {
    const Shade* __restrict const others = picture_.shades(y);
    for (size_t i = 0; i < patches; ++i) {
      differ[i] = static_cast<Shade>(differ[i] | (first[i] ^ others[i]));
    }
  }
  for (size_t i = 0; i + 1 < patches; ++i) {
    const auto any = static_cast<Shade>(differ[i] | differ[i + 1] | (first[i] ^ first[i + 1]));
    result[i] = static_cast<Shade>(first[i] | (any != 0 ? Patchwork::mixed : 0));
  }
}

Channels SmoothScale::mean_of_area(const Area& rows, size_t number) const {
  const size_t size = picture_.patch_size();
  const Column column = columns_[number];
  const Colour* const masks = &masks_[number * size];
  const Shares* const shares = &shares_[number * Patchwork::most_shades];
  const auto mean_of_row = [&](int y) {
    const Shade* const shades = picture_.shades(y) + number;
    const Shade shade = shades[0];
    const Shade last_shade = shades[column.last_patch];
    if (shade == last_shade && shade != Patchwork::mixed) return shares[shade].mean;
    const Colour* const pixels = picture_.pixels(y, number);
    Channels others;
    if (shade != Patchwork::mixed) {
      others = shares[shade].others;
    } else {
      others = Channels(pixels, masks, size);
      others += Channels(pixels[0]).scaled(column.area.first_weight, weight_bits);
    }
    if (last_shade != Patchwork::mixed) return across_.mean(others, shares[last_shade].last);
    const Colour* const last = picture_.pixels(y, number + column.last_patch) + column.last_pixel;
    return across_.mean(others, column.area.last_of(Channels(*last)));
  };
  Channels others;
  if (rows.first_weight != 0) {
    others = mean_of_row(rows.first).scaled(rows.first_weight, weight_bits);
  }
  for (int y = rows.first_whole(); y < rows.last; ++y) others += mean_of_row(y);
  return down_.mean(others, rows.last_of(mean_of_row(rows.last)));
}

void SmoothScale::write(uint8_t* rgb) {
  remember_colours();
  const size_t columns = columns_.size();
  for (size_t i = 0; i < down_.areas.size(); ++i, rgb += columns * bytes) {
    const Area& rows = down_.areas[i];
    compare_patches(rows);
    for (size_t column = 0; column < columns;) {
      const Shade shade = shades_[column];
      const size_t begin = column;
      if (shade == Patchwork::mixed) {
        mean_of_area(rows, column++).write(rgb + begin * bytes);
        continue;
      }
      while (column < columns && shades_[column] == shade) ++column;
      std::memcpy(rgb + begin * bytes, plain(shade, kind_of_rows_[i]) + begin * bytes,
                  (column - begin) * bytes);
    }
  }
}

}  // namespace box2d::picture
