// BabyAI's language: descriptions of objects, and instructions about them.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_INSTRUCTION_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_INSTRUCTION_HPP_

#include <vector>

#include "grid/world.hpp"

namespace minigrid {

enum class Where : uint8_t { left, right, front, behind, anywhere };
enum class Kind : uint8_t { go_to, open, pickup, put_next, before, after, both };
enum class Status : uint8_t { going_on, success, failure };

struct Description {
  Type type = any_type;
  Color color = any_color;
  Where where = Where::anywhere;
  std::vector<Id> matches;  // objects that it fitted when the episode began
  std::vector<Pos> places;  // theirs, as of then or of the last drop

  bool has(Id id) const { return std::find(matches.begin(), matches.end(), id) != matches.end(); }
  bool has_place(Pos p) const { return std::find(places.begin(), places.end(), p) != places.end(); }
  // Returns true if something that is described is at distance 1.
  bool beside(Pos p) const {
    return std::any_of(places.begin(), places.end(), [p](Pos q) { return manhattan(p, q) == 1; });
  }
};

struct Instruction {
  Kind kind = Kind::go_to;
  bool strict = false;
  Description what;
  Description next_to;  // the second thing of put_next
  int a = -1;           // numbers of the two parts of before, after, both
  int b = -1;
  Id carried = nothing;  // at the time of the last verification
  Status a_done = Status::going_on;
  Status b_done = Status::going_on;

  bool compound() const { return kind >= Kind::before; }
};

// Two pairs, in an order.
inline constexpr size_t most_instructions = 7;

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_INSTRUCTION_HPP_
