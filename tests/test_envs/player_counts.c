/* A multi-player plugin in plain C that counts its players: after step s there are 1 + s % 3 of
 * three, in the first places. Player k observes 100 * players + k. Observation and action are per
 * player, the reward (the first action) is one for all. Action 9 of player 0 makes the count wrong.
 */
#include <stdlib.h>

#include "parallel_pool/abi.h"

#ifndef PP_FAMILY
#define PP_FAMILY "player_counts" /* the family */
#endif

static const int32_t no_action = 0, last_action = 9;

static const pp_field observation = {sizeof(pp_field),
                                     PP_ROLE_OBS,
                                     PP_KIND_BOX,
                                     PP_INT32,
                                     PP_FIELD_PER_PLAYER,
                                     0,
                                     {0},
                                     "",
                                     NULL,
                                     NULL,
                                     0,
                                     0};
static const pp_field action = {sizeof(pp_field),
                                PP_ROLE_ACTION,
                                PP_KIND_DISCRETE,
                                PP_INT32,
                                PP_FIELD_PER_PLAYER,
                                0,
                                {0},
                                "",
                                &no_action,
                                &last_action,
                                1,
                                1};
static const pp_field reward = {
    sizeof(pp_field), PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field terminated = {sizeof(pp_field),
                                    PP_ROLE_TERMINATED,
                                    PP_KIND_MULTI_BINARY,
                                    PP_BOOL,
                                    0,
                                    0,
                                    {0},
                                    "",
                                    NULL,
                                    NULL,
                                    0,
                                    0};
static const pp_field players = {
    sizeof(pp_field), PP_ROLE_PLAYERS, PP_KIND_BOX, PP_INT32, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field* const fields[] = {&observation, &action, &reward, &terminated, &players};
static const pp_spec spec = {sizeof(pp_spec), 5, fields, 3, 0, 0, 0.0};

static const pp_spec* describe(const pp_host* host, const pp_value* option) {
  (void)host, (void)option;
  return &spec;
}
static void release(const pp_spec* described) {
  (void)described;
}

static void* create(const pp_host* host, const pp_shard* shard) {
  (void)host;
  return calloc(shard->count, sizeof(int32_t));
}

static int32_t run(int32_t* step, const pp_lanes* lanes, int reset) {
  for (uint32_t i = 0; i < lanes->count; ++i) {
    int32_t* count = step + lanes->first + i;
    int32_t* seen = (int32_t*)lanes->field[0] + 3 * i;
    const int32_t* acted = reset ? NULL : (const int32_t*)lanes->field[1] + 3 * i;
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    *count = reset ? 0 : *count + 1;
    const int32_t here = 1 + *count % 3;
    for (int32_t k = 0; k < 3; ++k) seen[k] = 100 * here + k;
    ((double*)lanes->field[2])[i] = reset ? 0 : acted[0];
    ((uint8_t*)lanes->field[3])[i] = 0;
    ((int32_t*)lanes->field[4])[i] = !reset && acted[0] == 9 ? 7 : here;
  }
  return 0;
}
static int32_t reset(void* self, const pp_lanes* lanes) {
  return run(self, lanes, 1);
}
static int32_t step(void* self, const pp_lanes* lanes) {
  return run(self, lanes, 0);
}

static const pp_env player_counts = {sizeof(pp_env),
                                     0,
                                     4,
                                     0,
                                     PP_FAMILY "/PlayerCounts-v0",
                                     "",
                                     NULL,
                                     describe,
                                     release,
                                     create,
                                     free,
                                     reset,
                                     step,
                                     NULL};
static const pp_env* const envs[] = {&player_counts};

PP_EXPORT const pp_plugin parallel_pool_plugin = {
    PP_ABI_MAGIC, PP_ABI_MAJOR, PP_ABI_MINOR, PP_ABI_MIN_HOST, PP_FAMILY, "1", sizeof(pp_plugin), 1,
    envs};
