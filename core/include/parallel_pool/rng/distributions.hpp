// Distributions that both of numpy's generations draw alike, from uniform numbers, standard normal
// ones and integers below a bound, which each generation makes in its own way.
//
// Promises, for each method, what numpy's method of that name returns, and the same state after it.
// A fill_ method is numpy's call with size=count, which here is the same as `count` calls. Throws
// std::invalid_argument where the arguments are out of range and the check is cheap; what is not
// checked is said at the method.

#ifndef PARALLEL_POOL_RNG_DISTRIBUTIONS_HPP_
#define PARALLEL_POOL_RNG_DISTRIBUTIONS_HPP_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/rng/choice.hpp"
#include "parallel_pool/rng/integers.hpp"
#include "parallel_pool/rng/rounded_product.hpp"

namespace pp {
namespace rng_internal {

// Generator is the class that derives from this one and has random(), standard_normal() and
// standard_exponential(); Method is how it draws integers (bounded.hpp).
template <typename Generator, typename Method>
class Distributions {
 public:
  void fill_random(double* out, size_t count) {
    for (size_t i = 0; i < count; ++i) out[i] = self().random();
  }

  // Unlike numpy, does not check that high - low is finite and, as a Generator does, not negative.
  double uniform(double low, double high) {
    return low + rounded_product(high - low, self().random());
  }

  void fill_uniform(double* out, size_t count, double low, double high) {
    for (size_t i = 0; i < count; ++i) out[i] = uniform(low, high);
  }

  // Does it with bounds for each value.
  void fill_uniform(double* out, size_t count, const double* low, const double* high) {
    for (size_t i = 0; i < count; ++i) out[i] = uniform(low[i], high[i]);
  }

  void fill_standard_normal(double* out, size_t count) {
    for (size_t i = 0; i < count; ++i) out[i] = self().standard_normal();
  }

  // Unlike numpy, does not check that the scale is not negative.
  double normal(double location, double scale) {
    return location + rounded_product(scale, self().standard_normal());
  }

  void fill_normal(double* out, size_t count, double location, double scale) {
    for (size_t i = 0; i < count; ++i) out[i] = normal(location, scale);
  }

  // Does it with a location and a scale for each value.
  void fill_normal(double* out, size_t count, const double* location, const double* scale) {
    for (size_t i = 0; i < count; ++i) out[i] = normal(location[i], scale[i]);
  }

  // Unlike numpy, does not check that the scale is not negative.
  double exponential(double scale) { return rounded_product(scale, self().standard_exponential()); }

  // Shuffles as numpy shuffles an array by its first axis, or a list.
  template <typename Element>
  void shuffle(Element* data, size_t count) {
    shuffle_from<ByMask>(self(), 1, data, count);
  }

  // Writes 0 .. count - 1 in random order, without allocating.
  template <typename Integer>
  void fill_permutation(Integer* out, size_t count) {
    std::iota(out, out + count, Integer{0});
    shuffle(out, count);
  }

  std::vector<int64_t> permutation(int64_t count) {
    require(count >= 0, "a permutation of ", count);
    std::vector<int64_t> order(static_cast<size_t>(count));
    fill_permutation(order.data(), order.size());
    return order;
  }

  // An index below `population`.
  int64_t choice(int64_t population) {
    int64_t index;
    fill_range(&index, 1, 0, population, false);
    return index;
  }

  // Probabilities are for `population` indices, not negative, with a sum of one. Of this only a
  // sum above zero is checked. Does not allocate.
  int64_t choice(int64_t population, const double* probabilities) {
    require(population > 0, "a choice from ", population);
    return choose_weighted(self(), probabilities, population);
  }

  // The index of the first running sum of the probabilities that exceeds random(), or 0 where none
  // does: the `categorical_sample` of Gymnasium's toy-text environments.
  int64_t categorical(const double* probabilities, size_t count) {
    const double draw = self().random();
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      sum += probabilities[i];
      if (sum > draw) return static_cast<int64_t>(i);
    }
    return 0;
  }

 protected:
  template <typename Integer>
  void fill_range(Integer* out, size_t count, IntegerBound<Integer> low, IntegerBound<Integer> high,
                  bool endpoint) {
    fill_integers<Method>(self(), out, count, make_integer_range<Integer>(low, high, endpoint));
  }

  // `sample(out)` is the generation's way of a sample without replacement in which all
  // are equally likely: the one choice in which numpy's generations differ.
  template <typename Sample>
  std::vector<int64_t> choose_many(int64_t population, int64_t count, bool replace,
                                   const double* probabilities, Sample&& sample) {
    require(count >= 0, "a choice of ", count);
    require(replace ? population > 0 : population >= count,
            replace ? "a choice from " : "a choice without replacement of more than ", population);
    std::vector<int64_t> chosen(static_cast<size_t>(count));
    if (replace && probabilities == nullptr) {
      fill_range(chosen.data(), chosen.size(), 0, population, false);
    } else if (replace) {
      const std::vector<double> shares =
          cumulative_shares({probabilities, probabilities + population});
      for (int64_t& index : chosen) index = choose_by_share(self(), shares);
    } else if (probabilities == nullptr) {
      sample(chosen.data());
    } else {
      choose_distinct_weighted(self(), probabilities, population, count, chosen.data());
    }
    return chosen;
  }

 private:
  Generator& self() { return static_cast<Generator&>(*this); }

  static void require(bool valid, const char* what, int64_t count) {
    if (!valid) throw std::invalid_argument(what + std::to_string(count) + " is impossible");
  }
};

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_DISTRIBUTIONS_HPP_
