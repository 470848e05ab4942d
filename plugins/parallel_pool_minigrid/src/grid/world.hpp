// The grid, its objects and the agent; minigrid's draws, and the step that all tasks share.
#ifndef PARALLEL_POOL_MINIGRID_GRID_WORLD_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_WORLD_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "grid/cell.hpp"
#include "grid/keeper.hpp"

namespace minigrid {

enum class Act : int32_t { left, right, forward, pickup, drop, toggle, done };

inline constexpr int dir_x[4] = {1, 0, -1, 0};  // right, down, left, up
inline constexpr int dir_y[4] = {0, 1, 0, -1};

struct Pos {
  int x = -1;
  int y = -1;
  friend bool operator==(Pos a, Pos b) { return a.x == b.x && a.y == b.y; }
};
inline int manhattan(Pos a, Pos b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}
inline bool within_one(Pos a, Pos b) {
  return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1;
}

struct Rect {
  int x = 0;
  int y = 0;
  int w = 0;
  int h = 0;
  bool contains(Pos p) const { return p.x >= x && p.y >= y && p.x < x + w && p.y < y + h; }
};

// Thrown where the original raises RecursionError: an object found no place.
struct NoPlace {};

struct Object {
  Cell cell = empty_cell;
  Id inside = nothing;  // the content of a box
  Pos at;               // (-1, -1) where the original has none
  Pos start;            // its first place
};

// The limits of the missions of a level. The longest of MiniGrid has 18 words, the longest of
// BabyAI 74: commas count.
struct MissionSize {
  int64_t bytes;
  int64_t words;
};

struct World {
  static constexpr size_t longest_mission = 384;

  int w = 0;
  int h = 0;
  int view = 7;
  int border = 6;  // width of the walls around the grid, as far as the view reaches
  int stride = 0;
  bool see_through = false;
  bool limit_given = false;  // max_steps is an option's, not the level's
  int max_steps = 100;
  int steps = 0;
  Pos at;
  int dir = 0;
  Id carrying = nothing;
  std::vector<Cell> cells;  // with the border, row by row
  std::vector<Object> objects;
  std::array<uint8_t, longest_mission> mission{};
  pp::Rng* rng = nullptr;  // the generator of the lane, during a call

  void sized(int64_t width, int64_t height, int64_t limit);
  void say(const std::string& text);

  // Draws, as minigrid's helpers make them.
  int integer(int low, int high) { return static_cast<int>(rng->integers(low, high)); }
  bool coin() { return rng->integers(0, 2) == 0; }
  template <class List>
  auto pick(const List& list) {
    return list[static_cast<size_t>(integer(0, static_cast<int>(list.size())))];
  }
  template <class T>
  T take(std::vector<T>& list) {
    const int i = integer(0, static_cast<int>(list.size()));
    const T taken = list[static_cast<size_t>(i)];
    list.erase(list.begin() + i);
    return taken;
  }
  template <class T>
  std::vector<T> subset(std::vector<T> list, int n) {
    std::vector<T> out;
    while (static_cast<int>(out.size()) < n) out.push_back(take(list));
    return out;
  }
  std::vector<Color> colors(int n) {
    return subset(std::vector<Color>(color_names.begin(), color_names.end()), n);
  }

  // The grid.
  void clear();
  size_t index(int x, int y) const {
    return static_cast<size_t>((y + border) * stride + x + border);
  }
  Cell get(Pos p) const { return cells[index(p.x, p.y)]; }
  bool inside(Pos p) const { return p.x >= 0 && p.y >= 0 && p.x < w && p.y < h; }
  void set(int x, int y, Id id);
  void put(Id id, int x, int y);  // and remembers the place
  Id make(Type type, Color color, DoorState state = DoorState::closed, Id content = nothing);
  Id make_door(Color color, bool locked = false) {
    return make(Type::door, color, locked ? DoorState::locked : DoorState::closed);
  }
  void recolor(Id id, Color color);
  void set_door(Id id, Pos p, DoorState state);
  void horizontal(int x, int y, int n, Id id = the_wall);
  void vertical(int x, int y, int n, Id id = the_wall);
  void walls_around(Rect r);
  void open_field();  // empty, with walls around it
  Rect all() const { return {0, 0, w, h}; }
  Type type(Id id) const { return type_of(objects[id].cell); }
  Color color(Id id) const { return color_of(objects[id].cell); }
  bool is_open_door(Id id) const {
    return type(id) == Type::door && state_of(objects[id].cell) == DoorState::open;
  }
  // "red ball"
  std::string named(Id id) const {
    return std::string(name_of(color(id))) + " " + name_of(type(id));
  }

  // A random free cell of r that is not rejected. Throws NoPlace after max_tries + 1 of them.
  template <class Reject>
  Pos place_unless(Id id, Rect r, Reject&& rejected, int max_tries) {
    const int x0 = std::max(r.x, 0), x1 = std::min(r.x + r.w, w);
    const int y0 = std::max(r.y, 0), y1 = std::min(r.y + r.h, h);
    for (int tries = 0; tries <= max_tries; ++tries) {
      Pos p;
      p.x = integer(x0, x1);
      p.y = integer(y0, y1);
      if (get(p) != empty_cell || p == at || rejected(p)) continue;
      settle(id, p);
      return p;
    }
    not_placed(max_tries);
  }
  // The original tries for ever; a grid that is full is an error here.
  static constexpr int no_limit = 10'000'000;
  Pos place(Id id, Rect r, int max_tries = no_limit) {
    return place_unless(id, r, [](Pos) { return false; }, max_tries);
  }
  Pos place(Id id) { return place(id, all()); }
  void place_agent(Rect r, int max_tries = no_limit);
  void place_agent() { place_agent(all()); }
  void stand(int x, int y) {  // facing right
    at = {x, y};
    dir = 0;
  }
  Pos front() const { return {at.x + dir_x[dir], at.y + dir_y[dir]}; }
  Id front_id() const { return id_of(get(front())); }

  // The step.
  double success() const { return 1 - 0.9 * (static_cast<double>(steps) / max_steps); }
  pp::Outcome move(Act action);
  void toggle(Id id, Pos p);
  pp::Outcome won(pp::Outcome out) const { return {success(), true, out.truncated}; }
  pp::Outcome lost(pp::Outcome out) const { return {0.0, true, out.truncated}; }

  void keep(Keeper& k);
  void keep(Keeper& k, Pos& p, const char* name);  // (-1, -1), or in the grid
  void keep(Keeper& k, Id& id, const char* name);

 private:
  void settle(Id id, Pos p);
  [[noreturn]] static void not_placed(int max_tries);
  void forward(Pos there, Cell what, pp::Outcome& out);
};

// The task that the kernel plays.
struct Task : World {
  static constexpr int actions = 7;
  static constexpr MissionSize mission_size = {96, 24};
  static constexpr bool has_goal = false;
  static constexpr bool made_ahead = false;  // true: a level takes as long as many steps

  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  // A new level, whatever was before.
  void renew(pp::Rng& generator) {
    rng = &generator;
    at = Pos{};
    carrying = nothing;
    steps = 0;
    lay();
  }
  virtual void begin() {}  // after its first observation
  virtual pp::Outcome act(Act action) { return move(action); }
  virtual void keep_task(Keeper&) {}  // keeps what decides the future and is not in the World

  int most_tries = 10'000'000;  // tries to make one level; the original has no limit

 protected:
  virtual void lay() = 0;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_WORLD_HPP_
