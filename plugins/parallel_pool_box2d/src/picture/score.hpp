// The score in the corner of CarRacing's pictures, in the font that pygame has
// (python/parallel_pool_box2d/_score_font.py).
#ifndef PARALLEL_POOL_BOX2D_PICTURE_SCORE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_SCORE_HPP_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "picture/patchwork.hpp"

namespace box2d::picture {

class Score {
 public:
  static constexpr int least = -1000;
  static constexpr int most = 1000;

  // hex: height; width and grey rows of "-" and the ten digits; for each score of least to most,
  // and for -0, its number of characters, width and the first column of each. All are bytes.
  // std::invalid_argument if there are more or fewer.
  explicit Score(const std::string& hex);
  // In white on black, its middle at (x, y). A score beyond least and most shows as the nearest
  // of them.
  void draw(Patchwork& picture, double score, int x, int y) const;

 private:
  struct Glyph {
    int width;
    std::vector<uint8_t> grey;
  };
  struct Text {
    int width;
    size_t first;  // the first of its places
    size_t length;
  };

  int height_;
  std::array<Glyph, 11> glyphs_;
  std::vector<uint8_t> places_;
  std::vector<Text> texts_;
};

}  // namespace box2d::picture

#endif
