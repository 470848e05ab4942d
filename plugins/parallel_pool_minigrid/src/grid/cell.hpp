// The content of a cell of the grid, as one word: type, colour and state as minigrid's observations
// encode them, one byte each, then the number of the object, and whether it hides what is behind.
#ifndef PARALLEL_POOL_MINIGRID_GRID_CELL_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_CELL_HPP_

#include <array>
#include <cstdint>

namespace minigrid {

enum class Type : uint8_t { unseen, empty, wall, floor, door, key, ball, box, goal, lava, agent };
enum class Color : uint8_t { red, green, blue, purple, yellow, grey };
enum class DoorState : uint8_t { open, closed, locked };

// In descriptions, and where a level leaves the choice to chance.
inline constexpr Type any_type = Type::unseen;
inline constexpr Color any_color = static_cast<Color>(6);

// In the order of their names, which all draws index.
inline constexpr std::array<Color, 6> color_names{Color::blue,   Color::green, Color::grey,
                                                  Color::purple, Color::red,   Color::yellow};
inline constexpr std::array<Type, 3> key_ball_box{Type::key, Type::ball, Type::box};

inline const char* name_of(Color color) {
  constexpr const char* names[] = {"red", "green", "blue", "purple", "yellow", "grey"};
  return names[static_cast<int>(color)];
}
inline const char* name_of(Type type) {
  constexpr const char* names[] = {"object", "empty", "wall", "floor", "door", "key",
                                   "ball",   "box",   "goal", "lava",  "agent"};
  return names[static_cast<int>(type)];
}

// The number of an object. Walls share one number, as goals and lava do: their identity is never
// asked for.
using Id = uint8_t;
inline constexpr Id nothing = 0;
inline constexpr Id the_wall = 1;
inline constexpr Id the_goal = 2;
inline constexpr Id the_lava = 3;
inline constexpr Id first_id = 4;
inline constexpr unsigned max_objects = 128;  // seven bits of a word

using Cell = uint32_t;

constexpr Cell cell_of(Type type, Color color, DoorState state, Id id) {
  const bool opaque = type == Type::wall || (type == Type::door && state != DoorState::open);
  return static_cast<Cell>(type) | static_cast<Cell>(color) << 8 | static_cast<Cell>(state) << 16 |
         static_cast<Cell>(id) << 24 | static_cast<Cell>(opaque) << 31;
}
constexpr Type type_of(Cell cell) {
  return static_cast<Type>(cell & 0xff);
}
constexpr Color color_of(Cell cell) {
  return static_cast<Color>(cell >> 8 & 0xff);
}
constexpr DoorState state_of(Cell cell) {
  return static_cast<DoorState>(cell >> 16 & 0xff);
}
constexpr Id id_of(Cell cell) {
  return static_cast<Id>(cell >> 24 & 0x7f);
}
constexpr Cell opaque_bit(Cell cell) {
  return cell >> 31;
}

inline constexpr Cell empty_cell =
    cell_of(Type::empty, static_cast<Color>(0), DoorState::open, nothing);
inline constexpr Cell wall_cell = cell_of(Type::wall, Color::grey, DoorState::open, the_wall);

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_CELL_HPP_
