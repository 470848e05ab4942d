/* parallel_pool/ext/render.h: the extension "pp.render/1", pictures of single lanes.
 *
 * C99. An environment offers it through pp_env.get_extension(PP_EXT_RENDER). The same rules as in
 * abi.h hold; the struct only grows at its end.
 *
 * For environments that have or can draw a picture themselves. Others offer "pp.arrays/1" and draw
 * in Python (the hook parallel_pool_renderer). Drawing changes nothing: the lane goes on as if
 * nobody had looked.
 */
#ifndef PARALLEL_POOL_EXT_RENDER_H_
#define PARALLEL_POOL_EXT_RENDER_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_RENDER "pp.render/1"

typedef struct pp_render {
  uint32_t struct_size;
  uint32_t reserved;
  /* Height and width of the lane's picture in pixels, each at least 1. 0, or non-zero after
   * set_error. */
  int32_t (*size)(void* self, uint32_t lane, uint32_t* height, uint32_t* width); /* [worker] */
  /* height * width pixels from the top left, row by row, each red, green, blue. The lane was reset
   * before. 0, or non-zero after set_error. */
  int32_t (*draw)(void* self, uint32_t lane, uint8_t* rgb); /* [worker] */
} pp_render;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_RENDER_H_ */
