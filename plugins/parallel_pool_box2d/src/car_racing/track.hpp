// The track of CarRacing: a closed road of four-cornered tiles, drawn as in Gymnasium's
// CarRacing._create_track, draw by draw.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_TRACK_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_TRACK_HPP_

#include <array>
#include <parallel_pool/rng.hpp>
#include <vector>

#include "engine/bodies.hpp"

namespace box2d::racing {

constexpr double scale = 6.0;
constexpr double playfield = 2000 / scale;  // the car may not leave -playfield to playfield
constexpr double track_radius = 900 / scale;
constexpr double track_width = 40 / scale;
constexpr double track_step = 21 / scale;
constexpr double turn_rate = 0.31;
constexpr double curb_width = 8 / scale;

using Quad = std::array<Point, 4>;

struct Track {
  struct Place {
    double alpha;  // around the middle of the field
    double beta;   // direction of the road
    double x;
    double y;
  };
  struct Curb {
    size_t tile;  // behind which it is drawn
    Quad corners;
  };

  std::vector<Place> places;  // places of the tiles
  std::vector<Quad> tiles;
  std::vector<Curb> curbs;  // red and white, in sharp turns

  // Draws until there is a track that closes, as Gymnasium does.
  void generate(pp::Rng& rng);

 private:
  bool try_to_generate(pp::Rng& rng);
  void walk(pp::Rng& rng);
  bool keep_one_lap();
  void make_tiles();
  std::vector<bool> sharp_turns() const;
};

}  // namespace box2d::racing

#endif
