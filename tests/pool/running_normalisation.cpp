// A node of result trees that core does not have: a float32 copy of a column, normalised by the
// mean and variance of all its rows so far (Chan, Golub and LeVeque's update by batches).
#include <pybind11/numpy.h>

#include <cmath>
#include <vector>

#include "results/result_node.hpp"

namespace {

namespace py = pybind11;
using namespace pp::python;

class RunningNormalisation final : public OncePerBatch {
 public:
  RunningNormalisation(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        epsilon_(node.attr("epsilon").cast<double>()) {}

 private:
  py::object make(const Building& building) override {
    const auto rows = source_->build(building).cast<py::array_t<double, py::array::c_style>>();
    const auto batch = static_cast<size_t>(rows.shape(0));
    const size_t width = batch == 0 ? 0 : static_cast<size_t>(rows.size()) / batch;
    mean_.resize(width);
    squares_.resize(width);
    py::array_t<float> result(std::vector<py::ssize_t>(rows.shape(), rows.shape() + rows.ndim()));
    for (size_t i = 0; i < width; ++i) {
      double mean = 0.0, squares = 0.0;
      for (size_t row = 0; row < batch; ++row) mean += rows.data()[row * width + i];
      mean /= static_cast<double>(batch);
      for (size_t row = 0; row < batch; ++row)
        squares += std::pow(rows.data()[row * width + i] - mean, 2);
      const double apart = mean - mean_[i], n = static_cast<double>(batch), all = seen_ + n;
      mean_[i] += apart * n / all;
      squares_[i] += squares + apart * apart * seen_ * n / all;
      const double deviation = std::sqrt(squares_[i] / all + epsilon_);
      for (size_t row = 0; row < batch; ++row) {
        const size_t at = row * width + i;
        result.mutable_data()[at] = static_cast<float>((rows.data()[at] - mean_[i]) / deviation);
      }
    }
    seen_ += static_cast<double>(batch);
    return result;
  }

  std::shared_ptr<ResultNode> source_;
  double epsilon_;
  double seen_ = 0.0;  // rows
  std::vector<double> mean_;
  std::vector<double> squares_;  // sums of squared distances from the mean
};

}  // namespace

PYBIND11_MODULE(running_normalisation, module) {
  module.attr("KIND") = node_kind<RunningNormalisation>();
}
