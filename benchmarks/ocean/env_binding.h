/* Takes the place of the file of this name in PufferLib 3.0: what a game's binding.c includes last.
 * The game and its my_init are compiled as they are, after rand.h; in place of a Python module
 * there are the functions that kernel.cpp declares. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct PyObject PyObject; /* what my_init and my_log pass on */
static int my_init(Env* env, PyObject* args, PyObject* kwargs);
static int my_log(PyObject* dict, Log* log);

static double unpack(PyObject* kwargs, const char* key) {
  static const struct {
    const char* key;
    double value;
  } given[] = {OCEAN_GIVEN};
  (void)kwargs;
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    if (strcmp(given[i].key, key) == 0) return given[i].value;
  }
  abort();
}
static int assign_to_dict(PyObject* dict, const char* key, float value) {
  return (void)dict, (void)key, (void)value, 0;
}

/* What stands for an environment. */
typedef struct Lane {
  Env env;
  uint64_t random; /* the state of splitmix64 */
} Lane;
const size_t ocean_lane_bytes = sizeof(Lane);
const size_t ocean_observations = offsetof(Lane, env.observations);

void ocean_init(void* lane, void* observations, void* actions, float* rewards,
                unsigned char* terminals) {
  Env* env = &((Lane*)lane)->env;
  env->observations = observations;
  env->actions = actions;
  env->rewards = rewards;
  env->terminals = terminals;
  my_init(env, NULL, NULL);
  (void)my_log;
}
void ocean_seed(void* lane, uint64_t seed) {
  ((Lane*)lane)->random = seed;
}
void ocean_reset(void* lane) {
  c_reset(lane);
}
void ocean_step(void* lane) {
  c_step(lane);
}

/* Not 0: games draw from the rand() of the process, as PufferLib's do. */
__attribute__((visibility("default"))) int ocean_of_process = 0;

int ocean_rand(void* lane) {
  if (ocean_of_process) return (rand)();
  uint64_t z = ((Lane*)lane)->random += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (int)((z ^ z >> 31) >> 33);
}
