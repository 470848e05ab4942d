// parallel_pool/sdk/render.hpp: pictures of an environment, the plugin's side.
//
//   pp::FrameSize frame_size() const { return {210, 160}; }   // height, width
//   void draw(uint8_t* rgb) const;                            // height * width * 3 bytes
//
// With these two members an environment offers the extension "pp.render/1" (a batch kernel's take
// the lane first). Drawing changes nothing that a step could notice.
#ifndef PARALLEL_POOL_SDK_RENDER_HPP_
#define PARALLEL_POOL_SDK_RENDER_HPP_

#include <cstdint>
#include <type_traits>

#include "parallel_pool/ext/render.h"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"

namespace pp {

struct FrameSize {
  uint32_t height;
  uint32_t width;
};

namespace detail {

// Detected on E&, used on const E&: a draw() that is not const is an error, not an absence.
template <class E>
struct HasDraw : std::bool_constant<takes_draw<E, uint8_t*> || takes_draw<E, uint32_t, uint8_t*>> {
};

// The extension of a shard class with `frame_size(lane)`, `draw(lane, rgb)` and `host()`.
template <class Shard>
struct RenderExtension {
  static int32_t size(void* self, uint32_t lane, uint32_t* height, uint32_t* width) noexcept {
    const auto& shard = *static_cast<const Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      const FrameSize frame = shard.frame_size(lane);
      *height = frame.height;
      *width = frame.width;
      return 0;
    });
  }
  static int32_t draw(void* self, uint32_t lane, uint8_t* rgb) noexcept {
    const auto& shard = *static_cast<const Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      shard.draw(lane, rgb);
      return 0;
    });
  }

  static constexpr pp_render value = {sizeof(pp_render), 0u, &size, &draw};
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_RENDER_HPP_
