// What is refused for lack of memory, and when, with made-up measurements.
#include "parallel_pool/host/run/memory_check.hpp"

#include "check.hpp"

namespace pp::test {
namespace {

using host::MemoryCheck;

constexpr double mega = 1 << 20;
double used = 0;
double left = 0;

const host::MemorySource made_up{
    [] { return host::MemoryUse{used, 0, 0}; },
    [] { return host::MemoryLimit{left, "RAM"}; },
};

// Builds parts until all are there or the rest is refused, each taking size(number) of `left`; the
// number of those built.
template <class Size>
uint32_t build(MemoryCheck& check, uint32_t total, double free, Size&& size) {
  used = 100 * mega;
  left = free;
  uint32_t built = 0;
  while (check.look(built) && built < total) {
    PP_CHECK(check.allowed() > built && check.allowed() <= total);
    for (; built < check.allowed(); ++built) {
      used += size(built);
      left -= size(built);
    }
  }
  return built;
}

constexpr auto each_a_mega = [](uint32_t) { return mega; };

PP_CASE(memory_of_a_pool_that_does_not_fit) {
  MemoryCheck check(100000, 4, 100 * mega, true, made_up);
  const uint32_t built = build(check, 100000, 10000 * mega, each_a_mega);
  PP_CHECK(built > 500 && built <= 1000);  // a twentieth to a tenth of what is free
  const std::string why = check.why();
  PP_CHECK(why.find("about 97.7 GiB") != std::string::npos);
  PP_CHECK(why.find("results 100 MiB") != std::string::npos);
  PP_CHECK(why.find("9.77 GiB (RAM)") != std::string::npos);
  PP_CHECK(why.find("memory_check=False") != std::string::npos);
}

PP_CASE(memory_of_pools_that_fit) {
  MemoryCheck exact(9899, 4, 100 * mega, true, made_up);
  PP_CHECK(build(exact, 9899, 10000 * mega, each_a_mega) == 9899);
  // What all share, and what every thread of the first builds for itself.
  MemoryCheck shared(5000, 4, 0, true, made_up);
  const auto first_large = [](uint32_t i) { return i < 4 ? 1000 * mega : mega; };
  PP_CHECK(build(shared, 5000, 10000 * mega, first_large) == 5000);
  MemoryCheck growing(5000, 4, 0, true, made_up);
  const auto some_large = [](uint32_t i) { return i < 12 ? 40 * mega : mega; };
  PP_CHECK(build(growing, 5000, 10000 * mega, some_large) == 5000);
  // Environments that differ: only what is there counts.
  MemoryCheck differing(5000, 4, 0, false, made_up);
  const auto half_large = [](uint32_t i) { return i < 50 ? 100 * mega : mega / 2; };
  PP_CHECK(build(differing, 5000, 10000 * mega, half_large) == 5000);
}

PP_CASE(memory_of_batches_alone) {
  MemoryCheck check(8, 8, 1000 * mega, true, made_up);
  PP_CHECK(build(check, 8, 900 * mega, each_a_mega) == 0);
}

PP_CASE(memory_that_environments_that_differ_take) {
  MemoryCheck check(5000, 4, 0, false, made_up);
  const auto last_large = [](uint32_t i) { return i < 1000 ? mega / 100 : 20 * mega; };
  const uint32_t built = build(check, 5000, 10000 * mega, last_large);
  PP_CHECK(built > 1400 && built < 1500);
}

PP_CASE(memory_that_others_take) {
  MemoryCheck check(4, 4, 100 * mega, false, made_up);
  left = 1000 * mega;
  PP_CHECK(check.look_at_the_rest());
  for (int hundreds = 9; hundreds > 2; --hundreds) {
    left = hundreds * 100 * mega;
    PP_CHECK(check.look_at_the_rest());
  }
  left = 150 * mega;
  PP_CHECK(!check.look_at_the_rest());  // 50 beside the batches, and 100 went since the last look
  PP_CHECK(check.why().find("more than 850 MiB") != std::string::npos);
}

}  // namespace
}  // namespace pp::test
