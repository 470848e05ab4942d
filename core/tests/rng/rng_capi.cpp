// pp::Rng and pp::SeedSequence behind C functions, for native_generators.py.

#include "parallel_pool/rng.hpp"

namespace {

template <typename Integer, typename Bound>
Integer OneInteger(pp::Rng& rng, Bound low, Bound high, bool endpoint) {
  return rng.integers<Integer>(low, high, endpoint);
}

template <typename Integer, typename Bound>
void ManyIntegers(pp::Rng& rng, Integer* out, std::size_t count, Bound low, Bound high,
                  bool endpoint) {
  rng.fill_integers(out, count, low, high, endpoint);
}

std::vector<std::int64_t> ManyChoices(pp::Rng& rng, std::int64_t population, std::int64_t count,
                                      bool replace, const double* probabilities, bool shuffle) {
  return rng.choice(population, count, replace, probabilities, shuffle);
}

}  // namespace

#define PREFIX rng
#define GENERATOR pp::Rng
#include "capi.hpp"

extern "C" {

void seed_sequence_uint32(std::uint64_t entropy, const std::uint32_t* key, std::size_t key_count,
                          std::uint32_t* out, std::size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

void seed_sequence_uint64(std::uint64_t entropy, const std::uint32_t* key, std::size_t key_count,
                          std::uint64_t* out, std::size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

DEFINE_DRAWS(random_float, float, random_float())

std::int32_t rng_integers32(pp::Rng* rng, std::int64_t low, std::int64_t high, bool endpoint) {
  return rng->integers32(low, high, endpoint);
}

std::uint32_t rng_below(pp::Rng* rng, std::uint32_t count) {
  return rng->below(count);
}

}  // extern "C"
