/* The layout of every struct of abi.h on LP64, member by member. C99, C11 and C++17 compile it; a
 * member that moves, or one that is added without a line here, breaks the build. Within a major,
 * lines are only added, and sizes only grow. */
#include <stddef.h>

#include "parallel_pool/abi.h"

/* An array of negative size is an error in every dialect. */
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define HOLDS(condition) typedef char GLUE(holds_, __LINE__)[(condition) ? 1 : -1]
#define AT(type, member, offset, size) \
  HOLDS(offsetof(type, member) == (offset) && sizeof(((type*)0)->member) == (size))

AT(pp_field, struct_size, 0, 4);
AT(pp_field, role, 4, 4);
AT(pp_field, kind, 8, 4);
AT(pp_field, dtype, 12, 4);
AT(pp_field, flags, 16, 4);
AT(pp_field, ndim, 20, 4);
AT(pp_field, shape, 24, 64);
AT(pp_field, name, 88, 8);
AT(pp_field, low, 96, 8);
AT(pp_field, high, 104, 8);
AT(pp_field, n_low, 112, 4);
AT(pp_field, n_high, 116, 4);
HOLDS(sizeof(pp_field) == 120);

AT(pp_value, kind, 0, 4);
AT(pp_value, dtype, 4, 4);
AT(pp_value, count, 8, 8);
AT(pp_value, i, 16, 8);
AT(pp_value, f, 24, 8);
AT(pp_value, s, 32, 8);
AT(pp_value, data, 40, 8);
HOLDS(sizeof(pp_value) == 48);

AT(pp_option, struct_size, 0, 4);
AT(pp_option, flags, 4, 4);
AT(pp_option, name, 8, 8);
AT(pp_option, doc, 16, 8);
AT(pp_option, value, 24, 48);
AT(pp_option, low, 72, 8);
AT(pp_option, high, 80, 8);
AT(pp_option, choices, 88, 8);
AT(pp_option, n_choices, 96, 4);
AT(pp_option, reserved, 100, 4);
HOLDS(sizeof(pp_option) == 104);

AT(pp_host, struct_size, 0, 4);
AT(pp_host, abi_major, 4, 4);
AT(pp_host, abi_minor, 8, 4);
AT(pp_host, reserved, 12, 4);
AT(pp_host, version, 16, 8);
AT(pp_host, set_error, 24, 8);
AT(pp_host, log, 32, 8);
AT(pp_host, get_extension, 40, 8);
HOLDS(sizeof(pp_host) == 48);

AT(pp_spec, struct_size, 0, 4);
AT(pp_spec, n_field, 4, 4);
AT(pp_spec, field, 8, 8);
AT(pp_spec, max_players, 16, 4);
AT(pp_spec, reserved, 20, 4);
AT(pp_spec, max_episode_steps, 24, 8);
AT(pp_spec, reward_threshold, 32, 8);
HOLDS(sizeof(pp_spec) == 40);

AT(pp_shard, struct_size, 0, 4);
AT(pp_shard, count, 4, 4);
AT(pp_shard, option, 8, 8);
HOLDS(sizeof(pp_shard) == 16);

AT(pp_lanes, struct_size, 0, 4);
AT(pp_lanes, first, 4, 4);
AT(pp_lanes, count, 8, 4);
AT(pp_lanes, reserved, 12, 4);
AT(pp_lanes, mask, 16, 8);
AT(pp_lanes, seed, 24, 8);
AT(pp_lanes, field, 32, 8);
AT(pp_lanes, claim_rows, 40, 8);
AT(pp_lanes, host_data, 48, 8);
HOLDS(sizeof(pp_lanes) == 56);

AT(pp_env, struct_size, 0, 4);
AT(pp_env, flags, 4, 4);
AT(pp_env, preferred_lanes, 8, 4);
AT(pp_env, n_option, 12, 4);
AT(pp_env, id, 16, 8);
AT(pp_env, summary, 24, 8);
AT(pp_env, option, 32, 8);
AT(pp_env, describe, 40, 8);
AT(pp_env, release_spec, 48, 8);
AT(pp_env, create, 56, 8);
AT(pp_env, destroy, 64, 8);
AT(pp_env, reset, 72, 8);
AT(pp_env, step, 80, 8);
AT(pp_env, get_extension, 88, 8);
HOLDS(sizeof(pp_env) == 96);

AT(pp_plugin, magic, 0, 4);
AT(pp_plugin, abi_major, 4, 4);
AT(pp_plugin, abi_minor, 8, 4);
AT(pp_plugin, min_host_minor, 12, 4);
AT(pp_plugin, name, 16, 8);
AT(pp_plugin, version, 24, 8);
AT(pp_plugin, struct_size, 32, 4);
AT(pp_plugin, n_env, 36, 4);
AT(pp_plugin, env, 40, 8);
HOLDS(sizeof(pp_plugin) == 48);

/* Constants that cross. */
HOLDS(PP_ABI_MAGIC == 0x4c4f4f50u);
HOLDS(PP_ABI_MAJOR == 0u);
HOLDS(PP_BOOL == 1u);
HOLDS(PP_INT8 == 2u);
HOLDS(PP_INT16 == 3u);
HOLDS(PP_INT32 == 4u);
HOLDS(PP_INT64 == 5u);
HOLDS(PP_UINT8 == 6u);
HOLDS(PP_UINT16 == 7u);
HOLDS(PP_UINT32 == 8u);
HOLDS(PP_UINT64 == 9u);
HOLDS(PP_FLOAT32 == 10u);
HOLDS(PP_FLOAT64 == 11u);
HOLDS(PP_ROLE_OBS == 1u);
HOLDS(PP_ROLE_INFO == 2u);
HOLDS(PP_ROLE_ACTION == 3u);
HOLDS(PP_ROLE_REWARD == 4u);
HOLDS(PP_ROLE_TERMINATED == 5u);
HOLDS(PP_ROLE_TRUNCATED == 6u);
HOLDS(PP_ROLE_DISCOUNT == 7u);
HOLDS(PP_ROLE_PLAYERS == 8u);
HOLDS(PP_ROLE_SCORE == 9u);
HOLDS(PP_ROLE_CONTINUES == 10u);
HOLDS(PP_KIND_BOX == 1u);
HOLDS(PP_KIND_DISCRETE == 2u);
HOLDS(PP_KIND_MULTI_DISCRETE == 3u);
HOLDS(PP_KIND_MULTI_BINARY == 4u);
HOLDS(PP_KIND_TEXT == 5u);
HOLDS(PP_FIELD_PER_PLAYER == 1u);
HOLDS(PP_MAX_DIMS == 8u);
HOLDS(PP_OPTION_INT == 1u);
HOLDS(PP_OPTION_FLOAT == 2u);
HOLDS(PP_OPTION_BOOL == 3u);
HOLDS(PP_OPTION_STRING == 4u);
HOLDS(PP_OPTION_ARRAY == 5u);
HOLDS(PP_OPTION_HAS_LOW == 1u);
HOLDS(PP_OPTION_HAS_HIGH == 2u);
HOLDS(PP_LOG_DEBUG == 0u);
HOLDS(PP_LOG_INFO == 1u);
HOLDS(PP_LOG_WARNING == 2u);
HOLDS(PP_LOG_ERROR == 3u);
HOLDS(PP_ALL_LANES == 0xffffffffu);
HOLDS(PP_ENV_EXCLUSIVE == 1u);
HOLDS(PP_ENV_LATE_ROWS == 2u);
HOLDS(PP_ENV_RESETS_WAIT == 4u);
HOLDS(PP_ENV_STEPS_WAIT == 8u);
