/* parallel_pool_mujoco/binding.h: "pp.mujoco/1", how a plugin reaches the MuJoCo that the user has.
 *
 * C99. A plugin that simulates with MuJoCo neither includes MuJoCo's headers nor links its library:
 * struct layouts change with every release of MuJoCo, so a plugin compiled against one would work
 * with that one only. Instead the Python package parallel_pool_mujoco.sdk looks up, in the MuJoCo
 * that is installed, where every function is and where in its struct every member, checks that
 * against a living model, and hands over the table below. C++ authors include
 * <parallel_pool_mujoco/sdk.hpp>, which makes it read like MuJoCo again, and never see this file.
 *
 * This is no extension of the host: the address of a pp_mujoco_model comes in an INT option, which
 * the plugin's hook `parallel_pool_options` sets (parallel_pool_mujoco.sdk.hand_over gives it). The
 * same rules as in abi.h hold: structs only grow at their end, strings are UTF-8 and end with a
 * zero.
 */
#ifndef PARALLEL_POOL_MUJOCO_BINDING_H_
#define PARALLEL_POOL_MUJOCO_BINDING_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PP_MUJOCO_MAGIC 0x316a6d70u /* "pmj1" read as a little-endian word */

/* One name of MuJoCo's C interface. `type` says what `value` is:
 *   "function"   address of the function, name as in mujoco.h ("mj_step")
 *   "variable"   address of the global variable ("mju_user_error")
 *   "constant"   value of the enumerator, as two's complement ("mjSTATE_INTEGRATION")
 *   "size"       bytes of the struct, name as in C ("mjContact")
 *   otherwise    the C type of a struct's member ("mjtNum *", "int", "mjtNum [3]"), and the value
 * is its offset in bytes; the name is "mjData.qpos", or "mjModel.opt.timestep" for a member of a
 * struct within. */
typedef struct pp_mujoco_symbol {
  const char* name;
  const char* type;
  uint64_t value;
  /* Of a pointer to an array: its sizes, separated by blanks; each a number or the name of a member
   * of mjModel or mjData: "nbody 3". Otherwise "". */
  const char* extents;
} pp_mujoco_symbol;

/* Lives as long as the process. */
typedef struct pp_mujoco {
  uint32_t magic; /* PP_MUJOCO_MAGIC */
  uint32_t struct_size;
  const char* version; /* of MuJoCo: "3.17.0" */
  uint64_t n_symbol;
  const pp_mujoco_symbol* symbol; /* sorted by name, byte by byte */
} pp_mujoco;

/* A compiled model. The struct lives as long as the process; the mjModel is Python's, and lives
 * long enough to be copied while a pool is built: copy it, then use the copy. */
typedef struct pp_mujoco_model {
  uint32_t magic; /* PP_MUJOCO_MAGIC */
  uint32_t struct_size;
  const pp_mujoco* mujoco;
  uint64_t ticket;      /* never used again for another model, unlike the address of one */
  uint64_t fingerprint; /* a hash of the model's contents */
  const void* model;    /* const mjModel*; NULL once Python has let it go */
  const char* source;   /* where it came from, for messages */
} pp_mujoco_model;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_MUJOCO_BINDING_H_ */
