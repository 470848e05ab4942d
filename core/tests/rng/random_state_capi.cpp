// pp::RandomState behind C functions, for native_generators.py.

#include "parallel_pool/rng/random_state.hpp"

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

}  // extern "C"
