// NChain: OpenAI Gym's NChainEnv (gym 0.19, envs/toy_text/nchain.py, after M. Strens, 2000). A
// chain of n states: forwards (0) goes one on and pays at the end only; backwards (1) goes back to
// the beginning and pays a little. With probability `slip` the other thing happens. No end but the
// time limit's.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_N_CHAIN_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_N_CHAIN_HPP_

#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

class NChain {
 public:
  static constexpr const char* id = "classic/NChain-v0";
  static constexpr const char* summary = "Forgo small rewards for the great one at a chain's end";
  static constexpr int64_t max_episode_steps = 1000;

  // The place on the chain.
  using Obs = pp::Discrete<pp::dynamic, int64_t>;
  // 0 forwards, 1 backwards.
  using Action = pp::Discrete<2>;

  // Numbers that are finite as float32 too.
  static constexpr pp::Range rewards{-1e38, 1e38};

  struct Options {
    int64_t n;
    double slip;
    double small;
    double large;
    static constexpr auto declared = pp::options(
        pp::option(&Options::n, "n", 5, "length of the chain", pp::Range{1, 1000000000}),
        pp::option(&Options::slip, "slip", 0.2, "probability that the other action is executed",
                   pp::Range{0, 1}),
        pp::option(&Options::small, "small", 2.0, "reward of going back to the start", rewards),
        pp::option(&Options::large, "large", 10.0,
                   "reward of going forward at the end of the chain", rewards));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit NChain(const std::vector<Options>& options);
  void reset(const pp::Rows<NChain>& rows);
  void step(const pp::Rows<NChain>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);

 private:
  std::vector<int64_t> state_;
  std::vector<int64_t> last_;   // by lane: the state at the end
  std::vector<uint64_t> slip_;  // in the form of bits_below()
  std::vector<double> small_;
  std::vector<double> large_;
  std::vector<uint8_t> back_;  // scratch of a step: whether it leads to the start
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_N_CHAIN_HPP_
