// pp::Rng and pp::SeedSequence behind C functions, for native_generators.py.

#include "parallel_pool/rng.hpp"

namespace {

template <typename Integer, typename Bound>
Integer one_integer(pp::Rng& rng, Bound low, Bound high, bool endpoint) {
  return rng.integers<Integer>(low, high, endpoint);
}

template <typename Integer, typename Bound>
void many_integers(pp::Rng& rng, Integer* out, size_t count, Bound low, Bound high, bool endpoint) {
  rng.fill_integers(out, count, low, high, endpoint);
}

std::vector<int64_t> many_choices(pp::Rng& rng, int64_t population, int64_t count, bool replace,
                                  const double* probabilities, bool shuffle) {
  return rng.choice(population, count, replace, probabilities, shuffle);
}

}  // namespace

#define PREFIX rng
#define GENERATOR pp::Rng
#include "capi.hpp"

extern "C" {

void seed_sequence_uint32(uint64_t entropy, const uint32_t* key, size_t key_count, uint32_t* out,
                          size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

void seed_sequence_uint64(uint64_t entropy, const uint32_t* key, size_t key_count, uint64_t* out,
                          size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

DEFINE_DRAWS(random_float, float, random_float())

int32_t rng_integers32(pp::Rng* rng, int64_t low, int64_t high, bool endpoint) {
  return rng->integers32(low, high, endpoint);
}

uint32_t rng_below(pp::Rng* rng, uint32_t count) {
  return rng->below(count);
}

}  // extern "C"
