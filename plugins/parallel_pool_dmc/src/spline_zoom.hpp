// Enlarges a square of numbers by cubic splines, as scipy.ndimage.zoom does with its defaults, to
// the last bit.
//
// The method is of Unser, Aldroubi and Eden, "Fast B-spline transforms for continuous image
// representation and interpolation" (1991): a recursive filter along both axes turns numbers into
// the coefficients of a spline, and each new number is a sum of sixteen of these. Numbers beyond
// the edges are mirrored. Written from the method, with the order of scipy's operations.
#ifndef PARALLEL_POOL_DMC_SPLINE_ZOOM_HPP_
#define PARALLEL_POOL_DMC_SPLINE_ZOOM_HPP_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace suite {

class SplineZoom {
 public:
  // Zooms from count x count to size x size.
  SplineZoom(int64_t count, int64_t size) : count_(count), line_(static_cast<size_t>(count)) {
    const double step = static_cast<double>(count - 1) / static_cast<double>(size - 1);
    for (int64_t i = 0; i < size; ++i) {
      taps_.push_back(taps_at(static_cast<double>(i) * step));
    }
  }

  // `numbers`, count x count, are turned into coefficients.
  void filter(double* numbers) {
    for (int64_t i = 0; i < count_; ++i) filter_line(numbers + i, count_);
    for (int64_t i = 0; i < count_; ++i) filter_line(numbers + i * count_, 1);
  }
  // The new number in this row and column.
  double operator()(const double* coefficients, int64_t row, int64_t column) const {
    const Taps& down = taps_[static_cast<size_t>(row)];
    const Taps& along = taps_[static_cast<size_t>(column)];
    if (down.beyond || along.beyond) return 0.0;
    double sum = 0.0;
    for (size_t i = 0; i < 4; ++i) {
      const double* const line = coefficients + count_ * down.place[i];
      for (size_t j = 0; j < 4; ++j) {
        sum += line[along.place[j]] * down.weight[i] * along.weight[j];
      }
    }
    return sum;
  }

 private:
  // The four coefficients about a place on an axis.
  struct Taps {
    std::array<int64_t, 4> place{};
    std::array<double, 4> weight{};
    bool beyond = false;  // rounding has put it behind the last number
  };

  Taps taps_at(double x) const {
    Taps taps;
    taps.beyond = x > static_cast<double>(count_ - 1);
    const double below = std::floor(x);
    const int64_t last = count_ - 1;
    for (int64_t i = 0; i < 4; ++i) {
      const int64_t place = std::abs(static_cast<int64_t>(below) - 1 + i);
      taps.place[static_cast<size_t>(i)] = place > last ? 2 * last - place : place;
    }
    const double y = x - below;
    const double z = 1.0 - y;
    taps.weight[0] = z * z * z / 6.0;
    taps.weight[1] = (y * y * (y - 2.0) * 3.0 + 4.0) / 6.0;
    taps.weight[2] = (z * z * (z - 2.0) * 3.0 + 4.0) / 6.0;
    taps.weight[3] = 1.0 - taps.weight[0] - taps.weight[1] - taps.weight[2];
    return taps;
  }

  void filter_line(double* numbers, int64_t stride) {
    constexpr double pole = -0.267949192431122706472553658494127633;  // sqrt(3) - 2
    constexpr double gain = (1.0 - pole) * (1.0 - 1.0 / pole);
    const size_t n = line_.size();
    const auto at = [numbers, stride](size_t i) -> double& {
      return numbers[static_cast<int64_t>(i) * stride];
    };
    std::vector<double>& c = line_;
    for (size_t i = 0; i < n; ++i) c[i] = at(i) * gain;

    // The filter runs forwards, from the sum over all mirror images.
    const double far = std::pow(pole, static_cast<double>(n - 1));
    double power = pole;
    double sum = c[0] + far * c[n - 1];
    for (size_t i = 1; i + 1 < n; ++i) {
      sum += power * (c[i] + far * c[n - 1 - i]);
      power *= pole;
    }
    c[0] = sum / (1 - far * far);
    for (size_t i = 1; i < n; ++i) c[i] += pole * c[i - 1];
    // Then it runs back.
    c[n - 1] = (pole * c[n - 2] + c[n - 1]) * pole / (pole * pole - 1);
    for (size_t i = n - 1; i > 0; --i) c[i - 1] = pole * (c[i] - c[i - 1]);

    for (size_t i = 0; i < n; ++i) at(i) = c[i];
  }

  const int64_t count_;
  std::vector<Taps> taps_;    // rows and columns use the same
  std::vector<double> line_;  // the line that is being filtered
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_SPLINE_ZOOM_HPP_
