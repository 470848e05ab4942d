// Compiled twice: with COUNTER an engine with global state, else environments that load copies.
#ifdef COUNTER
static int count = 0;
// Pages of code, which a copy gives back.
__asm__(".text\n.fill 65536\n");
extern "C" __attribute__((visibility("default"))) int counter_step(int by) {
  return count += by;
}
#else
#include "parallel_pool/sdk/library_copy.hpp"

#include "parallel_pool/env.hpp"

struct Counter {
  static constexpr const char* id = "copies/Counter-v0";
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<10>;

  Counter() : step_(engine_.symbol<int(int)>("counter_step")) {}
  void reset(pp::Rng&, Obs::Ref obs) { obs = step_(0); }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs = step_(action);
    return {0.0, false};
  }

 private:
  pp::LibraryCopy engine_{ENGINE};
  int (*step_)(int);
};

PP_PLUGIN("copies", pp::scalar<Counter>());
#endif
