/* parallel_pool/ext/arrays.h: the extension "pp.arrays/1", named arrays inside of single lanes.
 *
 * C99. An environment offers it through pp_env.get_extension(PP_EXT_ARRAYS). The same rules as in
 * abi.h hold; the structs only grow at their end.
 *
 * For looking inside (a simulator's positions and velocities, the board of a game), for setting a
 * situation up by hand, and for renderers written in Python. It is not for training loops: what
 * every step needs is a field. Arrays are copied; nobody keeps a pointer into a lane.
 */
#ifndef PARALLEL_POOL_EXT_ARRAYS_H_
#define PARALLEL_POOL_EXT_ARRAYS_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_ARRAYS "pp.arrays/1"

#define PP_ARRAY_WRITABLE 1u

typedef struct pp_array {
  uint32_t struct_size; /* the host's: nothing beyond it is written */
  uint32_t flags;
  uint32_t dtype;
  uint32_t ndim;
  int64_t shape[PP_MAX_DIMS];
  const char* name; /* lives as long as the shard */
} pp_array;

typedef struct pp_arrays {
  uint32_t struct_size;
  uint32_t reserved;
  /* How many arrays the lane has; negative after set_error. */
  int64_t (*count)(void* self, uint32_t lane); /* [worker] */
  /* 0, or non-zero after set_error. */
  int32_t (*describe)(void* self, uint32_t lane, uint32_t array, pp_array* out); /* [worker] */
  /* Copies all elements, in C order. The lane was reset before. 0, or non-zero after set_error. */
  int32_t (*read)(void* self, uint32_t lane, uint32_t array, void* elements); /* [worker] */
  /* The other way round, for arrays with PP_ARRAY_WRITABLE. What follows from the new values is
   * up to date when it returns. After an error the lane counts as failed. */
  int32_t (*write)(void* self, uint32_t lane, uint32_t array, const void* elements); /* [worker] */
} pp_arrays;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_ARRAYS_H_ */
