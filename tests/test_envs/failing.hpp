// Environments that fail on demand, alone and as a batch; part of test_envs.cpp.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace test_envs {

// Fails on demand.
struct Faulty {
  static constexpr const char* id = "test/Faulty-v0";
  static constexpr const char* const never[] = {"nowhere", "constructor", "describe"};
  struct Options {
    std::string fails_in;
    static constexpr auto declared = pp::options(pp::option(
        &Options::fails_in, "fails_in", "nowhere", "where to throw before any step", never));
  };
  using Obs = pp::Box<int32_t>;
  using Action =
      pp::Discrete<7>;  // 1: throw, 2: throw no exception class, 3: end, 4: next reset throws,
                        // 5: save() throws from now on, 6: load() of its states does

  static void describe(pp::Spec&, const Options& options) {
    if (options.fails_in == "describe") throw std::runtime_error("no such level");
  }
  explicit Faulty(const Options& options) {
    if (options.fails_in == "constructor") throw std::runtime_error("no such file: level.bin");
  }
  void reset(pp::Rng&, Obs::Ref obs) {
    if (reset_throws_) {
      reset_throws_ = false;
      throw std::runtime_error("boom in reset");
    }
    count_ = 0;
    obs = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    obs = ++count_;
    if (action == 1) throw std::runtime_error("boom at step " + std::to_string(count_));
    if (action == 2) throw 42;
    if (action == 4) reset_throws_ = true;
    if (action >= 5) state_throws_ = action;
    return {1.0, action == 3};
  }
  void save(pp::StateWriter& out) const {
    if (state_throws_ == 5) throw std::runtime_error("boom in save");
    out(count_, reset_throws_, state_throws_);
  }
  void load(pp::StateReader& in) {
    in(count_, reset_throws_, state_throws_);
    if (state_throws_ == 6) throw std::runtime_error("boom in load");
  }

 private:
  int32_t count_ = 0;
  bool reset_throws_ = false;
  int32_t state_throws_ = 0;
};

// A batch kernel fails as a whole.
struct FaultyBatch {
  static constexpr const char* id = "test/FaultyBatch-v0";
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<2>;

  explicit FaultyBatch(const std::vector<pp::Options>&) {}
  void reset(const pp::Rows<FaultyBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) rows.obs()[i] = 0;
    }
  }
  void step(const pp::Rows<FaultyBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i) && rows.action()[i] == 1) throw std::runtime_error("kernel failed");
      rows.obs()[i] = 1;
      rows.reward()[i] = 1;
      rows.terminated()[i] = rows.truncated()[i] = 0;
    }
  }
};

}  // namespace test_envs
