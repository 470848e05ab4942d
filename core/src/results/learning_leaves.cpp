// The nodes of result trees that make observations and rewards ready for a learner: what the option
// `transform` asks for. Each replaces a wrapper of Gymnasium's and gives what that gives:
// NormalizeObservation, NormalizeReward, TransformReward by a factor, ClipReward.
//
// The discounted sum of an environment's rewards begins anew at the end of each episode, in every
// autoreset mode (Gymnasium's wrapper: in SAME_STEP), and at a reset that was asked for (the views
// see to that).

#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "results/result_leaves.hpp"
#include "results/running_moments.hpp"

namespace pp::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;

// The arrays of a RunningStatistics of schema/running_statistics.py, which Python sees as well.
class Statistics {
 public:
  explicit Statistics(const py::object& object)
      : mean_(object.attr("mean").cast<Numbers>()),
        variance_(object.attr("var").cast<Numbers>()),
        count_(object.attr("_count").cast<Numbers>()),
        frozen_(object.attr("_frozen").cast<py::array_t<bool>>()),
        begins_narrow_(object.attr("_begins_narrow").cast<bool>()) {}

  size_t width() const { return static_cast<size_t>(mean_.size()); }
  const double* mean() const { return mean_.data(); }
  const double* variance() const { return variance_.data(); }

  template <class T>
  void add(const T* rows, size_t n, BatchMoments<T>& batch) {
    if (*frozen_.data() || n == 0) return;
    batch.take(rows, n, width());
    double& count = *count_.mutable_data();
    const MomentsUpdate update(count, n);
    // Gymnasium's wrapper for observations begins with a variance of 1 in float32.
    const bool narrow = begins_narrow_ && count == begin_count;
    for (size_t i = 0; i < width(); ++i) {
      double& variance = variance_.mutable_data()[i];
      const double weight =
          narrow ? static_cast<float>(variance) * static_cast<float>(count) : variance * count;
      update(mean_.mutable_data()[i], variance, weight, batch.mean()[i], batch.variance()[i]);
    }
    count = update.all;
  }

 private:
  static constexpr double begin_count = 1e-4;

  Numbers mean_, variance_, count_;
  py::array_t<bool> frozen_;
  bool begins_narrow_;
};

double optional(const py::object& value, double absent) {
  return value.is_none() ? absent : value.cast<double>();
}

// ---- observations -------------------------------------------------------------------------------

class Normalized final : public OncePerBatch {
 public:
  Normalized(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        statistics_(node.attr("statistics")),
        epsilon_(node.attr("epsilon").cast<double>()),
        clip_(static_cast<float>(optional(node.attr("clip"), HUGE_VAL))),
        updates_(node.attr("updates").cast<bool>()) {}

 private:
  py::object make(const Building& building) override {
    const auto rows = source_->build(building).cast<py::array>();
    const bool count = updates_ && counted_.first_time(building);
    if (py::isinstance<py::array_t<float>>(rows)) return normalized<float>(rows, count, narrow_);
    return normalized<double>(rows, count, wide_);
  }

  template <class T>
  py::object normalized(const py::array& any, bool count, BatchMoments<T>& moments) {
    const auto rows = any.cast<py::array_t<T, py::array::c_style | py::array::forcecast>>();
    const size_t n = rows.shape(0), width = statistics_.width();
    if (count) statistics_.add(rows.data(), n, moments);
    deviation_.resize(width);
    for (size_t i = 0; i < width; ++i)
      deviation_[i] = std::sqrt(statistics_.variance()[i] + epsilon_);
    py::array_t<float> result(std::vector<py::ssize_t>(rows.shape(), rows.shape() + rows.ndim()));
    for (size_t row = 0; row < n; ++row) {
      one_row(rows.data() + row * width, statistics_.mean(), deviation_.data(),
              result.mutable_data() + row * width, width);
    }
    if (clip_ != HUGE_VALF) {
      float* begin = result.mutable_data();
      std::transform(begin, begin + n * width, begin,
                     [clip = clip_](float x) { return std::clamp(x, -clip, clip); });
    }
    return result;
  }

  template <class T>
  static void one_row(const T* row, const double* mean, const double* deviation, float* out,
                      size_t width) {
    for (size_t i = 0; i < width; ++i)
      out[i] = static_cast<float>((static_cast<double>(row[i]) - mean[i]) / deviation[i]);
  }

  std::shared_ptr<ResultNode> source_;
  Statistics statistics_;
  double epsilon_;
  float clip_;
  bool updates_;
  Counted counted_;
  std::vector<double> deviation_;
  BatchMoments<float> narrow_;
  BatchMoments<double> wide_;
};

// ---- rewards ------------------------------------------------------------------------------------

class LearningReward final : public OncePerBatch {
 public:
  LearningReward(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        env_id_(compiler.compile(node.attr("env_id"))),
        elapsed_(compiler.compile(node.attr("elapsed"))),
        terminated_(compiler.compile(node.attr("terminated"))),
        ended_(compiler.compile(node.attr("ended"))),
        sums_(node.attr("sums").cast<py::array_t<float>>()),
        gamma_(node.attr("gamma").cast<float>()),
        epsilon_(node.attr("epsilon").cast<double>()),
        scale_(node.attr("scale").cast<double>()) {
    const py::object steps = node.attr("steps");
    if (!steps.is_none()) steps_ = compiler.compile(steps);
    const py::object statistics = node.attr("statistics"), clip = node.attr("clip");
    if (!statistics.is_none()) statistics_ = std::make_unique<Statistics>(statistics);
    if (!clip.is_none()) std::tie(low_, high_) = clip.cast<std::pair<double, double>>();
  }

 private:
  py::object make(const Building& building) override {
    const auto rewards = source_->build(building).cast<py::array>();
    if (py::isinstance<py::array_t<float>>(rewards)) return made<float>(rewards, building);
    return made<double>(rewards, building);
  }

  template <class T>
  py::object made(const py::array& any, const Building& building) {
    const auto rewards = any.cast<py::array_t<T, py::array::c_style>>();
    const auto n = static_cast<size_t>(rewards.shape(0));
    const size_t chunk = steps_ == nullptr ? 1 : static_cast<size_t>(rewards.shape(1));
    const bool counts = statistics_ != nullptr && counted_.first_time(building);
    py::array_t<T> result(
        std::vector<py::ssize_t>(rewards.shape(), rewards.shape() + rewards.ndim()));
    T* out = result.mutable_data();
    for (size_t k = 0; k < chunk; ++k) {
      if (counts) count(rewards.data(), n, k, chunk, building);
      const double deviation =
          statistics_ == nullptr ? 1.0 : std::sqrt(*statistics_->variance() + epsilon_);
      for (size_t i = k; i < n * chunk; i += chunk) {
        const double reward = static_cast<double>(rewards.data()[i]) / deviation * scale_;
        out[i] = static_cast<T>(std::clamp(reward, low_, high_));
      }
    }
    if (steps_ != nullptr) clear_unplayed(out, n, chunk, building);
    return result;
  }

  // Adds to the discounted sum of each environment, and those that stepped to the statistics: of
  // chunks, step k of each.
  template <class T>
  void count(const T* rewards, size_t n, size_t k, size_t chunk, const Building& building) {
    const auto env_id = column<int32_t>(env_id_, building);
    const auto elapsed = column<int32_t>(elapsed_, building);
    const auto terminated = column<bool>(terminated_, building);
    const auto ended = column<bool>(ended_, building);
    py::array_t<int32_t> steps;
    if (steps_ != nullptr) steps = column<int32_t>(steps_, building);
    stepped_.clear();
    for (size_t i = 0; i < n; ++i) {
      const auto env = static_cast<py::ssize_t>(env_id.data()[i]);
      float& sum = sums_.mutable_at(env);
      const bool ends = ended.data()[i];
      const int64_t alone = elapsed.data()[i] != 0 || ends ? 1 : 0;  // 0: only reset
      const auto made = static_cast<size_t>(steps_ == nullptr ? alone : steps.data()[i]);
      const bool over = ends && k + 1 >= made;
      if (k < made) {
        const double goes_on = over && terminated.data()[i] ? 0.0 : 1.0;
        sum = static_cast<float>(static_cast<double>(sum * gamma_) * goes_on +
                                 static_cast<double>(rewards[i * chunk + k]));
        stepped_.push_back(sum);
      }
      if (over) sum = 0.0F;
    }
    statistics_->add(stepped_.data(), stepped_.size(), moments_);
  }

  template <class T>
  void clear_unplayed(T* rewards, size_t n, size_t chunk, const Building& building) {
    const auto steps = column<int32_t>(steps_, building);
    for (size_t i = 0; i < n; ++i, rewards += chunk) {
      std::fill(rewards + steps.data()[i], rewards + chunk, T{0});
    }
  }

  template <class T>
  static py::array_t<T> column(const std::shared_ptr<ResultNode>& node, const Building& building) {
    return node->build(building).cast<py::array_t<T>>();
  }

  std::shared_ptr<ResultNode> source_, env_id_, elapsed_, terminated_, ended_;
  std::shared_ptr<ResultNode> steps_;  // NULL: rewards are of one step
  std::unique_ptr<Statistics> statistics_;
  py::array_t<float> sums_;
  float gamma_;
  double epsilon_, scale_;
  double low_ = -HUGE_VAL, high_ = HUGE_VAL;
  Counted counted_;
  std::vector<float> stepped_;
  BatchMoments<float> moments_;
};

// The rewards of a chunk together, added in the order of its steps.
class ChunkReward final : public OncePerBatch {
 public:
  ChunkReward(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        narrow_(node.attr("narrow").cast<bool>()) {}

 private:
  py::object make(const Building& building) override {
    const auto rewards = source_->build(building).cast<Numbers>();
    if (narrow_) return summed<float>(rewards);
    return summed<double>(rewards);
  }

  template <class T>
  static py::object summed(const Numbers& rewards) {
    py::array_t<T> result(rewards.shape(0));
    for (py::ssize_t i = 0; i < rewards.shape(0); ++i) {
      double sum = 0.0;
      for (py::ssize_t k = 0; k < rewards.shape(1); ++k) sum += *rewards.data(i, k);
      result.mutable_at(i) = static_cast<T>(sum);
    }
    return result;
  }

  std::shared_ptr<ResultNode> source_;
  bool narrow_;
};

}  // namespace

void register_learning_leaves(const RegisterKind& add) {
  add("Normalized", node_kind<Normalized>());
  add("LearningReward", node_kind<LearningReward>());
  add("ChunkReward", node_kind<ChunkReward>());
}

}  // namespace pp::python
