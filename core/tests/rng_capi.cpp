// pp::Rng and pp::SeedSequence behind C functions, for test_rng.py to drive with ctypes.

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "parallel_pool/rng.hpp"

namespace {

template <typename Value, typename Draw>
void Fill(Value* out, std::size_t count, Draw&& draw) {
  for (std::size_t i = 0; i < count; ++i) out[i] = draw();
}

// False where the call threw.
template <typename Integer>
bool FillIntegers(pp::Rng* rng, Integer* out, std::size_t count, std::int64_t low,
                  std::int64_t high, bool endpoint) {
  try {
    rng->fill_integers(out, count, low, high, endpoint);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

extern "C" {

std::size_t rng_size() {
  return sizeof(pp::Rng);
}

void rng_default(void* memory) {
  new (memory) pp::Rng();
}

void rng_construct(void* memory, std::uint64_t seed) {
  new (memory) pp::Rng(seed);
}

void rng_construct_from_words(void* memory, const std::uint32_t* entropy, std::size_t entropy_count,
                              const std::uint32_t* key, std::size_t key_count) {
  new (memory) pp::Rng(pp::SeedSequence(entropy, entropy_count, key, key_count));
}

void rng_seed(pp::Rng* rng, std::uint64_t seed) {
  rng->seed(seed);
}

// The first word of the states of many seeds.
void rng_first_words(const std::uint64_t* seeds, std::uint64_t* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = pp::Rng(seeds[i]).next_uint64();
}

void seed_sequence_uint32(std::uint64_t entropy, const std::uint32_t* key, std::size_t key_count,
                          std::uint32_t* out, std::size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

void seed_sequence_uint64(std::uint64_t entropy, const std::uint32_t* key, std::size_t key_count,
                          std::uint64_t* out, std::size_t count) {
  pp::SeedSequence(entropy, key, key_count).generate_state(out, count);
}

void rng_uint64(pp::Rng* rng, std::uint64_t* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->next_uint64(); });
}

void rng_uint32(pp::Rng* rng, std::uint32_t* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->next_uint32(); });
}

void rng_random(pp::Rng* rng, double* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->random(); });
}

void rng_random_float(pp::Rng* rng, float* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->random_float(); });
}

double rng_uniform(pp::Rng* rng, double low, double high) {
  return rng->uniform(low, high);
}

void rng_fill_uniform(pp::Rng* rng, double* out, std::size_t count, double low, double high) {
  rng->fill_uniform(out, count, low, high);
}

void rng_standard_normal(pp::Rng* rng, double* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->standard_normal(); });
}

void rng_normal(pp::Rng* rng, double* out, std::size_t count, double location, double scale) {
  Fill(out, count, [=] { return rng->normal(location, scale); });
}

void rng_standard_exponential(pp::Rng* rng, double* out, std::size_t count) {
  Fill(out, count, [rng] { return rng->standard_exponential(); });
}

std::int64_t rng_integers(pp::Rng* rng, std::int64_t low, std::int64_t high, bool endpoint) {
  return rng->integers(low, high, endpoint);
}

std::int32_t rng_integers32(pp::Rng* rng, std::int64_t low, std::int64_t high, bool endpoint) {
  return rng->integers32(low, high, endpoint);
}

#define DEFINE_FILL_INTEGERS(name)                                                            \
  bool rng_fill_##name(pp::Rng* rng, std::name##_t* out, std::size_t count, std::int64_t low, \
                       std::int64_t high, bool endpoint) {                                    \
    return FillIntegers(rng, out, count, low, high, endpoint);                                \
  }
DEFINE_FILL_INTEGERS(int8)
DEFINE_FILL_INTEGERS(uint8)
DEFINE_FILL_INTEGERS(int16)
DEFINE_FILL_INTEGERS(uint16)
DEFINE_FILL_INTEGERS(int32)
DEFINE_FILL_INTEGERS(uint32)
DEFINE_FILL_INTEGERS(int64)
#undef DEFINE_FILL_INTEGERS

void rng_permutation(pp::Rng* rng, std::int64_t* out, std::size_t count) {
  std::size_t i = 0;
  for (const std::int64_t value : rng->permutation(static_cast<std::int64_t>(count))) {
    out[i++] = value;
  }
}

void rng_fill_permutation(pp::Rng* rng, std::int32_t* out, std::size_t count) {
  rng->fill_permutation(out, count);
}

void rng_shuffle(pp::Rng* rng, double* data, std::size_t count) {
  rng->shuffle(data, count);
}

std::int64_t rng_choice(pp::Rng* rng, std::int64_t population, const double* probabilities) {
  return probabilities == nullptr ? rng->choice(population)
                                  : rng->choice(population, probabilities);
}

bool rng_choice_many(pp::Rng* rng, std::int64_t* out, std::int64_t population, std::int64_t count,
                     bool replace, const double* probabilities, bool shuffle) {
  try {
    for (const std::int64_t index :
         rng->choice(population, count, replace, probabilities, shuffle)) {
      *out++ = index;
    }
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::int64_t rng_categorical(pp::Rng* rng, const double* probabilities, std::size_t count) {
  return rng->categorical(probabilities, count);
}

}  // extern "C"
