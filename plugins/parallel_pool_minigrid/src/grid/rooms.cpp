#include "grid/rooms.hpp"

#include <utility>

namespace minigrid {

void Rooms::sized_rooms(int64_t size, int64_t num_rows, int64_t num_columns, int64_t limit) {
  room_size = static_cast<int>(size);
  rows = static_cast<int>(num_rows);
  columns = static_cast<int>(num_columns);
  sized((size - 1) * num_columns + 1, (size - 1) * num_rows + 1, limit);
}

void Rooms::lay_out() {
  clear();
  rooms.assign(static_cast<size_t>(rows * columns), Room{});
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      room(i, j).r = {i * (room_size - 1), j * (room_size - 1), room_size, room_size};
      walls_around(room(i, j).r);
    }
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      Room& here = room(i, j);
      const int left = here.r.x + 1, top = here.r.y + 1;
      const int right = here.r.x + room_size - 1, bottom = here.r.y + room_size - 1;
      if (i < columns - 1) {
        here.neighbor[0] = j * columns + i + 1;
        here.door_pos[0] = {right, integer(top, bottom)};
      }
      if (j < rows - 1) {
        here.neighbor[1] = (j + 1) * columns + i;
        here.door_pos[1] = {integer(left, right), bottom};
      }
      if (i > 0) {
        here.neighbor[2] = j * columns + i - 1;
        here.door_pos[2] = room(i - 1, j).door_pos[0];
      }
      if (j > 0) {
        here.neighbor[3] = (j - 1) * columns + i;
        here.door_pos[3] = room(i, j - 1).door_pos[1];
      }
    }
  }
  // Objects placed before the agent keep away from here.
  stand(columns / 2 * (room_size - 1) + room_size / 2, rows / 2 * (room_size - 1) + room_size / 2);
}

Id Rooms::place_in_room(int i, int j, Id id) {
  Room& here = room(i, j);
  const Pos agent = at;
  place_unless(id, here.r, [agent](Pos p) { return manhattan(agent, p) < 2; }, 1000);
  here.contents.push_back(id);
  return id;
}

Id Rooms::add_object(int i, int j, Type type, Color color) {
  if (type == any_type) type = pick(key_ball_box);
  if (color == any_color) color = pick(color_names);
  return place_in_room(i, j, make(type, color));
}

Id Rooms::add_door(int i, int j, int side, Color color, Lock lock) {
  Room& here = room(i, j);
  if (side == any_side) {
    do side = integer(0, 4);
    while (here.neighbor[static_cast<size_t>(side)] < 0 ||
           here.doors[static_cast<size_t>(side)] != nothing);
  }
  const auto k = static_cast<size_t>(side);
  if (color == any_color) color = pick(color_names);
  const bool locked = lock == Lock::chance ? coin() : lock == Lock::yes;
  here.locked = locked;  // a later door that is not locked resets it, as in the original
  const Id id = make_door(color, locked);
  const Pos p = here.door_pos[k];
  set(p.x, p.y, id);
  objects[id].at = p;
  here.doors[k] = id;
  rooms[static_cast<size_t>(here.neighbor[k])].doors[(k + 2) % 4] = id;
  return id;
}

void Rooms::block_door(Id door) {
  const Color color = pick(color_names);
  set(objects[door].at.x - 1, objects[door].at.y, make(Type::ball, color));
}

void Rooms::remove_wall(int i, int j, int side) {
  Room& here = room(i, j);
  const Rect r = here.r;
  const int inner = room_size - 2;
  if (side == 0) vertical(r.x + r.w - 1, r.y + 1, inner, nothing);
  if (side == 1) horizontal(r.x + 1, r.y + r.h - 1, inner, nothing);
  if (side == 2) vertical(r.x, r.y + 1, inner, nothing);
  if (side == 3) horizontal(r.x + 1, r.y, inner, nothing);
  const auto k = static_cast<size_t>(side);
  here.doors[k] = opening;
  rooms[static_cast<size_t>(here.neighbor[k])].doors[(k + 2) % 4] = opening;
}

void Rooms::agent_in_room(int i, int j) {
  if (i == any_room) i = integer(0, columns);
  if (j == any_room) j = integer(0, rows);
  const Rect r = room(i, j).r;
  // A room may have one free cell, between objects: the original never comes back from it.
  for (int tries = 0; tries < 10'000; ++tries) {
    place_agent(r, 1000);
    const Type ahead = type_of(get(front()));
    if (ahead == Type::empty || ahead == Type::wall) return;
  }
  throw NoPlace{};
}

bool Rooms::all_connected(int start) const {
  std::vector<char> reached(rooms.size(), 0);
  std::vector<int> stack{start};
  size_t count = 0;
  while (!stack.empty()) {
    const auto n = static_cast<size_t>(stack.back());
    stack.pop_back();
    if (reached[n]) continue;
    reached[n] = 1;
    ++count;
    for (size_t k = 0; k < 4; ++k) {
      if (rooms[n].doors[k] != nothing) stack.push_back(rooms[n].neighbor[k]);
    }
  }
  return count == rooms.size();
}

void Rooms::connect_all(const std::vector<Color>& colors) {
  const int start = room_at(at);
  for (int tries = 0;; ++tries) {
    if (tries > 5000) throw NoPlace{};
    if (all_connected(start)) return;
    const int i = integer(0, columns);
    const int j = integer(0, rows);
    const int side = integer(0, 4);
    const Room& here = room(i, j);
    const auto k = static_cast<size_t>(side);
    if (here.neighbor[k] < 0 || here.doors[k] != nothing) continue;
    if (here.locked || rooms[static_cast<size_t>(here.neighbor[k])].locked) continue;
    add_door(i, j, side, pick(colors), Lock::no);
  }
}

std::vector<Id> Rooms::add_distractors(int i, int j, int64_t n, bool unique) {
  std::vector<std::pair<Type, Color>> before;
  for (const Room& each : rooms) {
    for (const Id id : each.contents) before.emplace_back(type(id), color(id));
  }
  std::vector<Id> added;
  while (static_cast<int64_t>(added.size()) < n) {
    const Color color = pick(color_names);
    const Type type = pick(key_ball_box);
    const std::pair both{type, color};
    if (unique && std::find(before.begin(), before.end(), both) != before.end()) continue;
    const int column = i == any_room ? integer(0, columns) : i;
    const int row = j == any_room ? integer(0, rows) : j;
    added.push_back(add_object(column, row, type, color));
    before.push_back(both);
  }
  return added;
}

}  // namespace minigrid
