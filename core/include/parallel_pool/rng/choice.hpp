// Shuffling and choosing, as numpy does them word for word. Both of its generations draw alike but
// for choose_distinct, which is the Generator's.

#ifndef PARALLEL_POOL_RNG_CHOICE_HPP_
#define PARALLEL_POOL_RNG_CHOICE_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parallel_pool/rng/bounded.hpp"

namespace pp {
namespace rng_internal {

// Fisher and Yates from the last place down to `first_place`; the places below that keep what is
// left over. A parameter says how places are drawn, because numpy's shuffle() and choice() differ.
template <typename Method, typename Generator, typename Element>
void shuffle_from(Generator& generator, size_t first_place, Element* data, size_t count) {
  using std::swap;
  for (size_t i = count; i-- > first_place;) {
    const size_t other = static_cast<size_t>(Method::from_words(generator, i));
    swap(data[i], data[other]);
  }
}

// Returns what numpy searches for a weighted draw: the running sums as shares of the total.
inline std::vector<double> cumulative_shares(const std::vector<double>& weights) {
  std::vector<double> shares(weights.size());
  std::partial_sum(weights.begin(), weights.end(), shares.begin());
  const double total = shares.empty() ? 0 : shares.back();
  if (!(total > 0)) throw std::invalid_argument("a choice with too few probabilities above zero");
  for (double& share : shares) share /= total;
  return shares;
}

// The last share is one and the draw below it, so there always is one that exceeds the draw.
template <typename Generator>
int64_t choose_by_share(Generator& generator, const std::vector<double>& shares) {
  return std::upper_bound(shares.begin(), shares.end(), generator.random()) - shares.begin();
}

// Makes a single weighted draw without allocating.
template <typename Generator>
int64_t choose_weighted(Generator& generator, const double* weights, int64_t count) {
  const double total = std::accumulate(weights, weights + count, 0.0);
  if (!(total > 0)) throw std::invalid_argument("a choice with too few probabilities above zero");
  const double draw = generator.random();
  double sum = 0;
  int64_t index = 0;
  while (index < count - 1) {
    sum += weights[index];
    if (sum / total > draw) break;
    ++index;
  }
  return index;
}

template <typename Generator>
void choose_distinct(Generator& generator, int64_t population, int64_t count, bool shuffle,
                     int64_t* out) {
  // numpy's rule for when a partial shuffle of the whole population is worth its memory.
  const int64_t cutoff = shuffle ? 50 : 20;
  if (population > 10000 && count > population / cutoff) {
    std::vector<int64_t> all(static_cast<size_t>(population));
    std::iota(all.begin(), all.end(), int64_t{0});
    const int64_t first_place = std::max<int64_t>(population - count, 1);
    shuffle_from<ByProduct>(generator, static_cast<size_t>(first_place), all.data(), all.size());
    std::copy(all.end() - count, all.end(), out);
    return;
  }
  // R. W. Floyd's sampling: each step admits one more candidate, and takes it where the draw is
  // already in the sample.
  std::unordered_set<int64_t> chosen;
  chosen.reserve(static_cast<size_t>(count));
  for (int64_t candidate = population - count; candidate < population; ++candidate) {
    const int64_t draw =
        static_cast<int64_t>(bounded_uint64(generator, static_cast<uint64_t>(candidate)));
    const int64_t taken = chosen.insert(draw).second ? draw : candidate;
    chosen.insert(taken);
    *out++ = taken;
  }
  if (shuffle) {
    shuffle_from<ByProduct>(generator, 1, out - count, static_cast<size_t>(count));
  }
}

// Rounds of weighted draws; what a round repeats is dropped, and what was chosen before has no
// weight in the next.
template <typename Generator>
void choose_distinct_weighted(Generator& generator, const double* weights, int64_t population,
                              int64_t count, int64_t* out) {
  std::vector<double> remaining(weights, weights + population);
  std::vector<bool> chosen(remaining.size(), false);
  int64_t found = 0;
  while (found < count) {
    const std::vector<double> shares = cumulative_shares(remaining);
    for (int64_t draws = count - found; draws > 0; --draws) {
      const int64_t index = choose_by_share(generator, shares);
      const size_t place = static_cast<size_t>(index);
      if (chosen[place]) continue;
      chosen[place] = true;
      remaining[place] = 0;
      out[found++] = index;
    }
  }
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_CHOICE_HPP_
