#include "grid/world.hpp"

#include <cstdlib>
#include <stdexcept>

namespace minigrid {

void World::sized(int64_t width, int64_t height, int64_t limit) {
  w = static_cast<int>(width);
  h = static_cast<int>(height);
  if (limit > 0) max_steps = static_cast<int>(limit);
}

void World::say(const std::string& text) {
  if (text.size() > mission.size()) throw std::length_error("the mission is too long: " + text);
  std::fill(std::copy(text.begin(), text.end(), mission.begin()), mission.end(), uint8_t{0});
}

void World::clear() {
  stride = w + 2 * border;
  cells.assign(static_cast<size_t>(stride * (h + 2 * border)), wall_cell);
  for (int y = 0; y < h; ++y)
    std::fill_n(cells.begin() + static_cast<long>(index(0, y)), w, empty_cell);
  objects.assign(first_id, Object{});
  objects[the_wall].cell = wall_cell;
  objects[the_goal].cell = cell_of(Type::goal, Color::green, DoorState::open, the_goal);
  objects[the_lava].cell = cell_of(Type::lava, Color::red, DoorState::open, the_lava);
}

void World::set(int x, int y, Id id) {
  if (!inside({x, y})) throw std::out_of_range("the level does not fit into the grid");
  cells[index(x, y)] = objects[id].cell;
}

void World::put(Id id, int x, int y) {
  set(x, y, id);
  objects[id].at = objects[id].start = {x, y};
}

Id World::make(Type type, Color color, DoorState state, Id content) {
  if (objects.size() >= max_objects) throw std::length_error("the level has too many objects");
  const auto id = static_cast<Id>(objects.size());
  Object object;
  object.cell = cell_of(type, color, type == Type::door ? state : DoorState::open, id);
  object.inside = content;
  objects.push_back(object);
  return id;
}

void World::recolor(Id id, Color color) {
  Object& object = objects[id];
  object.cell = cell_of(type_of(object.cell), color, state_of(object.cell), id);
  set(object.at.x, object.at.y, id);
}

void World::set_door(Id id, Pos p, DoorState state) {
  objects[id].cell = cell_of(Type::door, color(id), state, id);
  set(p.x, p.y, id);
}

void World::horizontal(int x, int y, int n, Id id) {
  for (int i = 0; i < n; ++i) set(x + i, y, id);
}

void World::vertical(int x, int y, int n, Id id) {
  for (int i = 0; i < n; ++i) set(x, y + i, id);
}

void World::walls_around(Rect r) {
  horizontal(r.x, r.y, r.w);
  horizontal(r.x, r.y + r.h - 1, r.w);
  vertical(r.x, r.y, r.h);
  vertical(r.x + r.w - 1, r.y, r.h);
}

void World::open_field() {
  clear();
  walls_around(all());
}

void World::settle(Id id, Pos p) {
  set(p.x, p.y, id);
  if (id != nothing) objects[id].at = objects[id].start = p;
}

void World::not_placed(int max_tries) {
  if (max_tries == no_limit) throw std::runtime_error("the grid has no place for all objects");
  throw NoPlace{};
}

void World::place_agent(Rect r, int max_tries) {
  at = Pos{};
  at = place(nothing, r, max_tries);
  dir = integer(0, 4);
}

void World::forward(Pos there, Cell what, pp::Outcome& out) {
  switch (type_of(what)) {
    case Type::door:
      if (state_of(what) == DoorState::open) at = there;
      break;
    case Type::goal:
      at = there;
      out = {success(), true};
      break;
    case Type::lava:
      at = there;
      out.terminated = true;
      break;
    case Type::empty:
    case Type::floor:
      at = there;
      break;
    default:
      break;
  }
}

pp::Outcome World::move(Act action) {
  pp::Outcome out{0.0, false};
  ++steps;
  const Pos there = front();
  const Cell what = get(there);
  switch (action) {
    case Act::left:
      dir = (dir + 3) & 3;
      break;
    case Act::right:
      dir = (dir + 1) & 3;
      break;
    case Act::forward:
      forward(there, what, out);
      break;
    case Act::pickup:
      if (type_of(what) >= Type::key && type_of(what) <= Type::box && carrying == nothing) {
        carrying = id_of(what);
        objects[carrying].at = Pos{};
        set(there.x, there.y, nothing);
      }
      break;
    case Act::drop:
      if (what == empty_cell && carrying != nothing) {
        set(there.x, there.y, carrying);
        objects[carrying].at = there;
        carrying = nothing;
      }
      break;
    case Act::toggle:
      toggle(id_of(what), there);
      break;
    case Act::done:
      break;
  }
  out.truncated = steps >= max_steps;
  return out;
}

void World::toggle(Id id, Pos p) {
  if (type(id) == Type::box) {
    set(p.x, p.y, objects[id].inside);
  } else if (type(id) == Type::door) {
    const DoorState state = state_of(objects[id].cell);
    const bool key = type(carrying) == Type::key && color(carrying) == color(id);
    if (state == DoorState::open) {
      set_door(id, p, DoorState::closed);
    } else if (state == DoorState::closed || key) {
      set_door(id, p, DoorState::open);
    }
  }
}

void World::keep(Keeper& k, Pos& p, const char* name) {
  k.between(p.x, -1, w - 1, name);
  k.between(p.y, -1, h - 1, name);
}

void World::keep(Keeper& k, Id& id, const char* name) {
  k.between(id, 0, static_cast<int64_t>(objects.size()) - 1, name);
}

void World::keep(Keeper& k) {
  if (k.loads()) clear();
  auto count = static_cast<uint32_t>(objects.size());
  k.between(count, first_id, max_objects, "number of objects");
  objects.resize(count);
  for (uint32_t n = first_id; n < count; ++n) {
    Object& object = objects[n];
    Type type = type_of(object.cell);
    Color color = color_of(object.cell);
    DoorState state = state_of(object.cell);
    k.between(type, static_cast<int>(Type::door), static_cast<int>(Type::box), "type of an object");
    k.between(color, 0, 5, "colour of an object");
    k.between(state, 0, type == Type::door ? 2 : 0, "state of an object");
    object.cell = cell_of(type, color, state, static_cast<Id>(n));
    keep(k, object.inside, "content of a box");
    keep(k, object.at, "place of an object");
    keep(k, object.start, "first place of an object");
  }
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      Id id = id_of(get({x, y}));
      keep(k, id, "object in a cell");
      set(x, y, id);
    }
  }
  k.between(at.x, 0, w - 1, "column of the agent");
  k.between(at.y, 0, h - 1, "row of the agent");
  k.between(dir, 0, 3, "direction of the agent");
  keep(k, carrying, "carried object");
  k.between(max_steps, 1, INT32_MAX, "max_steps");
  k.between(steps, 0, INT32_MAX - 1, "steps");
  k(mission);
}

}  // namespace minigrid
