/* A plugin of the time of ABI 0.1 with all of its extensions: state, arrays, render, reset options.
 * C99 and C++17 alike. Adds up its actions, from a first value that a reset may choose. */
#include <stdlib.h>
#include <string.h>

#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"

#ifdef __cplusplus
#define FAMILY "able_cpp"
#else
#define FAMILY "able_c"
#endif

enum { OBS, REWARD, TERMINATED, ACTION, N_FIELD };

static const int32_t bounds[2] = {0, 9};

static const pp_field obs = {sizeof(pp_field), PP_ROLE_OBS, PP_KIND_BOX, PP_INT64, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field reward = {sizeof(pp_field), PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field terminated = {
    sizeof(pp_field), PP_ROLE_TERMINATED, PP_KIND_MULTI_BINARY, PP_BOOL, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field action = {
    sizeof(pp_field), PP_ROLE_ACTION, PP_KIND_DISCRETE, PP_INT32, 0, 0, {0}, "", bounds, &bounds[1], 1, 1};
static const pp_field *const fields[N_FIELD] = {&obs, &reward, &terminated, &action};
static const pp_spec spec = {sizeof(pp_spec), N_FIELD, fields, 1, 0, 0, 10.0};

typedef struct lane {
  int64_t first; /* what the next reset begins with */
  int64_t sum;
} lane;

static const pp_spec *describe(const pp_host *host, const pp_value *option) {
  (void)host;
  (void)option;
  return &spec;
}

static void release_spec(const pp_spec *released) { (void)released; }

static void *create(const pp_host *host, const pp_shard *shard) {
  void *lanes = calloc(shard->count, sizeof(lane));
  if (lanes == NULL) host->set_error(host, PP_ALL_LANES, "no memory");
  return lanes;
}

static void destroy(void *self) { free(self); }

static int32_t advance(void *self, const pp_lanes *lanes, const int32_t *actions) {
  lane *all = (lane *)self + lanes->first;
  uint32_t i;
  for (i = 0; i < lanes->count; ++i) {
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    all[i].sum = actions == NULL ? all[i].first : all[i].sum + actions[i];
    ((int64_t *)lanes->field[OBS])[i] = all[i].sum;
    ((double *)lanes->field[REWARD])[i] = 0.0;
    ((uint8_t *)lanes->field[TERMINATED])[i] = 0;
  }
  return 0;
}

static int32_t reset(void *self, const pp_lanes *lanes) { return advance(self, lanes, NULL); }

static int32_t step(void *self, const pp_lanes *lanes) {
  return advance(self, lanes, (const int32_t *)lanes->field[ACTION]);
}

/* ---- pp.state/1 ---- */
static int64_t state_size(void *self, uint32_t which) {
  (void)self;
  (void)which;
  return (int64_t)sizeof(lane);
}

static int64_t state_save(void *self, uint32_t which, void *bytes, uint64_t capacity) {
  if (capacity < sizeof(lane)) return -1;
  memcpy(bytes, (lane *)self + which, sizeof(lane));
  return (int64_t)sizeof(lane);
}

static int32_t state_load(void *self, uint32_t which, const void *bytes, uint64_t size) {
  if (size != sizeof(lane)) return 1;
  memcpy((lane *)self + which, bytes, sizeof(lane));
  return 0;
}

static const pp_state state = {sizeof(pp_state), 0, NULL, state_size, state_save, state_load, NULL,
                               NULL};

/* ---- pp.arrays/1 ---- */
static int64_t arrays_count(void *self, uint32_t which) {
  (void)self;
  (void)which;
  return 1;
}

static int32_t arrays_describe(void *self, uint32_t which, uint32_t array, pp_array *out) {
  (void)self;
  (void)which;
  (void)array;
  out->flags = PP_ARRAY_WRITABLE;
  out->dtype = PP_INT64;
  out->ndim = 0;
  out->name = "sum";
  return 0;
}

static int32_t arrays_read(void *self, uint32_t which, uint32_t array, void *elements) {
  (void)array;
  memcpy(elements, &((lane *)self)[which].sum, sizeof(int64_t));
  return 0;
}

static int32_t arrays_write(void *self, uint32_t which, uint32_t array, const void *elements) {
  (void)array;
  memcpy(&((lane *)self)[which].sum, elements, sizeof(int64_t));
  return 0;
}

static const pp_arrays arrays = {sizeof(pp_arrays), 0, arrays_count, arrays_describe, arrays_read, arrays_write};

/* ---- pp.render/1 ---- */
static int32_t render_size(void *self, uint32_t which, uint32_t *height, uint32_t *width) {
  (void)self;
  (void)which;
  *height = 1;
  *width = 2;
  return 0;
}

static int32_t render_draw(void *self, uint32_t which, uint8_t *rgb) {
  memset(rgb, (int)((lane *)self)[which].sum, 6);
  return 0;
}

static const pp_render render = {sizeof(pp_render), 0, render_size, render_draw};

/* ---- pp.reset_options/1 ---- */
static const pp_option begin = {
    sizeof(pp_option), PP_OPTION_HAS_LOW, "begin", "the first sum",
    {PP_OPTION_INT, 0, 0, 0, 0.0, NULL, NULL}, 0.0, 0.0, NULL, 0, 0};
static const pp_option *const begins[] = {&begin};

static int32_t check_begin(const pp_host *host, const pp_value *value) {
  if (value[0].i != 13) return 0;
  host->set_error(host, PP_ALL_LANES, "13 brings bad luck");
  return 1;
}

static int32_t set_begin(void *self, uint32_t which, const pp_value *value) {
  ((lane *)self)[which].first = value == NULL ? 0 : value[0].i;
  return 0;
}

static const pp_reset_options reset_options = {sizeof(pp_reset_options), 1, begins, check_begin, set_begin};

static const void *get_extension(const char *id) {
  if (strcmp(id, PP_EXT_STATE) == 0) return &state;
  if (strcmp(id, PP_EXT_ARRAYS) == 0) return &arrays;
  if (strcmp(id, PP_EXT_RENDER) == 0) return &render;
  if (strcmp(id, PP_EXT_RESET_OPTIONS) == 0) return &reset_options;
  return NULL;
}

static const pp_env env = {sizeof(pp_env), 0, 4, 0, FAMILY "/Able-v0", "Everything of 0.1", NULL, describe, release_spec,
                           create, destroy, reset, step, get_extension};
static const pp_env *const envs[] = {&env};

#ifdef __cplusplus
extern "C" /* without it a constant of C++ is not exported */
#endif
PP_EXPORT const pp_plugin parallel_pool_plugin = {
    PP_ABI_MAGIC, PP_ABI_MAJOR, PP_ABI_MINOR, PP_ABI_MIN_HOST, FAMILY, "1.2.3", sizeof(pp_plugin), 1, envs};
