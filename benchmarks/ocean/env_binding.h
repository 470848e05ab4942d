/* Takes the place of the file of this name in PufferLib 3.0: what a game's binding.c includes last.
 * The game and its my_init are compiled as they are, with rand and srand renamed; in place of a
 * Python module there are the functions that kernel.cpp declares. */
#include <stddef.h>
#include <stdlib.h>
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

const size_t ocean_env_bytes = sizeof(Env);
const size_t ocean_observations = offsetof(Env, observations);

void ocean_init(Env* env, void* observations, void* actions, float* rewards,
                unsigned char* terminals) {
  env->observations = observations;
  env->actions = actions;
  env->rewards = rewards;
  env->terminals = terminals;
  my_init(env, NULL, NULL);
  (void)my_log;
}
void ocean_reset(Env* env) {
  c_reset(env);
}
void ocean_step(Env* env) {
  c_step(env);
}
void ocean_srand(unsigned seed) {
  (void)seed;
} /* each lane has its own generator */
