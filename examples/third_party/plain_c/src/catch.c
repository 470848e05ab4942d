/* Catch: a ball falls down a board, a paddle moves along its lowest row.
 *
 * A whole plugin in C99 against parallel_pool/abi.h and nothing else: no C++, no SDK. Every table
 * that the host reads is constant data; the only thing exported is `parallel_pool_plugin`. */
#include <stdlib.h>
#include <string.h>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/state.h"

#ifndef PP_PLUGIN_VERSION
#define PP_PLUGIN_VERSION "0.0.0" /* parallel_pool_add_plugin() passes the project's */
#endif

enum { ROWS = 10, COLUMNS = 5 };

/* ---- what it looks like -------------------------------------------------------------------- */
/* The position of a field here is its number: lanes->field[OBS] are the observations. */
enum { OBS, REWARD, TERMINATED, ACTION, N_FIELD };

static const uint8_t cell_low = 0, cell_high = 1;
static const int32_t action_low = 0, action_high = 2; /* left, stay, right */

static const pp_field obs_field = {sizeof(pp_field), PP_ROLE_OBS, PP_KIND_BOX, PP_UINT8,   0, 2,
                                   {ROWS, COLUMNS},  "",          &cell_low,   &cell_high, 1, 1};
static const pp_field reward_field = {
    sizeof(pp_field), PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64, 0, 0, {0}, "", NULL, NULL, 0, 0};
static const pp_field terminated_field = {sizeof(pp_field),
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
static const pp_field action_field = {sizeof(pp_field),
                                      PP_ROLE_ACTION,
                                      PP_KIND_DISCRETE,
                                      PP_INT32,
                                      0,
                                      0,
                                      {0},
                                      "",
                                      &action_low,
                                      &action_high,
                                      1,
                                      1};
static const pp_field* const fields[N_FIELD] = {&obs_field, &reward_field, &terminated_field,
                                                &action_field};
static const pp_spec spec = {sizeof(pp_spec), N_FIELD, fields, 1, 0, 0, 0.9};

/* The host checks the range and converts what the user gives; see wind_of(). */
static const pp_option wind_option = {sizeof(pp_option),
                                      PP_OPTION_HAS_LOW | PP_OPTION_HAS_HIGH,
                                      "wind",
                                      "probability that the ball drifts sideways in a step",
                                      {PP_OPTION_FLOAT, 0, 0, 0, 0.0, NULL, NULL},
                                      0.0,
                                      1.0,
                                      NULL,
                                      0,
                                      0};
static const pp_option* const options[] = {&wind_option};

/* No option changes the shapes, so all lanes share one description. */
static const pp_spec* describe(const pp_host* host, const pp_value* option) {
  (void)host;
  (void)option;
  return &spec;
}

static void release_spec(const pp_spec* released) {
  (void)released;
}

/* ---- what it does -------------------------------------------------------------------------- */
typedef struct lane {
  double wind;
  /* What a state consists of: everything from here to the end, and nothing that depends on where
   * the lane is in memory. */
  uint64_t generator;
  int32_t ball_row, ball_column, paddle, unused;
} lane;

#define STATE_SIZE (sizeof(lane) - offsetof(lane, generator))

/* splitmix64: a seed of the host gives a sequence of its own, and lanes do not share one. */
static uint64_t next_bits(lane* self) {
  uint64_t z = (self->generator += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double next_fraction(lane* self) {
  return (double)(next_bits(self) >> 11) / 9007199254740992.0;
}

static int32_t clamp_column(int32_t column) {
  return column < 0 ? 0 : column >= COLUMNS ? COLUMNS - 1 : column;
}

static void observe(const lane* self, uint8_t* board) {
  memset(board, 0, ROWS * COLUMNS);
  board[self->ball_row * COLUMNS + self->ball_column] = 1;
  board[(ROWS - 1) * COLUMNS + self->paddle] = 1;
}

/* A shard is an array of lanes. Options belong to the host: what is needed later is copied. */
static void* create(const pp_host* host, const pp_shard* shard) {
  lane* lanes = calloc(shard->count, sizeof(lane));
  uint32_t i;
  if (lanes == NULL) {
    host->set_error(host, PP_ALL_LANES, "not enough memory for the boards");
    return NULL;
  }
  for (i = 0; i < shard->count; ++i) lanes[i].wind = shard->option[i][0].f;
  return lanes;
}

static void destroy(void* self) {
  free(self);
}

/* Every output of a lane that takes part is written in every call; the others are left alone. */
static int32_t reset(void* self, const pp_lanes* lanes) {
  uint8_t* boards = lanes->field[OBS];
  uint32_t i;
  for (i = 0; i < lanes->count; ++i) {
    lane* each = (lane*)self + lanes->first + i;
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    if (lanes->seed != NULL) each->generator = lanes->seed[i]; /* else it goes on */
    each->ball_row = 0;
    each->ball_column = (int32_t)(next_bits(each) % COLUMNS);
    each->paddle = COLUMNS / 2;
    observe(each, boards + (size_t)i * ROWS * COLUMNS);
    ((double*)lanes->field[REWARD])[i] = 0.0;
    ((uint8_t*)lanes->field[TERMINATED])[i] = 0;
  }
  return 0;
}

static int32_t step(void* self, const pp_lanes* lanes) {
  uint8_t* boards = lanes->field[OBS];
  const int32_t* actions = lanes->field[ACTION];
  uint32_t i;
  for (i = 0; i < lanes->count; ++i) {
    lane* each = (lane*)self + lanes->first + i;
    int down;
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    each->paddle = clamp_column(each->paddle + actions[i] - 1);
    if (each->ball_row < ROWS - 1) each->ball_row += 1; /* it is down where a state was made up */
    if (next_fraction(each) < each->wind) {
      each->ball_column = clamp_column(each->ball_column + (next_bits(each) & 1 ? 1 : -1));
    }
    down = each->ball_row == ROWS - 1;
    observe(each, boards + (size_t)i * ROWS * COLUMNS);
    ((double*)lanes->field[REWARD])[i] = !down                               ? 0.0
                                         : each->ball_column == each->paddle ? 1.0
                                                                             : -1.0;
    ((uint8_t*)lanes->field[TERMINATED])[i] = (uint8_t)down;
  }
  return 0;
}

/* ---- saving and restoring: the extension "pp.state/1" ---------------------------------------- */
static int64_t state_size(void* self, uint32_t which) {
  (void)self;
  (void)which;
  return (int64_t)STATE_SIZE;
}

static int64_t state_save(void* self, uint32_t which, void* bytes, uint64_t capacity) {
  if (capacity < STATE_SIZE) return -1;
  memcpy(bytes, &((lane*)self)[which].generator, STATE_SIZE);
  return (int64_t)STATE_SIZE;
}

/* The host has checked that the bytes are whole and from this very environment and version.
 * They may be made up all the same, and the board is written where they say. */
static int32_t state_load(void* self, uint32_t which, const void* bytes, uint64_t size) {
  lane given = ((lane*)self)[which];
  if (size != STATE_SIZE) return 1;
  memcpy(&given.generator, bytes, STATE_SIZE);
  if (given.ball_row < 0 || given.ball_row >= ROWS || given.ball_column < 0 ||
      given.ball_column >= COLUMNS || given.paddle < 0 || given.paddle >= COLUMNS) {
    return 1;
  }
  ((lane*)self)[which] = given;
  return 0;
}

static const pp_state state = {sizeof(pp_state), 0,          NULL, state_size,
                               state_save,       state_load, NULL, NULL};

static const void* get_extension(const char* id) {
  return strcmp(id, PP_EXT_STATE) == 0 ? &state : NULL;
}

/* ---- the plugin ------------------------------------------------------------------------------ */
static const pp_env env = {sizeof(pp_env),
                           0,  /* flags */
                           64, /* lanes per call: a step takes nanoseconds */
                           1,  /* options */
                           "catch/Catch-v0",
                           "Catch a falling ball with a paddle",
                           options,
                           describe,
                           release_spec,
                           create,
                           destroy,
                           reset,
                           step,
                           get_extension};
static const pp_env* const envs[] = {&env};

PP_EXPORT const pp_plugin parallel_pool_plugin = {
    PP_ABI_MAGIC, PP_ABI_MAJOR,      PP_ABI_MINOR,      PP_ABI_MIN_HOST,
    "catch",      PP_PLUGIN_VERSION, sizeof(pp_plugin), 1,
    envs};
