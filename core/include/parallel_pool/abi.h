/* parallel_pool/abi.h: the plugin ABI. The only thing that crosses a wheel boundary.
 *
 * C99, no includes but <stddef.h> and <stdint.h>. A plugin is a shared library that exports one
 * data symbol, `parallel_pool_plugin`. It links nothing of ours and needs no Python. Authors of C++
 * environments include <parallel_pool/env.hpp> instead and never see this file.
 *
 * Rules (docs/abi.md gives the reasons):
 *  - Only fixed-width integers, floats, pointers and plain structs cross. No bool, no enum, no C++
 *    type, no exception, no memory that the other side frees.
 *  - Within a major version structs only grow at their end. A reader looks at `struct_size` before
 * it touches a member that the first minor of that major did not have.
 *  - Optional abilities are extensions found by name (`get_extension("pp.render/1")`), not members.
 *  - All strings are UTF-8 and end with a zero byte.
 *
 * Words: an *environment* is one episode-running simulation. A *shard* is one plugin object that
 * holds `count` environments, its *lanes*. A *field* is one array of the interface: an observation,
 * an action, a reward. A *row* is one lane's part of a field's batch.
 *
 * Thread tags: [any] any thread, [caller] the thread that builds the pool or describes it,
 * [worker] any thread of the pool, but never two threads in one shard at the same time.
 */
#ifndef PARALLEL_POOL_ABI_H_
#define PARALLEL_POOL_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PP_ABI_MAGIC 0x4c4f4f50u /* "POOL" read as a little-endian word */
#define PP_ABI_MAJOR 0u          /* 0 until the ABI is declared stable; its rules hold already */
#define PP_ABI_MINOR 1u
/* The oldest host minor a plugin accepts. Raise it only when the plugin cannot work without
 * something newer; by default a plugin built against new headers runs in every host of the major.
 */
#ifndef PP_ABI_MIN_HOST
#define PP_ABI_MIN_HOST 1u
#endif

#if defined(_WIN32)
#define PP_EXPORT __declspec(dllexport)
#else
#define PP_EXPORT __attribute__((visibility("default")))
#endif

/* ---- element types ------------------------------------------------------------------------- */
#define PP_BOOL 1u /* one byte, 0 or 1 */
#define PP_INT8 2u
#define PP_INT16 3u
#define PP_INT32 4u
#define PP_INT64 5u
#define PP_UINT8 6u
#define PP_UINT16 7u
#define PP_UINT32 8u
#define PP_UINT64 9u
#define PP_FLOAT32 10u
#define PP_FLOAT64 11u

/* ---- what a field is for ------------------------------------------------------------------- */
#define PP_ROLE_OBS 1u        /* part of the observation */
#define PP_ROLE_INFO 2u       /* part of `info` */
#define PP_ROLE_ACTION 3u     /* the only role that the host writes and the plugin reads */
#define PP_ROLE_REWARD 4u     /* exactly one; PP_FLOAT64; shape () for a scalar reward */
#define PP_ROLE_TERMINATED 5u /* exactly one; PP_BOOL, shape () */
#define PP_ROLE_TRUNCATED \
  6u /* at most one; PP_BOOL; the time limit is the host's, not the plugin's */
#define PP_ROLE_DISCOUNT 7u /* at most one; PP_FLOAT64, in [0, 1]; without it 1 - terminated */
#define PP_ROLE_PLAYERS 8u  /* at most one; PP_INT32: players present; without it max_players */
/* Both or none, in environments of one player whose options change rewards or end episodes within a
 * game. Written by resets too. */
#define PP_ROLE_SCORE 9u /* PP_FLOAT64: what this call added to the score of the game */
#define PP_ROLE_CONTINUES \
  10u /* PP_BOOL; of a step: a reset without a seed goes on with the game; of a reset: it did */

/* ---- what a field's values mean (Gymnasium's spaces) --------------------------------------- */
#define PP_KIND_BOX 1u            /* numbers within [low, high], element by element */
#define PP_KIND_DISCRETE 2u       /* one integer in low .. high, both included */
#define PP_KIND_MULTI_DISCRETE 3u /* integers, each in its own low .. high */
#define PP_KIND_MULTI_BINARY 4u   /* zeros and ones */
#define PP_KIND_TEXT 5u           /* PP_UINT8 [n]: UTF-8, then zeros; if high < 128 ASCII only */

#define PP_FIELD_PER_PLAYER 1u /* a row is [max_players][shape...] instead of [shape...] */
#define PP_PLAYS_ON 3u         /* a player's own flag: it ended, and begins anew in this row */

#define PP_MAX_DIMS 8u

/* One array of the interface. `name` is its path below the role: "" when the role has one nameless
 * field, "camera/left" for a member of nested dicts. Path parts that are numbers ("0", "1", ...)
 * make a tuple. */
typedef struct pp_field {
  uint32_t struct_size;
  uint32_t role;
  uint32_t kind;
  uint32_t dtype;
  uint32_t flags;
  uint32_t ndim;
  int64_t shape[PP_MAX_DIMS]; /* without the batch axis and the player axis */
  const char* name;
  const void* low; /* elements of `dtype`: n_low is 0 (unbounded), 1 (for all) or one per element */
  const void* high;
  uint32_t n_low;
  uint32_t n_high;
} pp_field;

/* ---- options: constructor arguments of an environment -------------------------------------- */
#define PP_OPTION_INT 1u
#define PP_OPTION_FLOAT 2u
#define PP_OPTION_BOOL 3u   /* in `i`: 0 or 1 */
#define PP_OPTION_STRING 4u /* in `s` */
#define PP_OPTION_ARRAY 5u  /* `count` elements of `dtype` at `data` */

/* A value. Frozen: it never grows. What it points to belongs to the sender and lives as long as the
 * call that carries it; a declaration's default lives as long as the library. */
typedef struct pp_value {
  uint32_t kind;
  uint32_t dtype;
  int64_t count;
  int64_t i;
  double f;
  const char* s;
  const void* data;
} pp_value;

#define PP_OPTION_HAS_LOW 1u
#define PP_OPTION_HAS_HIGH 2u

/* A declaration: the host checks every value against it, so a plugin is only ever handed values of
 * the declared kind and within the declared range. */
typedef struct pp_option {
  uint32_t struct_size;
  uint32_t flags;
  const char* name;
  const char* doc; /* one line */
  pp_value value;  /* the default */
  double low;      /* inclusive, for INT, FLOAT and every element of ARRAY */
  double high;
  const char* const* choices; /* for STRING; NULL: any text */
  uint32_t n_choices;
  uint32_t reserved;
} pp_option;

/* ---- the host, as a plugin sees it --------------------------------------------------------- */
#define PP_LOG_DEBUG 0u
#define PP_LOG_INFO 1u
#define PP_LOG_WARNING 2u
#define PP_LOG_ERROR 3u

#define PP_ALL_LANES 0xffffffffu

typedef struct pp_host {
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t reserved;
  const char* version; /* of the package parallel-pool */

  /* Says why the call in progress fails, for one lane or for PP_ALL_LANES. Call it on the thread
   * that the host called on, then go on with the other lanes and return non-zero. The text is
   * copied. */
  void (*set_error)(const struct pp_host* host, uint32_t lane, const char* message); /* [any] */
  void (*log)(const struct pp_host* host, uint32_t level, const char* message);      /* [any] */
  const void* (*get_extension)(const struct pp_host* host, const char* id);          /* [any] */
} pp_host;

/* ---- what an environment looks like, once its options are known ---------------------------- */
typedef struct pp_spec {
  uint32_t struct_size;
  uint32_t n_field;
  const pp_field* const* field; /* actions and outputs alike; the index is the field's number */
  uint32_t max_players;         /* 1 for a single-player environment */
  uint32_t reserved;
  int64_t max_episode_steps; /* 0: no time limit */
  double reward_threshold;   /* NaN: none */
} pp_spec;

/* ---- work ----------------------------------------------------------------------------------- */
typedef struct pp_shard {
  uint32_t struct_size;
  uint32_t count;                /* lanes of this shard */
  const pp_value* const* option; /* [count] -> values in the order of pp_env.option */
} pp_shard;

/* Of a step: nobody reads the observations of lanes whose episodes do not end in it. */
#define PP_LANES_UNSEEN 1u
/* The rows are where those of the last call with this flag were, and stay there as long as the
 * shard: they have what the plugin wrote in that call, unless a reader changed it. */
#define PP_LANES_KEPT 2u

/* One call's work: lanes first .. first + count - 1 of a shard. */
typedef struct pp_lanes {
  uint32_t struct_size;
  uint32_t first;
  uint32_t count;
  uint32_t flags; /* PP_LANES_... */
  /* [count] bytes, or NULL for all lanes. In reset: lanes with 0 are left alone, and their rows
   * too. In step: lanes with 0 will be reset by the next call, before anyone reads their rows or
   * asks them anything: step them or leave them, whichever is faster. */
  const uint8_t* mask;
  /* In reset: [count] seeds, or NULL: go on with the generator the lane has. NULL in step. */
  const uint64_t* seed;
  /* One pointer per field: the row of lane `first`; rows follow each other without gaps. Action
   * pointers are NULL in reset. An output pointer may be NULL: nobody wants that field. */
  void* const* field;
  /* Only for environments with PP_ENV_LATE_ROWS: output pointers may be NULL until this was called.
   * The host then picks the rows, in the order in which environments finish. Call it at most once
   * per call, before the first write to an output; calling it twice does nothing. */
  void (*claim_rows)(const struct pp_lanes* lanes); /* [worker] */
  void* host_data;                                  /* the host's own */
  /* Newer than those above, so look at struct_size. In step: [count] seeds that the next resets of
   * the lanes will probably have, and bytes, not 0 where there is one; or both NULL. For what is
   * made ahead. */
  const uint64_t* next_seed;
  const uint8_t* has_next_seed;
} pp_lanes;

/* The library keeps state that all its environments share: the host then never runs two shards of
 * this plugin at the same time. */
#define PP_ENV_EXCLUSIVE 1u
/* The plugin calls claim_rows. Worth it for environments that take long and differently long. */
#define PP_ENV_LATE_ROWS 2u
/* Resets, or steps, may take seconds in which others work for the environment. The thread that
 * calls the pool has to listen to signals, so it leaves them to the pool's own, and steps that it
 * has begun itself when it is wanted (ext/patience.h). */
#define PP_ENV_RESETS_WAIT 4u
#define PP_ENV_STEPS_WAIT 8u
/* The step that ends an episode writes the first observation of the next one, which the plugin has
 * begun by itself, with the generator that the lane has. The host does not reset after it. For
 * environments of one player without a score. */
#define PP_ENV_RESETS_ITSELF 16u

typedef struct pp_env {
  uint32_t struct_size;
  uint32_t flags;
  uint32_t preferred_lanes; /* 1 for a heavy environment; 64 and more for a vectorised kernel */
  uint32_t n_option;
  const char* id;      /* "family/Name-v0" */
  const char* summary; /* one line */
  const pp_option* const* option;

  /* The spec for one lane's options, or NULL after set_error. The plugin owns it until
   * release_spec. */
  const pp_spec* (*describe)(const pp_host* host, const pp_value* option); /* [caller] */
  void (*release_spec)(const pp_spec* spec);                               /* [caller] */

  /* A shard, or NULL after set_error. All lanes have the same spec, except that the bounds of
   * observations and info may differ where options decide them. */
  void* (*create)(const pp_host* host, const pp_shard* shard); /* [worker] */
  void (*destroy)(void* self);                                 /* [worker] */

  /* 0, or non-zero after set_error for each lane that failed; the others must be right. A lane that
   * failed is not stepped again before it is reset. */
  int32_t (*reset)(void* self, const pp_lanes* lanes); /* [worker] */
  int32_t (*step)(void* self, const pp_lanes* lanes);  /* [worker] */

  const void* (*get_extension)(const char* id); /* [any] may be NULL */
} pp_env;

/* The one exported symbol. */
typedef struct pp_plugin {
  /* ---- frozen for ever, in every major: the host reads it before it runs plugin code ---- */
  uint32_t magic;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t min_host_minor;
  const char* name;    /* the family: "lander" */
  const char* version; /* of the plugin */
  /* ---- frozen within a major ---- */
  uint32_t struct_size;
  uint32_t n_env;
  const pp_env* const* env;
} pp_plugin;

#define PP_PLUGIN_SYMBOL "parallel_pool_plugin"
extern PP_EXPORT const pp_plugin parallel_pool_plugin;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_ABI_H_ */
