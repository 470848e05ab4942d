#include "picture/smooth_scale.hpp"

#include <algorithm>
#include <cstring>

namespace box2d::picture {
namespace {

constexpr uint32_t one = 0x4000;
constexpr int weight_bits = 14;
constexpr size_t bytes = 3;

}  // namespace

SmoothScale::Axis::Axis(int size, int new_size) {
  const uint32_t length = one * static_cast<uint32_t>(size) / static_cast<uint32_t>(new_size);
  reciprocal_ = 0x40000000U / length;
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

Channels SmoothScale::Axis::last(const Area& area, Channels pixel) {
  return pixel * area.last_weight >> weight_bits;
}

template <class Of, class Sum>
Channels SmoothScale::Axis::others(const Area& area, Of of, Sum sum) {
  if (area.first_weight == 0) return sum(area.first, area.last);
  Channels result = of(area.first) * area.first_weight >> weight_bits;
  result += sum(area.first + 1, area.last);
  return result;
}

Channels SmoothScale::Axis::others(const Area& area, Channels everywhere) {
  return others(
      area, [&](int) { return everywhere; },
      [&](int first, int end) { return everywhere * static_cast<uint32_t>(end - first); });
}

Channels SmoothScale::Axis::mean(const Area& area, Channels everywhere) const {
  return mean(others(area, everywhere), last(area, everywhere));
}

SmoothScale::SmoothScale(int width, int height, int new_width, int new_height)
    : width_(width), across_(width, new_width), down_(height, new_height) {
  // Few numbers of rows and weights are there, up to rounding: what they make of each number is
  // compared.
  const auto same = [&](const Area& a, const Area& b) {
    for (uint64_t value = 0; value < 256; ++value) {
      const Channels all{value, value};
      if (down_.mean(a, all).green != down_.mean(b, all).green) return false;
    }
    return true;
  };
  for (const Area& rows : down_.areas) {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                    [&](const Area* kind) { return same(*kind, rows); });
    kind_of_rows_.push_back(static_cast<size_t>(found - kinds_.begin()));
    if (found == kinds_.end()) kinds_.push_back(&rows);
  }
  plain_.resize(Patchwork::most_shades);
  for (Plain& each : plain_) {
    each.colour = ~Colour{0};
    each.others.resize(across_.areas.size());
    each.row.resize(across_.areas.size());
    each.rgb.assign(kinds_.size(), std::vector<uint8_t>(across_.areas.size() * bytes));
  }
  shades_.resize(across_.areas.size());
  differ_.resize(across_.areas.size() + 1);
}

std::vector<int> SmoothScale::cuts() const {
  std::vector<int> result;
  for (const Area& each : across_.areas) result.push_back(each.first);
  // The last pixel, of which a part may be left over.
  if (across_.areas.back().last > across_.areas.back().first) {
    result.push_back(across_.areas.back().last);
  }
  result.push_back(width_);
  return result;
}

void SmoothScale::remember(const Patchwork& picture) {
  for (size_t shade = 0; shade < picture.shade_count(); ++shade) {
    Plain& plain = plain_[shade];
    const Colour colour = picture.colour(static_cast<Patchwork::Shade>(shade));
    if (plain.colour == colour) continue;
    plain.colour = colour;
    for (size_t column = 0; column < plain.row.size(); ++column) {
      const Area& area = across_.areas[column];
      plain.others[column] = Axis::others(area, Channels::of(colour));
      plain.row[column] = across_.mean(area, Channels::of(colour));
      for (size_t kind = 0; kind < kinds_.size(); ++kind) {
        down_.mean(*kinds_[kind], plain.row[column]).write(&plain.rgb[kind][column * bytes]);
      }
    }
  }
}

// The shade of each area of those rows; mixed where a patch of the area, or the patch that follows,
// has another one.
void SmoothScale::compare(const Patchwork& picture, const Area& rows) {
  const Shade* const shades = picture.shades(rows.first);
  std::fill(differ_.begin(), differ_.end(), Shade{0});
  for (int y = rows.first + 1; y <= rows.last; ++y) {
    const Shade* const others = picture.shades(y);
    for (size_t i = 0; i < differ_.size(); ++i) {
      differ_[i] = static_cast<Shade>(differ_[i] | (shades[i] ^ others[i]));
    }
  }
  for (size_t i = 0; i < shades_.size(); ++i) {
    const int differ = differ_[i] | differ_[i + 1] | (shades[i] ^ shades[i + 1]);
    shades_[i] = differ == 0 ? shades[i] : Patchwork::mixed;
  }
}

Channels SmoothScale::mean_of_row(const Patchwork& picture, int y, size_t column) const {
  const Shade* const shades = picture.shades(y) + column;
  const Shade shade = shades[0];
  if (shade != Patchwork::mixed && shade == shades[1]) return plain_[shade].row[column];
  const Area& area = across_.areas[column];
  const Channels last = Axis::last(area, Channels::of(picture.at(area.last, y)));
  if (shade != Patchwork::mixed) return across_.mean(plain_[shade].others[column], last);
  const Colour* const row = picture.row(y);
  return across_.mean(
      Axis::others(
          area, [&](int x) { return Channels::of(row[x]); },
          [&](int first, int end) { return Channels::of(row + first, end - first); }),
      last);
}

Channels SmoothScale::mean_of_area(const Patchwork& picture, const Area& rows,
                                   size_t column) const {
  const auto mean_of = [&](int y) { return mean_of_row(picture, y, column); };
  const auto sum = [&](int first, int end) {
    Channels result;
    for (int y = first; y < end; ++y) result += mean_of(y);
    return result;
  };
  return down_.mean(Axis::others(rows, mean_of, sum), Axis::last(rows, mean_of(rows.last)));
}

void SmoothScale::operator()(const Patchwork& picture, uint8_t* rgb) {
  remember(picture);
  const size_t columns = shades_.size();
  for (size_t i = 0; i < down_.areas.size(); ++i, rgb += columns * bytes) {
    const Area& rows = down_.areas[i];
    compare(picture, rows);
    for (size_t column = 0; column < columns;) {
      const Shade shade = shades_[column];
      const size_t begin = column;
      if (shade == Patchwork::mixed) {
        mean_of_area(picture, rows, column++).write(rgb + begin * bytes);
        continue;
      }
      while (column < columns && shades_[column] == shade) ++column;
      std::memcpy(rgb + begin * bytes, &plain_[shade].rgb[kind_of_rows_[i]][begin * bytes],
                  (column - begin) * bytes);
    }
  }
}

}  // namespace box2d::picture
