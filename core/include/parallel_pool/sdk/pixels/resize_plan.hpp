// parallel_pool/sdk/pixels/resize_plan.hpp: the weights with which OpenCV's cv2.resize turns an
// 8-bit image into one of another size.
//
// Promises the same output bits as opencv-python-headless 5.0 on x86-64 for INTER_AREA and
// INTER_LINEAR, which is why some arithmetic here is float, some is fixed point, and the order of
// operations matters: OpenCV picks one of three methods by size, and rounds differently in each.
// tests/sdk/test_pixels.py and tests of plugins hold it to that. Where the processor has fused
// multiply-adds, compile with -ffp-contract=off: they round once where OpenCV rounds twice. All
// methods are separable: rows first, then columns.
#ifndef PARALLEL_POOL_SDK_PIXELS_RESIZE_PLAN_HPP_
#define PARALLEL_POOL_SDK_PIXELS_RESIZE_PLAN_HPP_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pp::pixels {

// OpenCV's INTER_AREA or INTER_LINEAR.
enum class Interpolation { area, linear };

// The way in which weighted rows are combined and rounded.
enum class Method {
  area_float,    // float weights, half to even
  area_integer,  // whole blocks of pixels: integer sums, scaled at the end
  linear_fixed,  // two taps with weights in 1/2048
};

// Positions [begin, end) along an axis; none if they are not in order.
struct Span {
  int begin = 0;
  int end = 0;

  bool empty() const { return begin >= end; }
  void add(Span other) {
    if (other.empty()) return;
    if (empty()) {
      *this = other;
    } else {
      begin = std::min(begin, other.begin);
      end = std::max(end, other.end);
    }
  }
};

// One axis: output i is the sum over k of input[index] * weight, in the order of k. Every output
// has the same number of taps; missing ones have weight 0, which leaves a sum as it is.
struct Axis {
  int taps = 0;
  int size = 0;                  // number of outputs
  std::vector<int32_t> index;    // [tap][output]
  std::vector<float> weight;     // [tap][output]; for area_float
  std::vector<int32_t> integer;  // [tap][output]; for linear_fixed

  void resize(int tap_count, int outputs) {
    taps = tap_count;
    size = outputs;
    index.assign(static_cast<size_t>(taps) * size, 0);
    weight.assign(index.size(), 0.0F);
    integer.assign(index.size(), 0);
  }
  size_t at(int tap, int output) const { return static_cast<size_t>(tap) * size + output; }

  // By input, the outputs it is in, and by output, the inputs it is made of.
  std::vector<Span> outputs, inputs;
  void index_spans(int in, bool all_count);
  // The outputs that inputs are in, and the inputs that outputs are made of.
  Span outputs_of(Span span) const { return join(outputs, span); }
  Span inputs_of(Span span) const { return join(inputs, span); }

 private:
  // Both ends of these spans grow from entry to entry, but for empty ones.
  static Span join(const std::vector<Span>& spans, Span span) {
    const auto empty = [&spans](int i) { return spans[static_cast<size_t>(i)].empty(); };
    while (!span.empty() && empty(span.begin)) ++span.begin;
    while (!span.empty() && empty(span.end - 1)) --span.end;
    if (span.empty()) return {};
    return {spans[static_cast<size_t>(span.begin)].begin,
            spans[static_cast<size_t>(span.end - 1)].end};
  }
};

// `all_count`: weights are not looked at. Otherwise inputs of weight 0 are none.
inline void Axis::index_spans(int in, bool all_count) {
  outputs.assign(static_cast<size_t>(in), Span{});
  inputs.assign(static_cast<size_t>(size), Span{});
  for (int k = 0; k < taps; ++k) {
    for (int i = 0; i < size; ++i) {
      const size_t tap = at(k, i);
      if (!all_count && weight[tap] == 0.0F && integer[tap] == 0) continue;
      outputs[static_cast<size_t>(index[tap])].add({i, i + 1});
      inputs[static_cast<size_t>(i)].add({index[tap], index[tap] + 1});
    }
  }
}

// Tells how pictures of one size become pictures of another.
struct ResizePlan {
  Method method = Method::area_float;
  Axis x, y;

  ResizePlan(int in_height, int in_width, int out_height, int out_width,
             Interpolation interpolation);
};

namespace detail {

// The share of each input pixel in each output cell. A share below a thousandth is dropped, as
// OpenCV does, so the weights of a cell need not sum to one exactly.
inline Axis area_axis(int in, int out) {
  const double scale = 1.0 / (static_cast<double>(out) / in);
  struct Tap {
    int output, input;
    float weight;
  };
  std::vector<Tap> taps;
  for (int i = 0; i < out; ++i) {
    const double begin = i * scale;
    const double end = begin + scale;
    const double cell = std::min(scale, in - begin);
    const int last = std::min(static_cast<int>(std::floor(end)), in - 1);
    const int first = std::min(static_cast<int>(std::ceil(begin)), last);
    if (first - begin > 1e-3) {
      taps.push_back({i, first - 1, static_cast<float>((first - begin) / cell)});
    }
    for (int j = first; j < last; ++j) taps.push_back({i, j, static_cast<float>(1.0 / cell)});
    if (end - last > 1e-3) {
      const double part = std::min(std::min(end - last, 1.0), cell);
      taps.push_back({i, last, static_cast<float>(part / cell)});
    }
  }
  std::vector<int> count(out, 0);
  for (const Tap& tap : taps) ++count[tap.output];
  Axis axis;
  axis.resize(*std::max_element(count.begin(), count.end()), out);
  std::fill(count.begin(), count.end(), 0);
  for (const Tap& tap : taps) {
    const size_t at = axis.at(count[tap.output]++, tap.output);
    axis.index[at] = tap.input;
    axis.weight[at] = tap.weight;
  }
  return axis;
}

inline Axis block_axis(int in, int out) {
  const int block = in / out;
  Axis axis;
  axis.resize(block, out);
  for (int k = 0; k < block; ++k) {
    for (int i = 0; i < out; ++i) axis.index[axis.at(k, i)] = i * block + k;
  }
  return axis;
}

// `area`: INTER_AREA that enlarges, which OpenCV treats as linear with other positions.
// `clamp`: OpenCV pulls positions beyond the border back onto it along x; along y it keeps the two
// weights and repeats the border row, which rounds differently.
inline Axis linear_axis(int in, int out, bool area, bool clamp) {
  const double inverse = static_cast<double>(out) / in;
  const double scale = 1.0 / inverse;
  Axis axis;
  axis.resize(2, out);
  for (int i = 0; i < out; ++i) {
    float fraction;
    int left;
    if (area) {
      left = static_cast<int>(std::floor(i * scale));
      fraction = static_cast<float>((i + 1) - (left + 1) * inverse);
      fraction = fraction <= 0 ? 0.0F : fraction - std::floor(fraction);
    } else {
      fraction = static_cast<float>((i + 0.5) * scale - 0.5);
      left = static_cast<int>(std::floor(fraction));
      fraction -= static_cast<float>(left);
    }
    if (clamp && left < 0) {
      left = 0;
      fraction = 0;
    }
    if (clamp && left >= in - 1) {
      left = in - 1;
      fraction = 0;
    }
    constexpr float one = 2048;
    axis.index[axis.at(0, i)] = std::clamp(left, 0, in - 1);
    axis.index[axis.at(1, i)] = std::clamp(left + 1, 0, in - 1);
    axis.integer[axis.at(0, i)] = static_cast<int>(std::nearbyint((1.0F - fraction) * one));
    axis.integer[axis.at(1, i)] = static_cast<int>(std::nearbyint(fraction * one));
  }
  return axis;
}

}  // namespace detail

inline ResizePlan::ResizePlan(int in_height, int in_width, int out_height, int out_width,
                              Interpolation interpolation) {
  const bool same = in_height == out_height && in_width == out_width;
  const bool shrinks = in_height >= out_height && in_width >= out_width;
  const bool whole = in_height % out_height == 0 && in_width % out_width == 0;
  const bool halves = in_height == 2 * out_height && in_width == 2 * out_width;
  const bool area = interpolation == Interpolation::area;
  if (same) {
    method = Method::area_float;  // one tap of weight 1: a copy
    x = detail::area_axis(in_width, out_width);
    y = detail::area_axis(in_height, out_height);
  } else if ((area && shrinks && whole) || halves) {
    method = Method::area_integer;
    x = detail::block_axis(in_width, out_width);
    y = detail::block_axis(in_height, out_height);
  } else if (area && shrinks) {
    method = Method::area_float;
    x = detail::area_axis(in_width, out_width);
    y = detail::area_axis(in_height, out_height);
  } else {
    method = Method::linear_fixed;
    x = detail::linear_axis(in_width, out_width, area, true);
    y = detail::linear_axis(in_height, out_height, area, false);
  }
  x.index_spans(in_width, method == Method::area_integer);
}

}  // namespace pp::pixels

#endif  // PARALLEL_POOL_SDK_PIXELS_RESIZE_PLAN_HPP_
