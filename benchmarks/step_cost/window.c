/* What benchmarks/step_cost/worker.py needs inside of valgrind, preloaded: a window in which
 * callgrind counts, a clock that depends on nothing outside, and the processor as programs see it
 * there.
 *
 * The pool measures how long its steps take, to decide whether a call is worth sharing. Under
 * callgrind, on a machine with other work, it would decide now so and now so. So here every look at
 * a clock moves it on by the same time, which the case names. */
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static int64_t now_nanoseconds = 1000000000;
static int64_t tick_nanoseconds = 1;

void window_set_tick(int64_t nanoseconds) {
  tick_nanoseconds = nanoseconds;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  (void)clock;
  const int64_t now = __atomic_add_fetch(&now_nanoseconds, tick_nanoseconds, __ATOMIC_RELAXED);
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}

void window_open(void) {
  CALLGRIND_START_INSTRUMENTATION;
}

void window_close(void) {
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS;
}

/* The name of the processor that valgrind poses as, which follows from what the real one can do. */
void window_processor(char name[49]) {
  memset(name, 0, 49);
#if defined(__x86_64__)
  for (unsigned part = 0; part < 3; ++part) {
    unsigned words[4] = {0};
    __get_cpuid(0x80000002u + part, &words[0], &words[1], &words[2], &words[3]);
    memcpy(name + part * sizeof words, words, sizeof words);
  }
#endif
}
