#include "tasks/doors.hpp"

#include <stdexcept>

namespace minigrid {

void DoorKey::lay() {
  open_field();
  put(the_goal, w - 2, h - 2);
  const int split = integer(2, w - 2);
  vertical(split, 0, h);
  place_agent({0, 0, split, h});
  const int y = integer(1, h - 2);
  put(make_door(Color::yellow, true), split, y);
  place(make(Type::key, Color::yellow), {0, 0, split, h});
  say("use the key to open the door and then get to the goal");
}

void FourRooms::lay() {
  open_field();
  const int room_w = w / 2, room_h = h / 2;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      const int left = i * room_w, top = j * room_h;
      const int right = left + room_w, bottom = top + room_h;
      if (i == 0) {
        vertical(right, top, room_h);
        set(right, integer(top + 1, bottom), nothing);
      }
      if (j == 0) {
        horizontal(left, bottom, room_w);
        set(integer(left + 1, right), bottom, nothing);
      }
    }
  }
  place_agent();
  place(the_goal);
  say("reach the goal");
}

MultiRoom::MultiRoom(const Options& options)
    : least_(static_cast<int>(options.min_rooms)),
      most_(static_cast<int>(options.max_rooms)),
      size_(static_cast<int>(options.max_room_size)) {
  if (least_ > most_) throw std::invalid_argument("min_rooms is above max_rooms");
  sized(25, 25, 20 * options.max_rooms);
}

void MultiRoom::lay() {
  std::vector<Part> best, now;
  const int count = integer(least_, most_ + 1);
  while (static_cast<int>(best.size()) < count) {
    now.clear();
    Pos entry;
    entry.x = integer(0, w - 2);
    entry.y = integer(0, w - 2);
    grow(count, now, 2, entry);
    if (now.size() > best.size()) best = now;
  }
  clear();
  Color last = any_color;
  for (const Part& part : best) {
    walls_around(part.r);
    if (&part == &best.front()) continue;
    std::vector<Color> others(color_names.begin(), color_names.end());
    others.erase(std::remove(others.begin(), others.end(), last), others.end());
    last = pick(others);
    set(part.entry.x, part.entry.y, make_door(last));
  }
  place_agent(best.front().r);
  place(the_goal, best.back().r);
  say("traverse the rooms to get to the goal");
}

// A room whose wall of this side has its entry there, and as many after it as can be. The checks
// are the original's, of which some are one off.
bool MultiRoom::grow(int left, std::vector<Part>& list, int wall, Pos entry) {
  const int room_w = integer(4, size_ + 1);
  const int room_h = integer(4, size_ + 1);
  int x = entry.x, y = entry.y;
  if (!list.empty()) {
    if (wall == 0) x = entry.x - room_w + 1;
    if (wall == 1) y = entry.y - room_h + 1;
    if (wall == 0 || wall == 2) y = integer(entry.y - room_h + 2, entry.y);
    if (wall == 1 || wall == 3) x = integer(entry.x - room_w + 2, entry.x);
  }
  if (x < 0 || y < 0 || x + room_w > w || y + room_h >= h) return false;
  for (size_t n = 0; n + 1 < list.size(); ++n) {
    const Rect& r = list[n].r;
    const bool apart = x + room_w < r.x || r.x + r.w <= x || y + room_h < r.y || r.y + r.h <= y;
    if (!apart) return false;
  }
  list.push_back({{x, y, room_w, room_h}, entry});
  if (left == 1) return true;
  for (int tries = 0; tries < 8; ++tries) {
    std::vector<int> others{0, 1, 2, 3};
    others.erase(others.begin() + wall);
    const int out = pick(others);
    Pos exit{x, y};
    if (out == 0) exit.x = x + room_w - 1;
    if (out == 1) exit.y = y + room_h - 1;
    if (out == 0 || out == 2) exit.y = y + integer(1, room_h - 1);
    if (out == 1 || out == 3) exit.x = x + integer(1, room_w - 1);
    if (grow(left - 1, list, (out + 2) % 4, exit)) break;
  }
  return true;
}

void LockedRoom::lay() {
  open_field();
  const int left = w / 2 - 2, right = w / 2 + 2;
  vertical(left, 0, h);
  vertical(right, 0, h);
  struct Part {
    Rect r;
    Pos door;
    Color color;
  };
  std::vector<Part> parts;
  for (int n = 0; n < 3; ++n) {
    const int top = n * (h / 3);
    horizontal(0, top, left);
    horizontal(right, top, w - right);
    parts.push_back({{0, top, left + 1, h / 3 + 1}, {left, top + 3}, Color::red});
    parts.push_back({{right, top, left + 1, h / 3 + 1}, {right, top + 3}, Color::red});
  }
  const auto within = [this](const Rect& r) {
    Pos p;
    p.x = integer(r.x + 1, r.x + r.w - 1);
    p.y = integer(r.y + 1, r.y + r.h - 1);
    return p;
  };
  const auto locked = static_cast<size_t>(integer(0, 6));
  const Pos goal = within(parts[locked].r);
  set(goal.x, goal.y, the_goal);
  std::vector<Color> rest(color_names.begin(), color_names.end());
  for (size_t n = 0; n < 6; ++n) {
    parts[n].color = take(rest);
    set(parts[n].door.x, parts[n].door.y, make_door(parts[n].color, n == locked));
  }
  size_t key_room;
  do key_room = static_cast<size_t>(integer(0, 6));
  while (key_room == locked);
  const Pos key = within(parts[key_room].r);
  set(key.x, key.y, make(Type::key, parts[locked].color));
  place_agent({left, 0, right - left, h});
  const std::string color = name_of(parts[locked].color);
  say("get the " + color + " key from the " + name_of(parts[key_room].color) +
      " room, unlock the " + color + " door and go to the goal");
}

void RedBlueDoors::lay() {
  open_field();
  walls_around({size_ / 2, 0, size_, size_});
  place_agent({size_ / 2, 0, size_, size_});
  const int red_row = integer(1, size_ - 1);
  red_ = make_door(Color::red);
  set(size_ / 2, red_row, red_);
  const int blue_row = integer(1, size_ - 1);
  blue_ = make_door(Color::blue);
  set(size_ / 2 + size_ - 1, blue_row, blue_);
  say("open the red door then the blue door");
}

pp::Outcome RedBlueDoors::act(Act action) {
  const bool red_before = is_open_door(red_), blue_before = is_open_door(blue_);
  const pp::Outcome out = move(action);
  if (is_open_door(blue_)) return red_before ? won(out) : lost(out);
  if (is_open_door(red_) && blue_before) return lost(out);
  return out;
}

void RedBlueDoors::keep_task(Keeper& k) {
  keep(k, red_, "red door");
  keep(k, blue_, "blue door");
}

void Playground::lay() {
  open_field();
  const int room_w = w / 3, room_h = h / 3;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int left = i * room_w, top = j * room_h;
      const int right = left + room_w, bottom = top + room_h;
      if (i < 2) {
        vertical(right, top, room_h);
        const int y = integer(top + 1, bottom - 1);
        set(right, y, make_door(pick(color_names)));
      }
      if (j < 2) {
        horizontal(left, bottom, room_w);
        const int x = integer(left + 1, right - 1);
        set(x, bottom, make_door(pick(color_names)));
      }
    }
  }
  place_agent();
  for (int n = 0; n < 12; ++n) {
    const Type type = pick(key_ball_box);
    const Color color = pick(color_names);
    place(make(type, color));
  }
  say("");
}

}  // namespace minigrid
