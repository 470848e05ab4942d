// A grid of rooms of one size, with a wall between each two: minigrid's RoomGrid.
#ifndef PARALLEL_POOL_MINIGRID_GRID_ROOMS_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_ROOMS_HPP_

#include "grid/world.hpp"

namespace minigrid {

enum class Lock : uint8_t { no, yes, chance };

struct Room {
  Rect r;
  std::array<Id, 4> doors{};  // right, down, left, up; `opening` where a wall was removed
  std::array<Pos, 4> door_pos{};
  std::array<int, 4> neighbor{-1, -1, -1, -1};
  bool locked = false;
  std::vector<Id> contents;
};
inline constexpr Id opening = 255;
inline constexpr int any_side = -1;
inline constexpr int any_room = -1;

struct Rooms : Task {
  static constexpr bool made_ahead = true;
  int room_size = 7;
  int rows = 3;
  int columns = 3;
  std::vector<Room> rooms;  // while a level is made

  void sized_rooms(int64_t size, int64_t num_rows, int64_t num_columns, int64_t limit = 0);
  Room& room(int i, int j) { return rooms[static_cast<size_t>(j * columns + i)]; }
  int room_at(Pos p) const { return p.y / (room_size - 1) * columns + p.x / (room_size - 1); }

  void lay_out();
  Id place_in_room(int i, int j, Id id);
  Id add_object(int i, int j, Type type = any_type, Color color = any_color);
  Id add_door(int i, int j, int side, Color color, Lock lock);
  // A ball, of a random colour, on the near side of a door in the right wall.
  void block_door(Id door);
  void remove_wall(int i, int j, int side);
  void agent_in_room(int i = any_room, int j = any_room);
  void connect_all(const std::vector<Color>& colors);
  void connect_all() { connect_all({color_names.begin(), color_names.end()}); }
  std::vector<Id> add_distractors(int i, int j, int64_t n, bool unique);

 private:
  bool all_connected(int start) const;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_ROOMS_HPP_
