/* parallel_pool/ext/reset_options.h: the extension "pp.reset_options/1", arguments of one reset.
 *
 * C99. An environment offers it through pp_env.get_extension(PP_EXT_RESET_OPTIONS). The same rules
 * as in abi.h hold; the struct only grows at its end.
 *
 * What Gymnasium passes as reset(options={...}): bounds of the first state, a level to begin with.
 * They hold for that one reset; the next one, also an automatic one, begins from the defaults.
 */
#ifndef PARALLEL_POOL_EXT_RESET_OPTIONS_H_
#define PARALLEL_POOL_EXT_RESET_OPTIONS_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_RESET_OPTIONS "pp.reset_options/1"

typedef struct pp_reset_options {
  uint32_t struct_size;
  uint32_t n_option;
  const pp_option* const* option; /* as pp_env.option: the host checks values against them */
  /* What the declarations cannot say (low below high, say). 0, or non-zero after set_error; nothing
   * was begun then. May be NULL. */
  int32_t (*check)(const pp_host* host, const pp_value* value); /* [caller] */
  /* The values for the lane's next reset, in the order of `option`; NULL: the defaults again, which
   * the host says after that reset. 0, or non-zero after set_error. */
  int32_t (*set)(void* self, uint32_t lane, const pp_value* value); /* [worker] */
} pp_reset_options;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_RESET_OPTIONS_H_ */
