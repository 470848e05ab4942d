/* A game as many in C are: one in the process, in global variables, with a generator of its own.
 * Its step begins the next crossing when one is over, as PufferLib's games do.
 */
#include <stdint.h>

enum { WIDTH = 24, HALF = 6, PATIENCE = 60 };

static uint64_t generator = 1;
static int32_t across, drift, current, steps; /* fields from the left bank, from the middle line */

static int32_t random_below(uint32_t bound) { /* splitmix64 */
  uint64_t z = (generator += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (int32_t)((z ^ (z >> 31)) % bound);
}

void game_seed(uint64_t seed) {
  generator = seed;
}

void game_reset(void) {
  across = steps = 0;
  drift = random_below(5) - 2;
  current = random_below(3) - 1;
}

/* What the player sees: four numbers. */
void game_show(int32_t* seen) {
  seen[0] = across;
  seen[1] = drift;
  seen[2] = current;
  seen[3] = steps;
}

/* turn: -1, 0, 1. Returns the reward; *over is 1 after the last step of a crossing. */
double game_step(int32_t turn, int32_t* over) {
  const int32_t lost = drift < -HALF || drift > HALF;
  ++across;
  ++steps;
  drift += turn + current;
  if (random_below(8) == 0) current = random_below(3) - 1;
  const int32_t gone = drift < -HALF || drift > HALF;
  *over = gone || lost || across == WIDTH || steps == PATIENCE;
  const double reward = gone ? -1.0 : across == WIDTH ? 1.0 : 0.0;
  if (*over) game_reset();
  return reward;
}

/* The whole game, for states. */
void game_exchange(uint64_t* words, int32_t* numbers, int32_t write) {
  if (write) {
    generator = *words;
    across = numbers[0];
    drift = numbers[1];
    current = numbers[2];
    steps = numbers[3];
  } else {
    *words = generator;
    game_show(numbers);
  }
}
