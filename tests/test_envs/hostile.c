/* A plugin in plain C whose table is wrong in the one way that the environment variable HOSTILE
 * names when the library is loaded. Copies of the file are libraries of their own. */
#include <stdlib.h>
#include <string.h>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/notes.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"

enum { OBS, REWARD, TERMINATED, ACTION, INFO, N_FIELD };

static char wrong[64];
static int is(const char* name) {
  return strcmp(wrong, name) == 0;
}

static const float floats[2] = {2.0f, -2.0f};
static const int64_t ints[2] = {2, -2};
static pp_field field[N_FIELD];
static const pp_field* fields[N_FIELD + 1];
static pp_spec spec;
static pp_option option[2];
static const pp_option* options[2] = {&option[0], &option[1]};
static const char* choices[2] = {"a", "b"};
static pp_env env;
static pp_env twin;
static const pp_env* envs[2] = {&env, &twin};
static uint32_t described;
static const pp_host* the_host;

static void fill_field(pp_field* of, uint32_t role, uint32_t kind, uint32_t dtype) {
  memset(of, 0, sizeof *of);
  of->struct_size = sizeof *of;
  of->role = role;
  of->kind = kind;
  of->dtype = dtype;
  of->name = role == PP_ROLE_INFO ? "own" : "";
}

static const pp_spec* describe(const pp_host* host, const pp_value* value) {
  (void)value;
  ++described;
  the_host = host;
  if (is("describe_null")) return NULL;
  if (is("describe_null_text")) host->set_error(host, PP_ALL_LANES, NULL);
  if (is("describe_bad_utf8")) host->set_error(host, PP_ALL_LANES, "caf\xe9 \xff");
  if (is("describe_long")) {
    char* text = malloc((size_t)1 << 28);
    memset(text, 'x', (size_t)1 << 28);
    text[((size_t)1 << 28) - 1] = 0;
    host->set_error(host, PP_ALL_LANES, text);
    free(text);
  }
  if (strncmp(wrong, "describe_", 9) == 0) return NULL;
  if (is("fewer_each_time")) spec.n_field = described % 2 == 0 ? N_FIELD - 1 : N_FIELD;
  if (is("larger_each_time")) field[OBS].shape[0] = 2 + described;
  return &spec;
}

static void release_spec(const pp_spec* released) {
  (void)released;
}

static void* create(const pp_host* host, const pp_shard* shard) {
  if (is("create_null")) return NULL;
  if (is("create_many_errors")) {
    uint32_t i;
    for (i = 0; i < 100000; ++i) host->set_error(host, i % 7, i % 2 ? "odd" : "even");
    return NULL;
  }
  return calloc(shard->count, sizeof(int64_t));
}

static void destroy(void* self) {
  free(self);
}

static int32_t write_rows(void* self, const pp_lanes* lanes, int64_t by) {
  int64_t* count = (int64_t*)self + lanes->first;
  uint32_t i;
  if (is("odd_lane")) the_host->set_error(the_host, 12345, "of a lane that is not there");
  if (is("bad_text")) the_host->set_error(the_host, lanes->first, "caf\xe9 \xff");
  if (is("no_host_extension") && the_host->get_extension(the_host, NULL) != NULL) return 3;
  if (is("null_note") || is("bad_note")) {
    const pp_notes* notes = the_host->get_extension(the_host, PP_EXT_NOTES);
    notes->set_note(the_host, lanes->first, is("null_note") ? NULL : "caf\xe9 \xff");
  }
  if (is("claims_twice")) {
    lanes->claim_rows(lanes);
    lanes->claim_rows(lanes);
  }
  for (i = 0; i < lanes->count; ++i) {
    if (lanes->mask != NULL && lanes->mask[i] == 0) continue;
    count[i] = by == 0 ? 0 : count[i] + by;
    if (lanes->field[OBS] != NULL) ((float*)lanes->field[OBS])[2 * i] = (float)count[i];
    if (lanes->field[REWARD] != NULL) ((double*)lanes->field[REWARD])[i] = 1.0;
    if (lanes->field[TERMINATED] != NULL)
      ((uint8_t*)lanes->field[TERMINATED])[i] = is("flag_of_2") ? 2 : 0;
  }
  if (is("odd_status")) return INT32_MIN;
  if (is("left_untold")) return -2;
  return 0;
}

static int32_t reset(void* self, const pp_lanes* lanes) {
  return write_rows(self, lanes, 0);
}
static int32_t step(void* self, const pp_lanes* lanes) {
  return write_rows(self, lanes, 1);
}

/* ---- extensions ---- */

static int64_t state_size(void* self, uint32_t lane) {
  (void)self;
  (void)lane;
  if (is("state_huge")) return INT64_MAX;
  if (is("state_large")) return (int64_t)1 << 50;
  return is("state_negative") ? -5 : 8;
}
static int64_t state_save(void* self, uint32_t lane, void* bytes, uint64_t capacity) {
  memcpy(bytes, (int64_t*)self + lane, 8);
  return is("state_says_more") ? (int64_t)capacity + 100 : 8;
}
static int32_t state_load(void* self, uint32_t lane, const void* bytes, uint64_t size) {
  if (size != 8) return 1;
  memcpy((int64_t*)self + lane, bytes, 8);
  return 0;
}
static const char* local[1];
static pp_state state = {sizeof(pp_state), 0,          local, state_size,
                         state_save,       state_load, NULL,  NULL};

static int32_t picture_size(void* self, uint32_t lane, uint32_t* height, uint32_t* width) {
  (void)self;
  (void)lane;
  *height = is("picture_empty") ? 0 : is("picture_huge") ? UINT32_MAX : 2;
  *width = is("picture_huge") ? UINT32_MAX : is("picture_large") ? 1u << 31 : 2;
  return 0;
}
static int32_t draw(void* self, uint32_t lane, uint8_t* rgb) {
  (void)self;
  (void)lane;
  memset(rgb, 1, 12);
  return 0;
}
static pp_render render = {sizeof(pp_render), 0, picture_size, draw};

static int64_t array_count(void* self, uint32_t lane) {
  (void)self;
  (void)lane;
  return is("arrays_huge") ? INT64_MAX : is("arrays_many") ? (int64_t)1 << 33 : 1;
}
static int32_t array_describe(void* self, uint32_t lane, uint32_t array, pp_array* out) {
  (void)self;
  (void)lane;
  (void)array;
  out->flags = PP_ARRAY_WRITABLE;
  out->dtype = is("array_dtype") ? 99 : PP_INT64;
  out->ndim = is("array_dims") ? 99 : 2;
  out->shape[0] = is("array_negative") ? -1 : is("array_overflow") ? (int64_t)1 << 40 : 1;
  out->shape[1] = is("array_overflow") ? (int64_t)1 << 21 : 1;
  out->name = is("array_nameless") ? NULL : is("array_utf8") ? "caf\xe9" : "count";
  return 0;
}
static int32_t array_read(void* self, uint32_t lane, uint32_t array, void* elements) {
  (void)array;
  memcpy(elements, (int64_t*)self + lane, 8);
  return 0;
}
static int32_t array_write(void* self, uint32_t lane, uint32_t array, const void* elements) {
  (void)array;
  memcpy((int64_t*)self + lane, elements, 8);
  return 0;
}
static pp_arrays arrays = {sizeof(pp_arrays), 0,          array_count,
                           array_describe,    array_read, array_write};

static int32_t set_options(void* self, uint32_t lane, const pp_value* value) {
  (void)self;
  (void)lane;
  (void)value;
  return 0;
}
static pp_option reset_option;
static const pp_option* reset_options_list[1] = {&reset_option};
static pp_reset_options reset_options = {sizeof(pp_reset_options), 1, reset_options_list, NULL,
                                         set_options};

static void begin(void* self, const pp_lanes* lanes) {
  (void)self;
  (void)lanes;
}
static pp_early_resets early = {sizeof(pp_early_resets), 0, begin};

static const void* get_extension(const char* id) {
  if (strcmp(id, PP_EXT_STATE) == 0) return &state;
  if (strcmp(id, PP_EXT_RENDER) == 0) return &render;
  if (strcmp(id, PP_EXT_ARRAYS) == 0) return &arrays;
  if (strcmp(id, PP_EXT_RESET_OPTIONS) == 0) return &reset_options;
  if (strcmp(id, PP_EXT_EARLY_RESETS) == 0) return &early;
  return NULL;
}

static void fill(void);

PP_EXPORT pp_plugin hostile_table;
extern PP_EXPORT const pp_plugin parallel_pool_plugin __attribute__((alias("hostile_table")));

__attribute__((constructor)) static void load(void) {
  const char* asked = getenv("HOSTILE");
  if (asked != NULL) strncpy(wrong, asked, sizeof wrong - 1);
  fill();
}

static void fill_option(pp_option* of, const char* name, uint32_t kind) {
  memset(of, 0, sizeof *of);
  of->struct_size = sizeof *of;
  of->name = name;
  of->doc = "what it is";
  of->value.kind = kind;
}

static void fill_tables(void) {
  int f;
  fill_field(&field[OBS], PP_ROLE_OBS, PP_KIND_BOX, PP_FLOAT32);
  field[OBS].ndim = 1;
  field[OBS].shape[0] = 2;
  fill_field(&field[REWARD], PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64);
  fill_field(&field[TERMINATED], PP_ROLE_TERMINATED, PP_KIND_MULTI_BINARY, PP_BOOL);
  fill_field(&field[ACTION], PP_ROLE_ACTION, PP_KIND_DISCRETE, PP_INT64);
  field[ACTION].low = &ints[1];
  field[ACTION].high = &ints[0];
  field[ACTION].n_low = field[ACTION].n_high = 1;
  fill_field(&field[INFO], PP_ROLE_INFO, PP_KIND_BOX, PP_INT32);
  for (f = 0; f < N_FIELD; ++f) fields[f] = &field[f];
  spec.struct_size = sizeof spec;
  spec.n_field = N_FIELD - 1;
  spec.field = fields;
  spec.max_players = 1;
  fill_option(&option[0], "first", PP_OPTION_INT);
  fill_option(&option[1], "second", PP_OPTION_STRING);
  option[1].value.s = "a";
  option[1].choices = choices;
  option[1].n_choices = 2;
  fill_option(&reset_option, "start", PP_OPTION_INT);
  env.struct_size = sizeof env;
  env.preferred_lanes = 1;
  env.n_option = 2;
  env.id = "hostile/Env-v0";
  env.summary = "Wrong on purpose";
  env.option = options;
  env.describe = describe;
  env.release_spec = release_spec;
  env.create = create;
  env.destroy = destroy;
  env.reset = reset;
  env.step = step;
  env.get_extension = get_extension;
  hostile_table.magic = PP_ABI_MAGIC;
  hostile_table.abi_major = PP_ABI_MAJOR;
  hostile_table.abi_minor = PP_ABI_MINOR;
  hostile_table.min_host_minor = PP_ABI_MIN_HOST;
  hostile_table.name = "hostile";
  hostile_table.version = "1.0";
  hostile_table.struct_size = sizeof hostile_table;
  hostile_table.n_env = 1;
  hostile_table.env = envs;
}

#define CASE(name, ...) \
  if (is(name)) __VA_ARGS__
#define ACTIONS(type, c_type, first, last)       \
  do {                                           \
    static const c_type ends[2] = {first, last}; \
    field[ACTION].dtype = type;                  \
    field[ACTION].low = &ends[0];                \
    field[ACTION].high = &ends[1];               \
  } while (0)

static void fill(void) {
  fill_tables();
  twin = env;
  /* the head */
  CASE("name_null", hostile_table.name = NULL);
  CASE("name_utf8", hostile_table.name = "caf\xe9");
  CASE("name_empty", hostile_table.name = "");
  CASE("version_null", hostile_table.version = NULL);
  CASE("version_utf8", hostile_table.version = "1.\xff");
  CASE("head_short", hostile_table.struct_size = 8);
  CASE("no_envs", hostile_table.n_env = 0);
  CASE("envs_null", hostile_table.env = NULL);
  CASE("env_null", envs[0] = NULL);
  CASE("twice", hostile_table.n_env = 2);
  /* the environment */
  CASE("env_short", env.struct_size = 8);
  CASE("id_null", env.id = NULL);
  CASE("id_utf8", env.id = "hostile/\xe9-v0");
  CASE("id_newline", env.id = "hostile/A\n-v0");
  CASE("summary_null", env.summary = NULL);
  CASE("summary_utf8", env.summary = "\xff");
  CASE("no_describe", env.describe = NULL);
  CASE("no_release", env.release_spec = NULL);
  CASE("no_create", env.create = NULL);
  CASE("no_destroy", env.destroy = NULL);
  CASE("no_reset", env.reset = NULL);
  CASE("no_step", env.step = NULL);
  CASE("no_extensions", env.get_extension = NULL);
  CASE("lanes_0", env.preferred_lanes = 0);
  CASE("lanes_huge", env.preferred_lanes = UINT32_MAX);
  CASE("lanes_late", (env.preferred_lanes = UINT32_MAX, env.flags = PP_ENV_LATE_ROWS));
  CASE("flags_unknown", env.flags = 0xfffffff0u);
  CASE("claims_twice", env.flags = PP_ENV_LATE_ROWS);
  /* options */
  CASE("options_null", env.option = NULL);
  CASE("option_null", options[1] = NULL);
  CASE("option_short", option[0].struct_size = 8);
  CASE("option_nameless", option[0].name = NULL);
  CASE("option_empty_name", option[0].name = "");
  CASE("option_utf8", option[0].name = "caf\xe9");
  CASE("option_twice", option[1].name = "first");
  CASE("option_doc_null", option[0].doc = NULL);
  CASE("option_doc_utf8", option[0].doc = "\xff");
  CASE("option_kind", option[0].value.kind = 77);
  CASE("option_text_null", option[1].value.s = NULL);
  CASE("option_text_utf8", option[1].value.s = "\xff");
  CASE("option_text_no_choice", option[1].value.s = "c");
  CASE("choices_null", option[1].choices = NULL);
  CASE("choice_null", choices[1] = NULL);
  CASE("choice_utf8", choices[1] = "\xff");
  CASE("option_range", (option[0].flags = PP_OPTION_HAS_LOW, option[0].low = 5));
  CASE("option_upside_down", (option[0].flags = PP_OPTION_HAS_LOW | PP_OPTION_HAS_HIGH,
                              option[0].low = 5, option[0].high = -5));
  CASE("option_nan", (option[0].flags = PP_OPTION_HAS_LOW, option[0].low = strtod("nan", NULL)));
  CASE("array_null", (option[0].value.kind = PP_OPTION_ARRAY, option[0].value.dtype = PP_FLOAT64,
                      option[0].value.count = 3));
  CASE("array_count", (option[0].value.kind = PP_OPTION_ARRAY, option[0].value.dtype = PP_FLOAT64,
                       option[0].value.count = -3, option[0].value.data = ints));
  CASE("array_type", (option[0].value.kind = PP_OPTION_ARRAY, option[0].value.dtype = 99,
                      option[0].value.count = 1, option[0].value.data = ints));
  CASE("array_empty", (option[0].value.kind = PP_OPTION_ARRAY, option[0].value.dtype = PP_FLOAT64));
  /* the description */
  CASE("spec_short", spec.struct_size = 8);
  CASE("fields_null", spec.field = NULL);
  CASE("field_null", fields[1] = NULL);
  CASE("field_short", field[OBS].struct_size = 8);
  CASE("field_name_null", field[OBS].name = NULL);
  CASE("field_name_utf8", field[OBS].name = "caf\xe9");
  CASE("field_name_slash", field[OBS].name = "a//b");
  CASE("field_name_end", field[OBS].name = "a/");
  CASE("field_name_begin", field[OBS].name = "/a");
  CASE("field_name_newline", field[OBS].name = "a\nb");
  CASE("field_name_2", field[OBS].name = "2");
  CASE("box_upside_down", (field[OBS].low = &floats[0], field[OBS].high = &floats[1],
                           field[OBS].n_low = field[OBS].n_high = 1));
  CASE("discrete_upside_down", (field[ACTION].low = &ints[0], field[ACTION].high = &ints[1]));
  CASE("multi_upside_down", (field[ACTION].kind = PP_KIND_MULTI_DISCRETE,
                             field[ACTION].low = &ints[0], field[ACTION].high = &ints[1]));
  CASE("box_nan", {
    static float nan[1];
    nan[0] = (float)strtod("nan", NULL);
    field[OBS].low = nan;
    field[OBS].n_low = 1;
  });
  CASE("discrete_whole_range", ACTIONS(PP_INT64, int64_t, INT64_MIN, INT64_MAX));
  CASE("discrete_unsigned", ACTIONS(PP_UINT64, uint64_t, 0, UINT64_MAX));
  CASE("multi_whole_range", {
    field[ACTION].kind = PP_KIND_MULTI_DISCRETE;
    field[ACTION].ndim = 1;
    field[ACTION].shape[0] = 2;
    ACTIONS(PP_UINT64, uint64_t, 0, UINT64_MAX);
  });
  CASE("discrete_bool", ACTIONS(PP_BOOL, uint8_t, 0, 1));
  CASE("bool_of_7", ACTIONS(PP_BOOL, uint8_t, 5, 7));
  CASE("reward_bounds_null", field[REWARD].n_low = 1);
  CASE("obs_empty", field[OBS].shape[0] = 0);
  CASE("action_empty", (field[ACTION].ndim = 1, field[ACTION].kind = PP_KIND_MULTI_DISCRETE));
  CASE("obs_1_tb", field[OBS].shape[0] = (int64_t)1 << 38);
  CASE("obs_4_tb", field[OBS].shape[0] = (int64_t)1 << 40);
  CASE("action_4_tb",
       (field[ACTION].kind = PP_KIND_MULTI_BINARY, field[ACTION].ndim = 1,
        field[ACTION].n_low = field[ACTION].n_high = 0, field[ACTION].shape[0] = (int64_t)1 << 40));
  CASE("steps_huge", spec.max_episode_steps = INT64_MAX);
  CASE("threshold_inf", spec.reward_threshold = strtod("inf", NULL));
  CASE("max_players_huge", (spec.max_players = 65536, field[OBS].flags = PP_FIELD_PER_PLAYER));
  CASE("reward_discrete", (field[REWARD].kind = PP_KIND_MULTI_BINARY));
  CASE("info_huge_name", {
    static char text[1 << 20];
    memset(text, 'x', sizeof text - 1);
    field[INFO].name = text;
    spec.n_field = N_FIELD;
  });
  /* extensions */
  CASE("state_short", state.struct_size = 8);
  CASE("state_no_size", state.size = NULL);
  CASE("state_no_save", state.save = NULL);
  CASE("state_no_load", state.load = NULL);
  CASE("state_locals_null", (state.local_option = NULL, state.n_local_option = 1));
  CASE("state_local_null", state.n_local_option = 1);
  CASE("render_no_size", render.size = NULL);
  CASE("render_no_draw", render.draw = NULL);
  CASE("arrays_no_count", arrays.count = NULL);
  CASE("arrays_no_describe", arrays.describe = NULL);
  CASE("arrays_no_read", arrays.read = NULL);
  CASE("arrays_no_write", arrays.write = NULL);
  CASE("reset_options_null", reset_options.option = NULL);
  CASE("reset_option_null", reset_options_list[0] = NULL);
  CASE("reset_option_nameless", reset_option.name = NULL);
  CASE("reset_options_no_set", reset_options.set = NULL);
  CASE("early_no_begin", early.begin = NULL);
}
