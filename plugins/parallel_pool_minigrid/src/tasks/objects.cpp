#include "tasks/objects.hpp"

namespace minigrid {

std::vector<Id> ObjectTask::place_different(Reject rejected) {
  placed_.clear();
  while (static_cast<int>(placed_.size()) < count_) {
    const Type type = pick(key_ball_box);
    const Color color = pick(color_names);
    const bool exists = std::any_of(placed_.begin(), placed_.end(), [&](Id id) {
      return this->type(id) == type && this->color(id) == color;
    });
    if (exists) continue;
    const Id id = make(type, color);
    // Enough to meet each cell; the original goes on for ever where all are rejected.
    place_unless(id, all(), [&](Pos p) { return rejected(*this, p); }, 400 * w * h);
    placed_.push_back(id);
  }
  return placed_;
}

void ObjectTask::keep_task(Keeper& k) {
  keep(k, target_, "target");
  keep(k, place_, "place of the target");
}

void Fetch::lay() {
  open_field();
  constexpr std::array<Type, 2> types{Type::key, Type::ball};
  const auto first = static_cast<int>(objects.size());
  for (int n = 0; n < count_; ++n) {
    const Type type = pick(types);
    const Color color = pick(color_names);
    place(make(type, color));
  }
  place_agent();
  target_ = static_cast<Id>(first + integer(0, count_));
  constexpr std::array<const char*, 5> beginnings{"get a ", "go get a ", "fetch a ", "go fetch a ",
                                                  "you must fetch a "};
  say(pick(beginnings) + named(target_));
}

pp::Outcome Fetch::act(Act action) {
  const pp::Outcome out = move(action);
  if (carrying == nothing) return out;
  const bool same = type(carrying) == type(target_) && color(carrying) == color(target_);
  return same ? won(out) : lost(out);
}

pp::Outcome GoToPlace::act(Act action) {
  pp::Outcome out = move(action);
  if (action == Act::toggle) out.terminated = true;
  if (action == Act::done) return manhattan(at, place_) == 1 ? won(out) : lost(out);
  return out;
}

void GoToDoor::lay() {
  clear();
  const int width = integer(5, w + 1);
  const int height = integer(5, h + 1);
  walls_around({0, 0, width, height});
  std::array<Pos, 4> places;
  places[0] = {integer(2, width - 2), 0};
  places[1] = {integer(2, width - 2), height - 1};
  places[2] = {0, integer(2, height - 2)};
  places[3] = {width - 1, integer(2, height - 2)};
  std::vector<Color> chosen;
  while (chosen.size() < places.size()) {
    const Color color = pick(color_names);
    if (std::find(chosen.begin(), chosen.end(), color) == chosen.end()) chosen.push_back(color);
  }
  for (size_t n = 0; n < places.size(); ++n) set(places[n].x, places[n].y, make_door(chosen[n]));
  place_agent({0, 0, width, height});
  const auto n = static_cast<size_t>(integer(0, 4));
  place_ = places[n];
  say(std::string("go to the ") + name_of(chosen[n]) + " door");
}

void GoToObject::lay() {
  open_field();
  const std::vector<Id> list = place_different([](const ObjectTask&, Pos) { return false; });
  place_agent();
  target_ = pick(list);
  place_ = objects[target_].start;
  say("go to the " + named(target_));
}

void PutNear::lay() {
  // The first objects may leave no place for another.
  while (true) {
    try {
      return lay_once();
    } catch (const NoPlace&) {
    }
  }
}

void PutNear::lay_once() {
  open_field();
  const std::vector<Id> list = place_different([](const ObjectTask& task, Pos p) {
    const auto& self = static_cast<const PutNear&>(task);
    return std::any_of(self.placed_.begin(), self.placed_.end(),
                       [&](Id id) { return within_one(p, self.objects[id].start); });
  });
  place_agent();
  target_ = pick(list);
  Id other;
  do other = pick(list);
  while (other == target_);
  place_ = objects[other].start;
  say("put the " + named(target_) + " near the " + named(other));
}

pp::Outcome PutNear::act(Act action) {
  const Id before = carrying;
  pp::Outcome out = move(action);
  if (action == Act::pickup && carrying != nothing && carrying != target_) out.terminated = true;
  if (action != Act::drop || before == nothing) return out;
  return front_id() == before && within_one(front(), place_) ? won(out) : lost(out);
}

void Memory::lay() {
  open_field();
  const int middle = h / 2;
  const int end = random_length_ ? integer(4, w - 2) : w - 3;
  horizontal(1, middle - 2, 4);
  horizontal(1, middle + 2, 4);
  horizontal(4, middle - 1, end - 4);
  horizontal(4, middle + 1, end - 4);
  vertical(end, 0, middle);
  vertical(end, middle + 1, h - middle - 1);
  vertical(end + 2, 0, h);
  at = {integer(1, end + 1), middle};
  dir = 0;
  const Type shown = integer(0, 2) == 0 ? Type::key : Type::ball;
  set(1, middle - 1, make(shown, Color::green));
  const bool ball_above = integer(0, 2) == 0;
  const Type above = ball_above ? Type::ball : Type::key;
  set(end + 1, middle - 2, make(above, Color::green));
  set(end + 1, middle + 2, make(ball_above ? Type::key : Type::ball, Color::green));
  right_ = {end + 1, middle - 1};
  wrong_ = {end + 1, middle + 1};
  if (shown != above) std::swap(right_, wrong_);
  say("go to the matching object at the end of the hallway");
}

pp::Outcome Memory::act(Act action) {
  const pp::Outcome out = move(action == Act::pickup ? Act::toggle : action);
  if (at == right_) return won(out);
  if (at == wrong_) return lost(out);
  return out;
}

void Memory::keep_task(Keeper& k) {
  keep(k, right_, "place of the matching object");
  keep(k, wrong_, "place of the other object");
}

}  // namespace minigrid
