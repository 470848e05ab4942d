// pp::RandomState behind C functions, for native_generators.py.

#include <random>

#include "parallel_pool/rng/random_state.hpp"
#include "parallel_pool/sdk/state.hpp"

namespace {

template <typename Integer, typename Bound>
Integer one_integer(pp::RandomState& state, Bound low, Bound high, bool endpoint) {
  if (endpoint) return state.random_integers<Integer>(low, high);
  return low == 0 ? state.randint<Integer>(high) : state.randint<Integer>(low, high);
}

template <typename Integer, typename Bound>
void many_integers(pp::RandomState& state, Integer* out, size_t count, Bound low, Bound high,
                   bool endpoint) {
  if (endpoint) {
    state.fill_random_integers(out, count, low, high);
  } else {
    state.fill_randint(out, count, low, high);
  }
}

std::vector<int64_t> many_choices(pp::RandomState& state, int64_t population, int64_t count,
                                  bool replace, const double* probabilities, bool) {
  return state.choice(population, count, replace, probabilities);
}

}  // namespace

#define PREFIX random_state
#define GENERATOR pp::RandomState
#include "capi.hpp"

extern "C" {

bool random_state_construct_from_array(void* memory, const uint32_t* words, size_t count) {
  return succeeds([=] { new (memory) pp::RandomState(words, count); });
}

DEFINE_DRAWS(random_sample, double, random_sample())
DEFINE_DRAWS(rand, double, rand())
DEFINE_DRAWS(randn, double, randn())

uint64_t random_state_saved_size(const pp::RandomState* state) {
  pp::StateWriter counter(nullptr, 0);
  counter(*state);
  return counter.size();
}

void random_state_save(const pp::RandomState* state, void* bytes, uint64_t size) {
  pp::StateWriter writer(bytes, size);
  writer(*state);
}

bool random_state_load(pp::RandomState* state, const void* bytes, uint64_t size) {
  return succeeds([=] {
    pp::StateReader reader(bytes, size);
    reader(*state);
  });
}

// How many of the first words after a seed differ between the engine and the standard library's.
uint32_t mt19937_differs_from_std(uint32_t seed, uint32_t count) {
  pp::Mt19937 engine;
  engine.seed(seed);
  std::mt19937 standard(seed);
  uint32_t differing = 0;
  for (uint32_t i = 0; i < count; ++i) differing += engine.next_uint32() != standard();
  return differing;
}

}  // extern "C"
