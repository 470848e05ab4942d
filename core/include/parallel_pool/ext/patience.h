/* parallel_pool/ext/patience.h: the extension "pp.patience/1" of the host, whether the thread that
 * waits in a step is wanted elsewhere.
 *
 * C99. A plugin finds it through host->get_extension(host, PP_EXT_PATIENCE); NULL: this host has
 * none, and the plugin does without. The same rules as in abi.h hold; the struct only grows at its
 * end.
 *
 * For environments with PP_ENV_STEPS_WAIT, whose steps may take seconds in which others work. The
 * thread that calls the pool steps some of them itself, and has to listen to signals. So a step
 * that waits asks every 10 milliseconds or so; once it is told that its thread is wanted, it may
 * return PP_STEP_LEFT. Nothing is lost by that: the host calls step again, on any thread, with the
 * same lanes, mask and pointers, and it goes on where it was left. What was said in the call that
 * was left (set_error, set_note) counts. Until a step of these lanes has returned something else
 * nothing is called for the shard but that step, and destroy, which may come instead.
 */
#ifndef PARALLEL_POOL_EXT_PATIENCE_H_
#define PARALLEL_POOL_EXT_PATIENCE_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_PATIENCE "pp.patience/1"

/* What pp_env.step returns then; a failure like any other unless the step was told so. */
#define PP_STEP_LEFT (-2)

typedef struct pp_patience {
  uint32_t struct_size;
  uint32_t reserved;
  /* Not 0: the step in progress may be left; of the thread that the host called on. */
  int32_t (*is_wanted)(const pp_host* host); /* [worker] */
} pp_patience;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_PATIENCE_H_ */
