/* parallel_pool/ext/state.h: the extension "pp.state/1", saving and restoring single lanes.
 *
 * C99. An environment offers it through pp_env.get_extension(PP_EXT_STATE). The same rules as in
 * abi.h hold; the struct only grows at its end.
 *
 * A state is everything in the plugin that decides what the lane does from now on: dynamics, frame
 * stacks, generators, also those of a simulator. Options are not part of it: the host sees to it
 * that a state only comes back to a lane of the same environment, plugin version and options. The
 * host adds what it keeps itself (steps of the episode, whether it has ended, a waiting seed) and a
 * checksum, so bytes that were damaged by accident never come here. Those that somebody made up do:
 * whatever they are, `load` refuses them or the lane goes on within its own memory.
 */
#ifndef PARALLEL_POOL_EXT_STATE_H_
#define PARALLEL_POOL_EXT_STATE_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_STATE "pp.state/1"

typedef struct pp_state {
  uint32_t struct_size;
  uint32_t n_local_option;
  /* Names of options that say where something is, not what it is: a path may differ between two
   * machines that hold the same file. All other options must be equal; that what was found there is
   * the same is for `load` to check. */
  const char* const* local_option;

  /* The bytes that save() needs now, or more; negative after set_error. As with save(), the lane
   * was reset before. */
  int64_t (*size)(void* self, uint32_t lane); /* [worker] */
  /* The bytes written, at most `capacity`; negative after set_error. Changes nothing. */
  int64_t (*save)(void* self, uint32_t lane, void* bytes, uint64_t capacity); /* [worker] */
  /* Takes what save() gave, in this process or another one of the same byte order. 0, or non-zero
   * after set_error; the lane then counts as failed. It may be a lane that failed or that was never
   * reset. `bytes` need not be aligned. */
  int32_t (*load)(void* self, uint32_t lane, const void* bytes, uint64_t size); /* [worker] */

  /* Newer than those above, so look at struct_size; or NULL: the lane's random numbers cannot be
   * chosen within an episode. As load(), but steps draw from generators of this seed. The lane is
   * loaded or reset again before it is saved. */
  int32_t (*load_seeded)(void* self, uint32_t lane, const void* bytes, uint64_t size,
                         uint64_t seed); /* [worker] */

  /* Newer still; or NULL: by bytes. Makes the lane go on as that lane of `other`, which stays as it
   * is: what load() of the other's save() does, without bytes. `other` is an object of this
   * environment too, may be `self`, and no other thread is in one of them; the options of both
   * lanes agree as with load(). 0, or non-zero after set_error; the lane then counts as failed. */
  int32_t (*copy)(void* self, uint32_t lane, const void* other, uint32_t other_lane); /* [worker] */
} pp_state;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_STATE_H_ */
