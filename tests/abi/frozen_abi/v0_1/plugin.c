/* A plugin of the time of ABI 0.1. Counts its steps, adds up its actions.
 * HEAD_... replace what its head says, OBS_DIM, SUM_DTYPE and ACTION_LOW what its fields say. */
#include <stdlib.h>

#include "abi.h"

#ifndef HEAD_MAGIC
#define HEAD_MAGIC PP_ABI_MAGIC
#endif
#ifndef HEAD_MAJOR
#define HEAD_MAJOR PP_ABI_MAJOR
#endif
#ifndef HEAD_MINOR
#define HEAD_MINOR PP_ABI_MINOR
#endif
#ifndef HEAD_MIN_HOST
#define HEAD_MIN_HOST PP_ABI_MIN_HOST
#endif
#ifndef OBS_DIM
#define OBS_DIM 2
#endif
#ifndef SUM_DTYPE
#define SUM_DTYPE PP_INT64
#endif
#ifndef ACTION_LOW
#define ACTION_LOW bounds
#endif

enum { OBS, SUM, REWARD, TERMINATED, ACTION, N_FIELD };

static const int32_t bounds[2] = {0, 2};

static const pp_field obs = {sizeof(pp_field), PP_ROLE_OBS, PP_KIND_BOX, PP_INT32, 0, 1, {OBS_DIM}, "", NULL, NULL, 0, 0};
static const pp_field sum = {sizeof(pp_field), PP_ROLE_INFO, PP_KIND_BOX, SUM_DTYPE, 0, 0, {0}, "sum", NULL, NULL, 0, 0};
static const pp_field reward = {sizeof(pp_field), PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field terminated = {
    sizeof(pp_field), PP_ROLE_TERMINATED, PP_KIND_MULTI_BINARY, PP_BOOL, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field action = {
    sizeof(pp_field), PP_ROLE_ACTION, PP_KIND_DISCRETE, PP_INT32, 0, 0, {0}, "", ACTION_LOW, &bounds[1], 1, 1};
static const pp_field *const fields[N_FIELD] = {&obs, &sum, &reward, &terminated, &action};

static const pp_spec spec = {sizeof(pp_spec), N_FIELD, fields, 1, 0, 0, 10.0};

static const pp_option length = {
    sizeof(pp_option), PP_OPTION_HAS_LOW, "length", "steps of an episode",
    {PP_OPTION_INT, 0, 0, 3, 0.0, NULL, NULL}, 1.0, 0.0, NULL, 0, 0};
static const pp_option *const options[] = {&length};

typedef struct lane {
  int64_t length, count, sum;
} lane;

static const pp_spec *describe(const pp_host *host, const pp_value *option) {
  if (option[0].i == 13) {
    host->set_error(host, PP_ALL_LANES, "13 brings bad luck");
    return NULL;
  }
  return &spec;
}

static void release_spec(const pp_spec *released) { (void)released; }

static void *create(const pp_host *host, const pp_shard *shard) {
  lane *lanes = calloc(shard->count, sizeof(lane));
  uint32_t i;
  if (lanes == NULL) host->set_error(host, PP_ALL_LANES, "no memory");
  for (i = 0; lanes != NULL && i < shard->count; ++i) lanes[i].length = shard->option[i][0].i;
  return lanes;
}

static void destroy(void *self) { free(self); }

static void write(const lane *from, const pp_lanes *lanes, uint32_t row, double value) {
  int32_t *o = (int32_t *)lanes->field[OBS] + 2 * row;
  o[0] = (int32_t)from->count;
  o[1] = (int32_t)(lanes->first + row);
  ((int64_t *)lanes->field[SUM])[row] = from->sum;
  ((double *)lanes->field[REWARD])[row] = value;
  ((uint8_t *)lanes->field[TERMINATED])[row] = from->count >= from->length;
}

static int32_t reset(void *self, const pp_lanes *lanes) {
  lane *all = (lane *)self + lanes->first;
  uint32_t i;
  for (i = 0; i < lanes->count; ++i) {
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    all[i].count = 0;
    all[i].sum = lanes->seed == NULL ? -1 : (int64_t)lanes->seed[i];
    write(&all[i], lanes, i, 0.0);
  }
  return 0;
}

static int32_t step(void *self, const pp_lanes *lanes) {
  lane *all = (lane *)self + lanes->first;
  const int32_t *actions = (const int32_t *)lanes->field[ACTION];
  uint32_t i;
  for (i = 0; i < lanes->count; ++i) {
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    all[i].count += 1;
    all[i].sum += actions[i];
    write(&all[i], lanes, i, actions[i]);
  }
  return 0;
}

static const pp_env env = {sizeof(pp_env), 0, 4, 1, "plain/Plain-v0", "In plain C", options, describe, release_spec,
                           create, destroy, reset, step, NULL};
static const pp_env *const envs[] = {&env};

#ifdef NEEDS_SYMBOL
extern int symbol_that_nobody_has(void);
int (*const needs)(void) = symbol_that_nobody_has;
#endif

PP_EXPORT const pp_plugin parallel_pool_plugin = {
    HEAD_MAGIC, HEAD_MAJOR, HEAD_MINOR, HEAD_MIN_HOST, "plain", "1.2.3", sizeof(pp_plugin), 1, envs};
