#include "picture/score.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace box2d::picture {
namespace {

class Bytes {
 public:
  explicit Bytes(const std::string& hex) : hex_(hex) {}
  uint8_t next() {
    if (at_ + 2 > hex_.size()) throw std::invalid_argument("the font of the score is cut short");
    const int value = digit(hex_[at_]) * 16 + digit(hex_[at_ + 1]);
    at_ += 2;
    return static_cast<uint8_t>(value);
  }
  bool done() const { return at_ == hex_.size(); }

 private:
  static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::invalid_argument("the font of the score has a digit that is not hexadecimal");
  }
  const std::string& hex_;
  size_t at_ = 0;
};

}  // namespace

Score::Score(const std::string& hex) {
  Bytes bytes(hex);
  height_ = bytes.next();
  for (Glyph& each : glyphs_) {
    each.width = bytes.next();
    each.grey.resize(static_cast<size_t>(each.width) * static_cast<size_t>(height_));
    for (uint8_t& grey : each.grey) grey = bytes.next();
  }
  for (int score = least; score <= most + 1; ++score) {
    Text text{0, places_.size(), bytes.next()};
    text.width = bytes.next();
    for (size_t i = 0; i < text.length; ++i) places_.push_back(bytes.next());
    texts_.push_back(text);
  }
  if (!bytes.done()) throw std::invalid_argument("the font of the score goes on after its end");
}

void Score::draw(Patchwork& picture, double score, int x, int y) const {
  char digits[16];
  const double shown = std::clamp<double>(score, least, most);
  const int length = std::snprintf(digits, sizeof digits, "%04.0f", shown);
  const int whole = std::atoi(digits);
  const bool below_zero = whole == 0 && digits[0] == '-';
  const Text& text = below_zero ? texts_.back() : texts_[static_cast<size_t>(whole - least)];
  const int left = x - text.width / 2;
  const int top = y - height_ / 2;
  for (int row = 0; row < height_; ++row) picture.span(left, left + text.width - 1, top + row, 0);
  for (size_t i = 0; i < std::min(text.length, static_cast<size_t>(length)); ++i) {
    const Glyph& glyph = glyphs_[digits[i] == '-' ? 0 : static_cast<size_t>(digits[i] - '0') + 1];
    const int from = left + places_[text.first + i];
    for (int row = 0; row < height_; ++row) {
      for (int column = 0; column < glyph.width; ++column) {
        const int grey = glyph.grey[static_cast<size_t>(row * glyph.width + column)];
        const int x = from + column;
        if (grey == 0 || !picture.has(x, top + row)) continue;
        picture.set(x, top + row, std::max(picture.at(x, top + row), rgb(grey, grey, grey)));
      }
    }
  }
}

}  // namespace box2d::picture
