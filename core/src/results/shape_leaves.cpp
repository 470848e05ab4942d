// The nodes of result trees that give observations another form: what the option `transform` asks
// for, and numpy has no function for. FrameStack replaces FrameStackObservation of Gymnasium's.

#include <pybind11/numpy.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "parallel_pool/host/pool.hpp"
#include "parallel_pool/sdk/pixels/resizer.hpp"
#include "results/result_leaves.hpp"

namespace pp::python {
namespace {

// The last rows of an environment, the newest last.
class FrameStack final : public OncePerBatch {
 public:
  FrameStack(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        env_id_(compiler.compile(node.attr("env_id"))),
        elapsed_(compiler.compile(node.attr("elapsed"))),
        ended_(compiler.compile(node.attr("ended"))),
        frames_(node.attr("frames").cast<py::array>()),
        before_(node.attr("before").cast<py::array>()),
        begins_(node.attr("begins").cast<py::array_t<bool>>()),
        final_(node.attr("final").cast<bool>()),
        depth_(static_cast<size_t>(frames_.shape(1))),
        frame_bytes_(static_cast<size_t>(frames_.strides(1))) {
    const py::object trail = node.attr("trail");
    if (trail.is_none()) return;
    trail_ = compiler.compile(trail);
    trail_count_ = compiler.compile(node.attr("trail_count"));
  }

 private:
  py::object make(const Building& building) override {
    const auto rows = py::array::ensure(source_->build(building), py::array::c_style);
    if (!rows) throw py::error_already_set();
    const auto env_id = env_id_->build(building).cast<py::array_t<int32_t>>();
    const auto ended = ended_->build(building).cast<py::array_t<bool>>();
    const auto n = static_cast<size_t>(env_id.size());
    if (!final_ && counted_.first_time(building)) advance(rows, env_id, ended, building);
    std::vector<py::ssize_t> shape(frames_.shape(), frames_.shape() + frames_.ndim());
    shape[0] = env_id.size();
    py::array result(frames_.dtype(), shape);
    auto* out = static_cast<char*>(result.mutable_data());
    const size_t stack_bytes = depth_ * frame_bytes_;
    for (size_t i = 0; i < n; ++i, out += stack_bytes) {
      if (!final_) {
        std::memcpy(out, stack(frames_, env_id.data()[i]), stack_bytes);
      } else if (ended.data()[i]) {
        // The stack as it was before this row, with the last observation at its end.
        const char* kept = stack(before_, env_id.data()[i]);
        std::memcpy(out, kept + frame_bytes_, stack_bytes - frame_bytes_);
        std::memcpy(out + stack_bytes - frame_bytes_, row(rows, i), frame_bytes_);
      } else {
        std::memset(out, 0, stack_bytes);
      }
    }
    return result;
  }

  void advance(const py::array& rows, const py::array_t<int32_t>& env_id,
               const py::array_t<bool>& ended, const Building& building) {
    const auto elapsed = elapsed_->build(building).cast<py::array_t<int32_t>>();
    const size_t stack_bytes = depth_ * frame_bytes_;
    py::array trail;
    py::array_t<int32_t> trail_count;
    if (trail_ != nullptr) {
      trail = py::array::ensure(trail_->build(building), py::array::c_style);
      if (!trail) throw py::error_already_set();
      trail_count = trail_count_->build(building).cast<py::array_t<int32_t>>();
    }
    for (py::ssize_t i = 0; i < env_id.size(); ++i) {
      const int32_t env = env_id.data()[i];
      char* frames = stack(frames_, env);
      bool& begins = begins_.mutable_at(env);
      if (trail_ != nullptr) {
        const auto first = static_cast<size_t>(i * (trail.shape(0) / env_id.size()));
        for (size_t k = 0; k < static_cast<size_t>(trail_count.data()[i]); ++k) {
          push(frames, row(trail, first + k), begins);
          begins = false;
        }
      }
      if (ended.data()[i]) std::memcpy(stack(before_, env), frames, stack_bytes);
      push(frames, row(rows, i), begins || elapsed.data()[i] == 0);
      begins = false;
    }
  }

  // `first`: it fills the whole stack.
  void push(char* frames, const char* frame, bool first) const {
    const size_t older = (depth_ - 1) * frame_bytes_;
    if (!first) std::memmove(frames, frames + frame_bytes_, older);
    for (size_t at = first ? 0 : older; at <= older; at += frame_bytes_) {
      std::memcpy(frames + at, frame, frame_bytes_);
    }
  }

  static char* stack(py::array& of, py::ssize_t env) {
    return static_cast<char*>(of.mutable_data()) + env * of.strides(0);
  }
  const char* row(const py::array& rows, size_t i) const {
    return static_cast<const char*>(rows.data()) + i * frame_bytes_;
  }

  std::shared_ptr<ResultNode> source_, env_id_, elapsed_, ended_;
  std::shared_ptr<ResultNode> trail_, trail_count_;  // NULL: a row is one step
  py::array frames_, before_;
  py::array_t<bool> begins_;
  bool final_;
  size_t depth_, frame_bytes_;
  Counted counted_;
};

// Pictures in another size. A row is one picture or several.
class Resized final : public OncePerBatch {
 public:
  Resized(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler),
        source_(compiler.compile(node.attr("source"))),
        order_(node.attr("channels_first").cast<bool>() ? pixels::Channels::first
                                                        : pixels::Channels::last),
        from_{node.attr("height").cast<int>(), node.attr("width").cast<int>(),
              node.attr("channels").cast<int>()},
        resizer_(from_, {node.attr("new_height").cast<int>(), node.attr("new_width").cast<int>()},
                 pixels::Interpolation::area) {
    for (const py::handle each : node.attr("shape")) shape_.push_back(each.cast<py::ssize_t>());
  }

 private:
  py::object make(const Building& building) override {
    const auto rows = py::array_t<uint8_t, py::array::c_style>::ensure(source_->build(building));
    if (!rows) throw py::error_already_set();
    shape_[0] = rows.shape(0);
    py::array_t<uint8_t> result(shape_);
    const auto picture = static_cast<size_t>(from_.height) * static_cast<size_t>(from_.width) *
                         static_cast<size_t>(from_.channels);
    const uint8_t* in = rows.data();
    uint8_t* out = result.mutable_data();
    for (const uint8_t* const end = in + rows.size(); in != end; in += picture) {
      resizer_.run(in, order_, out, order_);
      out += resizer_.bytes();
    }
    return result;
  }

  std::shared_ptr<ResultNode> source_;
  std::vector<py::ssize_t> shape_{0};
  pixels::Channels order_;
  pixels::PictureSize from_;
  pixels::Resizer resizer_;
};

}  // namespace

void register_shape_leaves(const RegisterKind& add) {
  add("FrameStack", node_kind<FrameStack>());
  add("Resized", node_kind<Resized>());
}

}  // namespace pp::python
