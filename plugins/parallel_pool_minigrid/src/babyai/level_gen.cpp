#include "babyai/level_gen.hpp"

#include <stdexcept>
#include <utility>

#include "words.hpp"

namespace minigrid::babyai {

LevelGen::LevelGen(const Options& options)
    : num_dists_(options.num_dists),
      locked_room_prob_(options.locked_room_prob),
      locations_(options.locations),
      implicit_unlock_(options.implicit_unlock),
      actions_(meanings<Kind>("action_kinds", options.action_kinds,
                              {{"goto", Kind::go_to},
                               {"pickup", Kind::pickup},
                               {"open", Kind::open},
                               {"putnext", Kind::put_next}})),
      compositions_(meanings<Composition>("instr_kinds", options.instr_kinds,
                                          {{"action", Composition::action},
                                           {"and", Composition::both},
                                           {"seq", Composition::sequence}})) {
  sized_rooms(options.room_size, options.num_rows, options.num_cols);
  may_unblock_ = options.unblocking;
  if (rows * columns == 1 && locked_room_prob_ > 0) {
    throw std::invalid_argument(
        "locked_room_prob has to be 0 with num_rows=1 and num_cols=1: no room is left for the key");
  }
}

int LevelGen::build() {
  locked_room_ = -1;
  if (rng->uniform(0, 1) < locked_room_prob_) lock_a_room();
  connect_all();
  add_distractors(any_room, any_room, num_dists_, false);
  do agent_in_room();
  while (room_at(at) == locked_room_);
  if (!may_unblock_) require_reachable();
  return any_instruction(compositions_);
}

void LevelGen::lock_a_room() {
  int i, j, side;
  do {
    i = integer(0, columns);
    j = integer(0, rows);
    side = integer(0, 4);
  } while (room(i, j).neighbor[static_cast<size_t>(side)] < 0);
  locked_room_ = j * columns + i;
  const Id door = add_door(i, j, side, any_color, Lock::yes);
  do {
    i = integer(0, columns);
    j = integer(0, rows);
  } while (j * columns + i == locked_room_);
  add_object(i, j, Type::key, color(door));
}

bool LevelGen::all_locked_away(const Description& d) {
  if (implicit_unlock_ || locked_room_ < 0) return false;
  const Rect& locked = rooms[static_cast<size_t>(locked_room_)].r;
  return std::all_of(d.places.begin(), d.places.end(), [&](Pos p) { return locked.contains(p); });
}

Description LevelGen::any_description(const std::vector<Type>& types) {
  for (int tries = 0; tries <= 100; ++tries) {
    const int c = integer(0, 7);
    const Color color = c == 0 ? any_color : color_names[static_cast<size_t>(c - 1)];
    Description d = described(pick(types), color);
    if (locations_ && coin()) d.where = static_cast<Where>(integer(0, 4));
    find(d, true);
    if (!d.matches.empty() && !all_locked_away(d)) return d;
  }
  throw NoPlace{};
}

int LevelGen::any_action() {
  const std::vector<Type> things{Type::box, Type::ball, Type::key};
  const std::vector<Type> everything{Type::box, Type::ball, Type::key, Type::door};
  const Kind kind = pick(actions_);
  switch (kind) {
    case Kind::go_to:
      return instruct(kind, any_description(everything));
    case Kind::pickup:
      return instruct(kind, any_description(things));
    case Kind::open:
      return instruct(kind, any_description({Type::door}));
    default:
      break;
  }
  const Description moved = any_description(things);
  return put_next(moved, any_description(everything));
}

int LevelGen::any_instruction(const std::vector<Composition>& kinds) {
  const Composition kind = pick(kinds);
  if (kind == Composition::action) return any_action();
  std::vector<Composition> parts{Composition::action};
  if (kind == Composition::sequence) parts.push_back(Composition::both);
  const int a = any_instruction(parts);
  const int b = any_instruction(parts);
  if (kind == Composition::both) return combine(Kind::both, a, b);
  return combine(integer(0, 2) == 0 ? Kind::before : Kind::after, a, b);
}

}  // namespace minigrid::babyai
