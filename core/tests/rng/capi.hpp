// What pp::Rng and pp::RandomState share, behind C functions for native_generators.py to call with
// ctypes.
//
// Defined before this is included: PREFIX, of the functions' names; GENERATOR; and, because the
// generations name these differently, one_integer<Integer>, many_integers and many_choices.

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace {

// False where the call threw.
template <typename Call>
bool succeeds(Call&& call) {
  try {
    call();
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

#define JOINED(prefix, name) prefix##_##name
#define NAMED(prefix, name) JOINED(prefix, name)
#define NAME(name) NAMED(PREFIX, name)

extern "C" {

size_t NAME(size)() {
  return sizeof(GENERATOR);
}

void NAME(default)(void* memory) {
  new (memory) GENERATOR();
}

bool NAME(construct)(void* memory, uint64_t seed) {
  return succeeds([=] { new (memory) GENERATOR(seed); });
}

bool NAME(seed)(GENERATOR* generator, uint64_t seed) {
  return succeeds([=] { generator->seed(seed); });
}

void NAME(construct_from_sequence)(void* memory, const uint32_t* entropy, size_t entropy_count,
                                   const uint32_t* key, size_t key_count) {
  new (memory) GENERATOR(pp::SeedSequence(entropy, entropy_count, key, key_count));
}

// The first word of the states of many seeds.
void NAME(first_words)(const uint64_t* seeds, uint64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = GENERATOR(seeds[i]).next_uint64();
}

#define DEFINE_DRAWS(name, Value, call)                               \
  void NAME(name)(GENERATOR * generator, Value * out, size_t count) { \
    for (size_t i = 0; i < count; ++i) out[i] = generator->call;      \
  }
#define DEFINE_DRAWS_WITH(name, call)                                                              \
  void NAME(name)(GENERATOR * generator, double* out, size_t count, double first, double second) { \
    static_cast<void>(second);                                                                     \
    for (size_t i = 0; i < count; ++i) out[i] = generator->call;                                   \
  }

DEFINE_DRAWS(uint64, uint64_t, next_uint64())
DEFINE_DRAWS(uint32, uint32_t, next_uint32())
DEFINE_DRAWS(random, double, random())
DEFINE_DRAWS(standard_normal, double, standard_normal())
DEFINE_DRAWS(standard_exponential, double, standard_exponential())
DEFINE_DRAWS_WITH(uniform, uniform(first, second))
DEFINE_DRAWS_WITH(normal, normal(first, second))
DEFINE_DRAWS_WITH(exponential, exponential(first))

void NAME(fill_random)(GENERATOR* generator, double* out, size_t count) {
  generator->fill_random(out, count);
}

void NAME(fill_standard_normal)(GENERATOR* generator, double* out, size_t count) {
  generator->fill_standard_normal(out, count);
}

#define DEFINE_FILLS(name, method, From)                                                       \
  void NAME(name)(GENERATOR * generator, double* out, size_t count, From first, From second) { \
    generator->method(out, count, first, second);                                              \
  }
DEFINE_FILLS(fill_uniform, fill_uniform, double)
DEFINE_FILLS(fill_normal, fill_normal, double)
DEFINE_FILLS(fill_uniform_each, fill_uniform, const double*)
DEFINE_FILLS(fill_normal_each, fill_normal, const double*)

#define DEFINE_INTEGERS(name, Integer, Bound)                                               \
  bool NAME(scalar_##name)(GENERATOR * generator, Integer * out, Bound low, Bound high,     \
                           bool endpoint) {                                                 \
    return succeeds([=] { *out = one_integer<Integer>(*generator, low, high, endpoint); }); \
  }                                                                                         \
  bool NAME(fill_##name)(GENERATOR * generator, Integer * out, size_t count, Bound low,     \
                         Bound high, bool endpoint) {                                       \
    return succeeds([=] { many_integers(*generator, out, count, low, high, endpoint); });   \
  }
DEFINE_INTEGERS(bool, bool, int64_t)
DEFINE_INTEGERS(int8, int8_t, int64_t)
DEFINE_INTEGERS(uint8, uint8_t, int64_t)
DEFINE_INTEGERS(int16, int16_t, int64_t)
DEFINE_INTEGERS(uint16, uint16_t, int64_t)
DEFINE_INTEGERS(int32, int32_t, int64_t)
DEFINE_INTEGERS(uint32, uint32_t, int64_t)
DEFINE_INTEGERS(int64, int64_t, int64_t)
DEFINE_INTEGERS(uint64, uint64_t, uint64_t)

void NAME(permutation)(GENERATOR* generator, int64_t* out, size_t count) {
  for (const int64_t value : generator->permutation(static_cast<int64_t>(count))) {
    *out++ = value;
  }
}

void NAME(fill_permutation)(GENERATOR* generator, int32_t* out, size_t count) {
  generator->fill_permutation(out, count);
}

void NAME(shuffle)(GENERATOR* generator, double* data, size_t count) {
  generator->shuffle(data, count);
}

int64_t NAME(choice)(GENERATOR* generator, int64_t population, const double* probabilities) {
  return probabilities == nullptr ? generator->choice(population)
                                  : generator->choice(population, probabilities);
}

bool NAME(choice_many)(GENERATOR* generator, int64_t* out, int64_t population, int64_t count,
                       bool replace, const double* probabilities, bool shuffle) {
  return succeeds([=]() mutable {
    for (const int64_t index :
         many_choices(*generator, population, count, replace, probabilities, shuffle)) {
      *out++ = index;
    }
  });
}

int64_t NAME(categorical)(GENERATOR* generator, const double* probabilities, size_t count) {
  return generator->categorical(probabilities, count);
}

}  // extern "C"
