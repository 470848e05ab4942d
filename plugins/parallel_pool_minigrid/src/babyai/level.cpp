#include "babyai/level.hpp"

#include <stdexcept>
#include <utility>

namespace minigrid {

void Level::lay() {
  for (int tries = 0; tries < most_tries; ++tries) {
    try {
      lay_out();
      instructions_.clear();
      root_ = build();
      validate(root_);
      say(text(root_));
      return;
    } catch (const NoPlace&) {
    } catch (const Rejected&) {
    }
  }
  throw std::runtime_error("there is no such level with these options");
}

void Level::begin() {
  find_all(root_);
  stale_ = true;
  if (!limit_given) max_steps = errands(root_) * room_size * room_size * rows * columns;
}

pp::Outcome Level::act(Act action) {
  const bool toggled = action == Act::toggle && type(front_id()) == Type::box;
  const Id carried = carrying;
  const pp::Outcome out = move(action);
  stale_ = stale_ || toggled || carrying != carried;
  if (action == Act::drop && stale_) {
    stale_ = false;
    for (Instruction& each : instructions_) {
      if (each.compound()) continue;
      find(each.what, false);
      if (each.kind == Kind::put_next) find(each.next_to, false);
    }
  }
  const Status status = verify(root_, action);
  if (status == Status::success) return won(out);
  return status == Status::failure ? lost(out) : out;
}

int Level::add(Instruction instruction) {
  instructions_.push_back(std::move(instruction));
  return static_cast<int>(instructions_.size()) - 1;
}

int Level::instruct(Kind kind, Description what, bool strict) {
  Instruction i;
  i.kind = kind;
  i.what = std::move(what);
  i.strict = strict;
  return add(std::move(i));
}

int Level::put_next(Description what, Description next_to) {
  Instruction i;
  i.kind = Kind::put_next;
  i.what = std::move(what);
  i.next_to = std::move(next_to);
  return add(std::move(i));
}

int Level::combine(Kind kind, int a, int b) {
  Instruction i;
  i.kind = kind;
  i.a = a;
  i.b = b;
  return add(std::move(i));
}

// Places are relative to the agent's at this moment, and in its room only.
bool Level::fits(const Description& d, Id id, Pos p) const {
  if (d.type != any_type && type(id) != d.type) return false;
  if (d.color != any_color && color(id) != d.color) return false;
  if (d.where == Where::anywhere) return true;
  if (!rooms[static_cast<size_t>(room_at(at))].r.contains(p)) return false;
  const int dx = p.x - at.x, dy = p.y - at.y;
  const int ahead = dx * dir_x[dir] + dy * dir_y[dir];
  const int to_right = -dx * dir_y[dir] + dy * dir_x[dir];
  switch (d.where) {
    case Where::left:
      return to_right < 0;
    case Where::right:
      return to_right > 0;
    case Where::front:
      return ahead > 0;
    default:
      return ahead < 0;
  }
}

void Level::find(Description& d, bool anew) {
  if (anew) d.matches.clear();
  d.places.clear();
  for (int x = 0; x < w; ++x) {
    for (int y = 0; y < h; ++y) {
      const Id id = id_of(get({x, y}));
      if (id == nothing || !(anew ? fits(d, id, {x, y}) : d.has(id))) continue;
      if (anew) d.matches.push_back(id);
      d.places.push_back({x, y});
    }
  }
}

void Level::find_all(int n) {
  Instruction& i = number(n);
  if (i.compound()) {
    find_all(i.a);
    find_all(i.b);
    return;
  }
  find(i.what, true);
  if (i.kind == Kind::put_next) find(i.next_to, true);
}

int Level::errands(int n) {
  const Instruction& i = number(n);
  if (i.compound()) return errands(i.a) + errands(i.b);
  return i.kind == Kind::put_next ? 2 : 1;
}

void Level::validate(int n) {
  Instruction& i = number(n);
  if (i.compound()) {
    validate(i.a);
    validate(i.b);
    return;
  }
  if (i.kind == Kind::put_next) {
    find(i.what, true);
    find(i.next_to, true);
    for (const Id id : i.what.matches) {
      if (i.next_to.has(id) || i.next_to.beside(objects[id].at)) throw Rejected{};
    }
  }
  if (!may_unblock_) return;
  // No other part of the level may need the key of a locked door.
  const auto opens = [this](const Description& d) {
    return d.type == Type::key && std::any_of(objects.begin(), objects.end(), [&](const Object& o) {
             return type_of(o.cell) == Type::door && state_of(o.cell) == DoorState::locked &&
                    color_of(o.cell) == d.color;
           });
  };
  if (opens(i.what) || (i.kind == Kind::put_next && opens(i.next_to))) throw Rejected{};
}

Status Level::verify_open(const Instruction& i) const {
  const Id door = front_id();
  if (is_open_door(door) && i.what.has(door)) return Status::success;
  return i.strict && type(door) == Type::door ? Status::failure : Status::going_on;
}

Status Level::verify_carried(Instruction& i, Act action) const {
  const Id before = std::exchange(i.carried, carrying);
  if (action == Act::pickup && i.kind == Kind::pickup) {
    if (before == nothing && carrying != nothing && i.what.has(carrying)) return Status::success;
  }
  if (action == Act::drop && i.kind == Kind::put_next && before != nothing) {
    const bool there = i.what.has(before) && i.next_to.beside(objects[before].at);
    if (there) return Status::success;
  }
  const bool wrong = i.strict && action == Act::pickup && carrying != nothing;
  return wrong ? Status::failure : Status::going_on;
}

Status Level::verify(int n, Act action) {
  Instruction& i = number(n);
  switch (i.kind) {
    case Kind::go_to:
      return i.what.has_place(front()) ? Status::success : Status::going_on;
    case Kind::open:
      return action == Act::toggle ? verify_open(i) : Status::going_on;
    case Kind::pickup:
    case Kind::put_next:
      return verify_carried(i, action);
    case Kind::before:
      return verify_in_turn(i, action, i.a, i.b, i.a_done, i.b_done);
    case Kind::after:
      return verify_in_turn(i, action, i.b, i.a, i.b_done, i.a_done);
    case Kind::both:
      break;
  }
  // The failure of a part is ignored, as in the original.
  if (i.a_done != Status::success) i.a_done = verify(i.a, action);
  if (i.b_done != Status::success) i.b_done = verify(i.b, action);
  const bool both = i.a_done == Status::success && i.b_done == Status::success;
  return both ? Status::success : Status::going_on;
}

Status Level::verify_in_turn(const Instruction& i, Act action, int first, int second,
                             Status& first_done, Status& second_done) {
  if (first_done != Status::success) {
    first_done = verify(first, action);
    if (first_done == Status::failure) return Status::failure;
    if (first_done != Status::success) {
      const bool too_early = i.strict && verify(second, action) == Status::success;
      return too_early ? Status::failure : Status::going_on;
    }
  }
  second_done = verify(second, action);
  return second_done;
}

bool Level::all_reachable() const {
  std::vector<char> reached(cells.size(), 0);
  std::vector<size_t> stack{index(at.x, at.y)};
  const size_t beside[] = {1, static_cast<size_t>(stride)};
  while (!stack.empty()) {
    const size_t n = stack.back();
    stack.pop_back();
    if (reached[n]) continue;
    reached[n] = 1;
    const Type type = type_of(cells[n]);
    if (type != Type::empty && type != Type::door) continue;
    for (const size_t step : beside) {
      stack.push_back(n + step);
      stack.push_back(n - step);
    }
  }
  for (size_t n = 0; n < cells.size(); ++n) {
    const Type type = type_of(cells[n]);
    if (type != Type::empty && type != Type::wall && !reached[n]) return false;
  }
  return true;
}

void Level::keep_description(Keeper& k, Description& d) {
  k.between(d.type, 0, static_cast<int>(Type::lava), "type that is described");
  k.between(d.color, 0, static_cast<int>(any_color), "colour that is described");
  k.between(d.where, 0, static_cast<int>(Where::anywhere), "place that is described");
  k(d.matches);
  auto count = static_cast<uint32_t>(d.places.size());
  k.between(count, 0, w * h, "number of places");
  d.places.resize(count);
  for (Pos& p : d.places) keep(k, p, "place of what is described");
}

void Level::keep_task(Keeper& k) {
  auto count = static_cast<uint32_t>(instructions_.size());
  k.between(count, 1, most_instructions, "number of instructions");
  instructions_.resize(count);
  k.between(root_, 0, count - 1, "instruction");
  k(stale_);
  for (int n = 0; n < static_cast<int>(count); ++n) {
    Instruction& i = number(n);
    k.between(i.kind, 0, static_cast<int>(Kind::both), "kind of instruction");
    k(i.strict);
    keep_description(k, i.what);
    keep_description(k, i.next_to);
    const int low = i.compound() ? 0 : -1, high = i.compound() ? n - 1 : -1;
    k.between(i.a, low, high, "first part");
    k.between(i.b, low, high, "second part");
    keep(k, i.carried, "object carried before");
    k.between(i.a_done, 0, 2, "status of the first part");
    k.between(i.b_done, 0, 2, "status of the second part");
  }
}

}  // namespace minigrid
