/* What a game is compiled after: its rand() draws from the generator of the environment `env`, as
 * all of these games call theirs, and it seeds nothing. */
#include <stdlib.h>

int ocean_rand(void* env);
#define rand() ocean_rand(env)
#define srand(seed) ((void)(seed))
