// A level of BabyAI: rooms, an instruction, and what verifies that it was followed.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_HPP_

#include "babyai/instruction.hpp"
#include "grid/rooms.hpp"
#include "options.hpp"

namespace minigrid {

// Thrown where the original raises RejectSampling: the level is made again, with later numbers.
struct Rejected {};

struct Level : Rooms {
  static constexpr MissionSize mission_size = {384, 80};

  void lay() final;
  void begin() override;
  pp::Outcome act(Act action) final;
  void keep_task(Keeper& k) override;

 protected:
  // Fills the rooms; the number of the instruction.
  virtual int build() = 0;

  bool may_unblock_ = false;  // things in the way may be moved

  static Description described(Type type, Color color = any_color) {
    Description d;
    d.type = type;
    d.color = color;
    return d;
  }
  Description same_as(Id id) const { return described(type(id), color(id)); }
  int instruct(Kind kind, Description what, bool strict = false);
  int put_next(Description what, Description next_to);
  int combine(Kind kind, int a, int b);
  // Looks for what fits; `anew` among everything, otherwise among the matches.
  void find(Description& d, bool anew);
  bool all_reachable() const;
  void require_reachable() const {
    if (!all_reachable()) throw Rejected{};
  }

 private:
  bool fits(const Description& d, Id id, Pos p) const;
  Instruction& number(int n) { return instructions_[static_cast<size_t>(n)]; }
  int add(Instruction instruction);
  void validate(int n);
  void find_all(int n);
  int errands(int n);
  std::string text(Description& d);
  std::string text(int n);
  Status verify(int n, Act action);
  Status verify_open(const Instruction& i) const;
  Status verify_carried(Instruction& i, Act action) const;
  Status verify_in_turn(const Instruction& i, Act action, int first, int second, Status& first_done,
                        Status& second_done);
  void keep_description(Keeper& k, Description& d);

  std::vector<Instruction> instructions_;  // parts before what consists of them
  int root_ = 0;
  bool stale_ = false;  // something may have moved since places were last looked for
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_LEVEL_HPP_
