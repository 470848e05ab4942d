// Lets C++ exceptions out through the ABI, which its rules forbid, where the option `where` says
// so.
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "parallel_pool/abi.h"

namespace {

constexpr int64_t bounds[] = {0, 1};
constexpr pp_field obs = {sizeof(pp_field), PP_ROLE_OBS, PP_KIND_BOX, PP_FLOAT32, 0, 0, {}, "",
                          nullptr,          nullptr,     0,           0};
constexpr pp_field reward = {
    sizeof(pp_field), PP_ROLE_REWARD, PP_KIND_BOX, PP_FLOAT64, 0, 0, {}, "",
    nullptr,          nullptr,        0,           0};
constexpr pp_field terminated = {sizeof(pp_field),
                                 PP_ROLE_TERMINATED,
                                 PP_KIND_MULTI_BINARY,
                                 PP_BOOL,
                                 0,
                                 0,
                                 {},
                                 "",
                                 nullptr,
                                 nullptr,
                                 0,
                                 0};
const pp_field action = {sizeof(pp_field),
                         PP_ROLE_ACTION,
                         PP_KIND_DISCRETE,
                         PP_INT64,
                         0,
                         0,
                         {},
                         "",
                         &bounds[0],
                         &bounds[1],
                         1,
                         1};
const pp_field* const fields[] = {&obs, &reward, &terminated, &action};
const pp_spec spec = {sizeof(pp_spec), 4, fields, 1, 0, 0, 0.0};

const pp_option where = {sizeof(pp_option),
                         0,
                         "where",
                         "the function that throws",
                         {PP_OPTION_STRING, 0, 0, 0, 0.0, "", nullptr},
                         0.0,
                         0.0,
                         nullptr,
                         0,
                         0};
const pp_option* const options[] = {&where};

struct Shard {
  const char* where;
};

void at(const char* asked, const char* here) {
  if (std::strcmp(asked, here) == 0) throw std::runtime_error("thrown in C++");
  if (std::strcmp(asked, "anything") == 0) throw 7;
}

const pp_spec* describe(const pp_host*, const pp_value* option) {
  at(option[0].s, "describe");
  return &spec;
}
void release_spec(const pp_spec*) {}
void* create(const pp_host*, const pp_shard* shard) {
  const char* asked = shard->option[0][0].s;
  at(asked, "create");
  return new Shard{std::strcmp(asked, "step") == 0 ? "step" : asked[0] == 'r' ? "reset" : ""};
}
void destroy(void* self) {
  delete static_cast<Shard*>(self);
}
int32_t write(const pp_lanes* lanes) {
  for (uint32_t i = 0; i < lanes->count; ++i) {
    static_cast<float*>(lanes->field[0])[i] = 1;
    static_cast<double*>(lanes->field[1])[i] = 1;
    static_cast<uint8_t*>(lanes->field[2])[i] = 0;
  }
  return 0;
}
int32_t reset(void* self, const pp_lanes* lanes) {
  at(static_cast<Shard*>(self)->where, "reset");
  return write(lanes);
}
int32_t step(void* self, const pp_lanes* lanes) {
  at(static_cast<Shard*>(self)->where, "step");
  return write(lanes);
}

const pp_env env = {sizeof(pp_env),
                    0,
                    1,
                    1,
                    "throwing/Env-v0",
                    "Throws",
                    options,
                    describe,
                    release_spec,
                    create,
                    destroy,
                    reset,
                    step,
                    nullptr};
const pp_env* const envs[] = {&env};

}  // namespace

const pp_plugin parallel_pool_plugin = {
    PP_ABI_MAGIC, PP_ABI_MAJOR, PP_ABI_MINOR,      PP_ABI_MIN_HOST,
    "throwing",   "1.0",        sizeof(pp_plugin), 1,
    envs};
