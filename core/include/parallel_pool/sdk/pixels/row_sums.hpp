// parallel_pool/sdk/pixels/row_sums.hpp: the weighted sums of a row of interleaved pixels, eight at
// a time.
//
// A sum takes its pixels in the order of the plan's taps, multiplies and adds in float, and so has
// the bits of the same sum taken alone.
#ifndef PARALLEL_POOL_SDK_PIXELS_ROW_SUMS_HPP_
#define PARALLEL_POOL_SDK_PIXELS_ROW_SUMS_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_pool/sdk/pixels/byte_shuffles.hpp"
#include "parallel_pool/sdk/pixels/resize_plan.hpp"

namespace pp::pixels {

class RowSums {
 public:
  // Rows shorter than a load have no sums of this kind, nor has a processor without shuffles.
  static bool possible(int width) { return width >= shuffle_bytes && has_shuffles(); }

  // `x`: the plan's, with float weights.
  RowSums(const Axis& x, int width, int channels)
      : row_bytes_(width * channels), sums_(x.size * channels) {
    constexpr int halves = 2;
    for (int first = 0; first < sums_; first += 2 * shuffle_sums) {
      std::vector<ShuffledTap> taps;
      for (int half = 0; half < halves; ++half) {
        size_t at = 0;
        for (int k = 0; k < x.taps; ++k) {
          at = add_tap(x, k, channels, first + half * shuffle_sums, half, at, taps);
        }
      }
      taps_.insert(taps_.end(), taps.begin(), taps.end());
      ends_.push_back(static_cast<uint32_t>(taps_.size()));
    }
  }

  // Returns how many floats a row of sums has. Those beyond the picture are 0.
  size_t floats() const { return ends_.size() * 2 * shuffle_sums; }

  void run(const uint8_t* row, float* out) const { run(row, {0, ends_.size()}, out); }
  // Computes only those of these groups of eight; `out` begins with the first sum of the row.
  void run(const uint8_t* row, ShuffledGroups groups, float* out) const {
    sum_shuffled(row, taps_.data(), ends_.data(), groups, out);
  }

 private:
  struct Source {
    int byte;  // in the row
    float weight;
  };

  // Adds tap k of the four sums from `first` on to one half of `taps`, from entry `at` on, and
  // returns the entry after it. A tap whose bytes lie further apart than a load takes several, in
  // each of which the other sums add 0.
  size_t add_tap(const Axis& x, int k, int channels, int first, int half, size_t at,
                 std::vector<ShuffledTap>& taps) const {
    std::array<Source, shuffle_sums> sources{};
    for (int j = 0; j < shuffle_sums; ++j) {
      if (first + j >= sums_) continue;
      const size_t tap = x.at(k, (first + j) / channels);
      sources[static_cast<size_t>(j)] = {x.index[tap] * channels + (first + j) % channels,
                                         x.weight[tap]};
    }
    for (;;) {
      int begin = row_bytes_;
      for (const Source& source : sources) {
        if (source.weight != 0.0F) begin = std::min(begin, source.byte);
      }
      if (begin == row_bytes_) return at;
      begin = std::min(begin, row_bytes_ - shuffle_bytes);  // no load leaves the row
      if (at == taps.size()) taps.emplace_back();
      ShuffledTap& tap = taps[at++];
      tap.begin[half] = begin;
      for (int j = 0; j < shuffle_sums; ++j) {
        Source& source = sources[static_cast<size_t>(j)];
        if (source.weight == 0.0F || source.byte >= begin + shuffle_bytes) continue;
        tap.take(half * shuffle_sums + j, source.byte - begin, source.weight);
        source.weight = 0.0F;
      }
    }
  }

  int row_bytes_;
  int sums_;
  std::vector<ShuffledTap> taps_;  // the taps of the first eight sums, then of the next
  std::vector<uint32_t> ends_;     // the end in taps_ of each eight sums
};

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_ROW_SUMS_HPP_
