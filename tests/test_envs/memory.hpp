// An environment with memory of every type that a state may hold; part of test_envs.cpp.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace test_envs {

// Remembers, in every type that a state may hold; observes a sum of all.
struct Memory {
  static constexpr const char* id = "test/Memory-v0";
  struct Options {
    std::string path;
    uint32_t depth;
    static constexpr auto declared = pp::options(
        pp::option(&Options::path, "path", "", "of a file: where, not what").local(),
        pp::option(&Options::depth, "depth", 3, "actions remembered", pp::Range{1, 1000}));
  };
  enum class Mood : uint8_t { calm, angry };
  using Obs = pp::Box<double, 4>;
  using Action = pp::Discrete<8>;

  explicit Memory(const Options& options) : recent_(options.depth) {}
  void reset(pp::Rng& rng, Obs::Ref obs) {
    own_ = pp::Rng(rng.next_uint64());
    text_.clear();
    history_.clear();
    write(obs);
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    text_ += static_cast<char>('a' + action);
    history_.push_back(action);
    recent_[history_.size() % recent_.size()] = action;
    mood_ = action > 5 ? Mood::angry : Mood::calm;
    flag_ = action % 2 == 1;
    grid_[1][static_cast<size_t>(action % 2)] += own_.random();
    write(obs);
    return {grid_[1][0], history_.size() >= 40};
  }
  void save(pp::StateWriter& out) const {
    out(own_, text_, history_, recent_, mood_, flag_, grid_);
  }
  void load(pp::StateReader& in) {
    const size_t depth = recent_.size();
    in(own_, text_, history_, recent_, mood_, flag_, grid_);
    if (recent_.size() != depth) throw std::invalid_argument("another depth");
  }

 private:
  void write(Obs::Ref obs) const {
    obs[0] = static_cast<double>(history_.size());
    obs[1] = static_cast<double>(text_.empty() ? 0 : text_.front()) + (flag_ ? 0.5 : 0);
    obs[2] = mood_ == Mood::angry ? -1 : 1;
    obs[3] = grid_[1][0] - grid_[1][1];
    for (const int32_t each : recent_) obs[3] += each;
  }
  pp::Rng own_{0};
  std::string text_;
  std::vector<int32_t> history_;
  std::vector<int32_t> recent_;
  Mood mood_ = Mood::calm;
  bool flag_ = false;
  std::array<std::array<double, 2>, 2> grid_{};
};

}  // namespace test_envs
