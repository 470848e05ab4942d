/* parallel_pool/ext/early_resets.h: the extension "pp.early_resets/1" of an environment, resets
 * that begin before the steps of others end.
 *
 * C99. The host finds it through pp_env.get_extension(PP_EXT_EARLY_RESETS). The same rules as in
 * abi.h hold; the struct only grows at its end.
 *
 * For environments whose work is done elsewhere. Where some lanes of a call are stepped and others
 * reset, the host calls step and then reset; with this, what a reset has to wait for is under way
 * meanwhile.
 */
#ifndef PARALLEL_POOL_EXT_EARLY_RESETS_H_
#define PARALLEL_POOL_EXT_EARLY_RESETS_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_EARLY_RESETS "pp.early_resets/1"

#define PP_EARLY_RESETS_TAKE_SEEDS 1u /* begin() looks at lanes->seed, as reset() does */

typedef struct pp_early_resets {
  uint32_t struct_size;
  uint32_t flags;
  /* Before a step whose mask leaves these lanes out, and after which they are reset: that may
   * begin. With seeds only where flags say so. Fields are not to be touched, and what fails is said
   * in the reset. */
  void (*begin)(void* self, const pp_lanes* lanes); /* [worker] */
} pp_early_resets;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_EARLY_RESETS_H_ */
