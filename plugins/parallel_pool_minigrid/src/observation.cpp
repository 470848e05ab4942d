#include "observation.hpp"

#include <stdexcept>

namespace minigrid {
namespace {

constexpr int one_hot_types = 11;
constexpr int one_hot_colors = 6;
constexpr int one_hot_bits = one_hot_types + one_hot_colors + 3;

}  // namespace

void describe_image(pp::Field& image, const CommonOptions& options, int w, int h) {
  const int64_t view = options.agent_view_size, tile = options.tile_size;
  if (view % 2 == 0) throw std::invalid_argument("agent_view_size has to be odd");
  switch (options.image) {
    case Image::partial:
      image.shaped({view, view, 3});
      break;
    case Image::full:
      image.shaped({w, h, 3});
      break;
    case Image::symbolic: {
      image.shaped({w, h, 3}).dtype = PP_INT64;
      std::vector<double> low, high;
      for (int n = 0; n < w * h; ++n) {
        low.insert(low.end(), {0.0, 0.0, -1.0});
        high.insert(high.end(), {w - 1.0, h - 1.0, static_cast<double>(Type::agent)});
      }
      image.bounds(low, high);
      break;
    }
    case Image::one_hot:
      image.shaped({view, view, one_hot_bits});
      break;
    case Image::rgb:
      image.shaped({h * tile, w * tile, 3});
      break;
    case Image::rgb_partial:
      image.shaped({view * tile, view * tile, 3});
      break;
  }
}

void prepare(World& world, const CommonOptions& options) {
  world.view = static_cast<int>(options.agent_view_size);
  world.border = world.view - 1;
  if (options.max_steps > 0) {
    world.max_steps = static_cast<int>(options.max_steps);
    world.limit_given = true;
  }
}

Observer::Observer(const CommonOptions& options, TileSets& sets)
    : image_(options.image),
      view_(static_cast<int>(options.agent_view_size)),
      tile_size_(static_cast<int>(options.tile_size)),
      highlight_(options.highlight) {
  if (image_ != Image::rgb && image_ != Image::rgb_partial) return;
  std::shared_ptr<Tiles>& tiles = sets[tile_size_];
  if (tiles == nullptr) tiles = std::make_shared<Tiles>(tile_size_);
  tiles_ = tiles;
}

size_t Observer::image_bytes(const World& world) const {
  int size = 0;
  switch (image_) {
    case Image::partial:
      size = view_ * view_ * 3;
      break;
    case Image::full:
      size = world.w * world.h * 3;
      break;
    case Image::symbolic:
      size = world.w * world.h * 3 * static_cast<int>(sizeof(int64_t));
      break;
    case Image::one_hot:
      size = view_ * view_ * one_hot_bits;
      break;
    case Image::rgb:
      size = world.w * world.h * tile_size_ * tile_size_ * 3;
      break;
    case Image::rgb_partial:
      size = view_ * view_ * tile_size_ * tile_size_ * 3;
      break;
  }
  return static_cast<size_t>(size);
}

void Observer::write_one_hot(const World& world, uint8_t* image) const {
  std::array<uint8_t, largest_view * largest_view * 3> codes;
  see(world, codes.data());
  std::fill_n(image, image_bytes(world), uint8_t{0});
  for (int n = 0; n < view_ * view_; ++n, image += one_hot_bits) {
    const uint8_t* code = codes.data() + 3 * n;
    image[code[0]] = 1;
    image[one_hot_types + code[1]] = 1;
    image[one_hot_types + one_hot_colors + code[2]] = 1;
  }
}

void Observer::write_other(const World& world, uint8_t* image) const {
  switch (image_) {
    case Image::partial:
      break;
    case Image::full:
      see_all(world, image);
      break;
    case Image::symbolic:
      list_all(world, reinterpret_cast<int64_t*>(image));
      break;
    case Image::one_hot:
      write_one_hot(world, image);
      break;
    case Image::rgb:
      tiles_->draw_all(world, highlight_, image);
      break;
    case Image::rgb_partial:
      tiles_->draw_view(world, image);
      break;
  }
}

}  // namespace minigrid
