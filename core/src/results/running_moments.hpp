// The mean and the variance of all rows so far, as Gymnasium's RunningMeanStd has them: the sums
// are numpy's own, to the last bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pp::python {

// numpy's sum of numbers that lie one after the other: in pairs of halves, and eight at a time.
template <class T>
T pairwise_sum(const T* numbers, size_t n) {
  if (n < 8) {
    T sum = 0;
    for (size_t i = 0; i < n; ++i) sum += numbers[i];
    return sum;
  }
  if (n <= 128) {
    T part[8];
    std::copy(numbers, numbers + 8, part);
    size_t i = 8;
    for (; i < n - n % 8; i += 8)
      for (size_t k = 0; k < 8; ++k) part[k] += numbers[i + k];
    T sum =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; i < n; ++i) sum += numbers[i];
    return sum;
  }
  const size_t half = n / 2 - n / 2 % 8;
  return pairwise_sum(numbers, half) + pairwise_sum(numbers + half, n - half);
}

// Means and variances of the columns of a batch, in its own precision, as np.mean and np.var do it.
template <class T>
class BatchMoments {
 public:
  void take(const T* rows, size_t n, size_t width) {
    mean_.assign(width, 0);
    variance_.assign(width, 0);
    if (width == 1) {
      take_numbers(rows, n);
      return;
    }
    for (size_t row = 0; row < n; ++row) add(rows + row * width, mean_.data(), width);
    divide(mean_, n);
    for (size_t row = 0; row < n; ++row)
      add_squares(rows + row * width, mean_.data(), variance_.data(), width);
    divide(variance_, n);
  }
  const std::vector<T>& mean() const { return mean_; }
  const std::vector<T>& variance() const { return variance_; }

 private:
  static void add(const T* row, T* sums, size_t width) {
    for (size_t i = 0; i < width; ++i) sums[i] += row[i];
  }
  static void add_squares(const T* row, const T* mean, T* sums, size_t width) {
    for (size_t i = 0; i < width; ++i) {
      const T apart = row[i] - mean[i];
      sums[i] += apart * apart;
    }
  }
  static void divide(std::vector<T>& sums, size_t n) {
    for (T& sum : sums) sum = static_cast<T>(static_cast<double>(sum) / static_cast<double>(n));
  }
  void take_numbers(const T* numbers, size_t n) {
    mean_[0] = pairwise_sum(numbers, n);
    divide(mean_, n);
    squares_.resize(n);
    for (size_t i = 0; i < n; ++i) {
      const T apart = numbers[i] - mean_[0];
      squares_[i] = apart * apart;
    }
    variance_[0] = pairwise_sum(squares_.data(), n);
    divide(variance_, n);
  }

  std::vector<T> mean_, variance_, squares_;
};

// Adds a batch of n rows to what is known (Chan, Golub and LeVeque's update by batches).
// `weight`: what the variance so far counts for, `variance * count`.
struct MomentsUpdate {
  double count, n, all;

  MomentsUpdate(double count, size_t n)
      : count(count), n(static_cast<double>(n)), all(count + this->n) {}

  template <class T>
  void operator()(double& mean, double& variance, double weight, T batch_mean,
                  T batch_variance) const {
    const double apart = static_cast<double>(batch_mean) - mean;
    const auto weighed = static_cast<double>(batch_variance * static_cast<T>(n));
    mean += apart * n / all;
    variance = (weight + weighed + apart * apart * count * n / all) / all;
  }
};

}  // namespace pp::python
