// counter.cpp: a batch kernel that does next to nothing, so that a step's time is the pool's.
// step_parts.py compiles it.
#include <cstring>
#include <parallel_pool/env.hpp>
#include <vector>

struct CounterOptions {
  int64_t length;
  static constexpr auto declared = pp::options(
      pp::option(&CounterOptions::length, "length", 0, "most steps of an episode; 0: no end"));
};

template <bool Itself>
struct Counter {
  static constexpr const char* id = Itself ? "counter/Itself-v0" : "counter/Reset-v0";
  static constexpr bool resets_itself = Itself;
  using Options = CounterOptions;
  using Obs = pp::Box<float, 1>;
  using Action = pp::Discrete<2>;
  using Rows = pp::Rows<Counter>;

  explicit Counter(const std::vector<Options>& lanes)
      : length_(static_cast<int32_t>(lanes[0].length)), steps_(lanes.size()) {}
  void reset(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) begin(rows, i);
    }
  }
  void step(const Rows& rows) {
    const uint32_t count = rows.size();
    count_on(count, &steps_[rows.first()], length_, rows.mask(), rows.obs(), rows.reward(),
             rows.terminated());
    std::memset(rows.truncated(), 0, count);
    if (!Itself || std::memchr(rows.terminated(), 1, count) == nullptr) return;
    for (uint32_t i = 0; i < count; ++i) {
      if (rows.terminated()[i] != 0) begin(rows, i);
    }
  }

 private:
  // Episodes of all lengths, so that as many end in each step.
  void begin(const Rows& rows, uint32_t i) {
    int32_t& steps = steps_[rows.first() + i];
    steps = length_ == 0 ? 0 : static_cast<int32_t>(rows.rng(i).integers(0, length_, false));
    rows.obs()[i] = static_cast<float>(steps);
  }
  static void count_on(uint32_t count, int32_t* __restrict steps, int32_t length,
                       const uint8_t* __restrict mask, float* __restrict obs,
                       double* __restrict reward, uint8_t* __restrict terminated) {
    if (mask == nullptr) {
      for (uint32_t i = 0; i < count; ++i) ++steps[i];
    } else {
      for (uint32_t i = 0; i < count; ++i) steps[i] += mask[i];
    }
    for (uint32_t i = 0; i < count; ++i) obs[i] = static_cast<float>(steps[i]);
    for (uint32_t i = 0; i < count; ++i) reward[i] = 1.0;
    for (uint32_t i = 0; i < count; ++i) terminated[i] = steps[i] == length ? 1 : 0;
  }

  int32_t length_;
  std::vector<int32_t> steps_;
};

PP_PLUGIN("counter", pp::batch<Counter<true>, 512>(), pp::batch<Counter<false>, 512>());
