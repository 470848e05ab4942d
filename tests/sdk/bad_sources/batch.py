"""Mistakes in a kernel that steps many environments at once."""

BATCH = """#include <parallel_pool/env.hpp>

#include <vector>

struct Walk {
  static constexpr const char* id = "walk/Walk-v0";
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;

  explicit Walk(const std::vector<pp::Options>& lanes) : at_(lanes.size()) {}
  void reset(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) rows.obs()[i] = at_[rows.first() + i] = 0;
    }
  }
  void step(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.obs()[i] = at_[rows.first() + i] += static_cast<float>(rows.action()[i]);
      rows.reward()[i] = 1;
      rows.terminated()[i] = rows.truncated()[i] = 0;
    }
  }
  // more

 private:
  std::vector<float> at_;
};

PP_PLUGIN("walk", pp::batch<Walk, 64>());
"""

BAD_BATCH = {
    "a text as an action": (
        "using Action = pp::Discrete<2>;",
        "using Action = pp::Text<2>;",
        "pp::Text is for Obs and Info",
    ),
    "no step": ("void step(", "void stop(", "step is missing: `void step(const pp::Rows<Kernel>&"),
    "another step": (
        "void step(const pp::Rows<Walk>& rows) {",
        "void step(const pp::Rows<Walk>& rows, int) {",
        "step of a batch kernel is public and `void step(const pp::Rows<Kernel>& rows)`",
    ),
    "no lanes": ("batch<Walk, 64>", "batch<Walk, 0>", "steps that many environments at a time"),
    "private": ("explicit Walk", "private: explicit Walk", "by a public constructor"),
    "save without the lane": (
        "// more",
        "void save(pp::StateWriter& out) const {} void load(pp::StateReader& in) {}",
        "in a batch kernel `void save(uint32_t lane, pp::StateWriter& out) const`",
    ),
    "draw without the lane": (
        "// more",
        "void draw(uint8_t*) const {} pp::FrameSize frame_size() const { return {1, 1}; }",
        "in a batch kernel `void draw(uint32_t lane, uint8_t* rgb) const`",
    ),
    "a kernel as a scalar environment": (
        "pp::batch<Walk, 64>()",
        "pp::scalar<Walk>()",
        "by a public constructor that takes `const pp::Options&`",
    ),
}
