// The image of an observation, as the options ask.
#ifndef PARALLEL_POOL_MINIGRID_OBSERVATION_HPP_
#define PARALLEL_POOL_MINIGRID_OBSERVATION_HPP_

#include <map>
#include <memory>

#include "grid/tiles.hpp"
#include "grid/view.hpp"
#include "options.hpp"

namespace minigrid {

// Gives the image of a grid of this size its shape, dtype and bounds.
void describe_image(pp::Field& image, const CommonOptions& options, int w, int h);

// Applies the options of all environments to this one.
void prepare(World& world, const CommonOptions& options);

// Tiles by their size, shared by the lanes of a kernel.
using TileSets = std::map<int, std::shared_ptr<Tiles>>;

// Observes one lane: lanes of different options may have images of one shape.
class Observer {
 public:
  Observer(const CommonOptions& options, TileSets& sets);

  bool highlights() const { return highlight_; }
  size_t image_bytes(const World& world) const;
  void write(const World& world, uint8_t* image) const {
    if (image_ == Image::partial) return see(world, image);
    write_other(world, image);
  }

 private:
  void write_other(const World& world, uint8_t* image) const;
  void write_one_hot(const World& world, uint8_t* image) const;

  Image image_;
  int view_;
  int tile_size_;
  bool highlight_;
  std::shared_ptr<Tiles> tiles_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_OBSERVATION_HPP_
