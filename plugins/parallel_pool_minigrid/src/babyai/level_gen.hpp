// All instructions of the language: GoToSeq, PickupLoc, Synth and the boss levels.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_GEN_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_GEN_HPP_

#include <string>

#include "babyai/level.hpp"

namespace minigrid::babyai {

class LevelGen final : public Level {
 public:
  static constexpr const char* id = "minigrid/BabyAI-LevelGen-v0";
  struct Options : MazeOptions {
    double locked_room_prob;
    bool locations;
    bool unblocking;
    bool implicit_unlock;
    std::string action_kinds;
    std::string instr_kinds;
    static constexpr auto declared = pp::options(
        MazeOptions::declared,
        pp::option(&Options::locked_room_prob, "locked_room_prob", 0.5,
                   "probability that a room is locked", pp::Range{0, 1}),
        pp::option(&Options::locations, "locations", true,
                   "objects may be described by where they are"),
        pp::option(&Options::unblocking, "unblocking", true,
                   "objects may have to be moved out of the way"),
        pp::option(&Options::implicit_unlock, "implicit_unlock", true,
                   "a door may have to be unlocked without being told"),
        pp::option(&Options::action_kinds, "action_kinds", "goto,pickup,open,putnext",
                   "actions of instructions, separated by commas: goto, pickup, open, putnext"),
        pp::option(&Options::instr_kinds, "instr_kinds", "action,and,seq",
                   "instructions, separated by commas: action, and, seq"));
  };
  explicit LevelGen(const Options& options);

 private:
  enum class Composition : uint8_t { action, both, sequence };

  int build() override;
  void lock_a_room();
  Description any_description(const std::vector<Type>& types);
  int any_instruction(const std::vector<Composition>& kinds);
  int any_action();
  bool all_locked_away(const Description& d);

  int64_t num_dists_;
  double locked_room_prob_;
  bool locations_;
  bool implicit_unlock_;
  std::vector<Kind> actions_;
  std::vector<Composition> compositions_;
  int locked_room_ = -1;
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_GEN_HPP_
