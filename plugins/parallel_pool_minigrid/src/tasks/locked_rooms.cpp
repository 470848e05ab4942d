#include "tasks/locked_rooms.hpp"

namespace minigrid {

pp::Outcome PickupTask::act(Act action) {
  const pp::Outcome out = move(action);
  return action == Act::pickup && carrying != nothing && carrying == target_ ? won(out) : out;
}

void KeyCorridor::lay() {
  lay_out();
  for (int j = 1; j < rows; ++j) remove_wall(1, j, 3);
  const int row = integer(0, rows);
  const Id door = add_door(2, row, 2, any_color, Lock::yes);
  target_ = add_object(2, row, Type::ball);
  const int key_row = integer(0, rows);
  add_object(0, key_row, Type::key, color(door));
  agent_in_room(1, rows / 2);
  connect_all();
  say("pick up the " + named(target_));
}

void TwoRooms::lay() {
  lay_out();
  target_ = box_ ? add_object(1, 0, Type::box) : nothing;
  door_ = add_door(0, 0, 0, any_color, Lock::yes);
  if (blocked_) block_door(door_);
  add_object(0, 0, Type::key, color(door_));
  agent_in_room(0, 0);
  say(box_ ? "pick up the " + named(target_) : "open the door");
}

pp::Outcome Unlock::act(Act action) {
  const pp::Outcome out = move(action);
  return action == Act::toggle && is_open_door(door_) ? won(out) : out;
}

ObstructedMaze::ObstructedMaze(const Options& options) : options_(options) {
  if (options.one_door) {
    sized_rooms(6, 1, 2, 4 * 2 * 36);
  } else {
    sized_rooms(6, 3, 3, 4 * options.num_rooms_visited * 36);
  }
}

void ObstructedMaze::door(int i, int j, int side, Color color, bool locked) {
  const Id id = add_door(i, j, side, color, locked ? Lock::yes : Lock::no);
  if (!locked || !options_.blocked) return;
  // Straight into the grid: it may take the place of a key.
  set(objects[id].at.x - dir_x[side], objects[id].at.y - dir_y[side],
      make(Type::ball, Color::green));
}

void ObstructedMaze::key(int i, int j, Color color) {
  Id id = make(Type::key, color);
  if (options_.key_in_box) id = make(Type::box, Color::grey, DoorState::closed, id);
  place_in_room(i, j, id);
}

void ObstructedMaze::quarter(int n, const std::vector<Color>& colors) {
  constexpr int beside[4][2] = {{2, 1}, {1, 2}, {0, 1}, {1, 0}};
  const int i = beside[n][0], j = beside[n][1];
  door(1, 1, n, colors[static_cast<size_t>(n)], false);
  for (const int k : {-1, 1}) {
    const Color color = colors[static_cast<size_t>((n + k + 6) % 6)];
    door(i, j, (n + k + 4) % 4, color, true);
    if (!options_.keys_last) key(i, j, color);
  }
  if (!options_.keys_last) return;
  for (const int k : {-1, 1}) key(i, j, colors[static_cast<size_t>((n + k + 6) % 6)]);
}

void ObstructedMaze::lay() {
  constexpr int corner[4][2] = {{2, 0}, {2, 2}, {0, 2}, {0, 0}};
  lay_out();
  const std::vector<Color> shuffled = colors(6);
  if (options_.one_door) {
    door(0, 0, 0, shuffled[0], true);
    key(0, 0, shuffled[0]);
    target_ = add_object(1, 0, Type::ball, Color::blue);
    agent_in_room(0, 0);
  } else {
    const auto quarters = static_cast<int>(options_.num_quarters);
    for (int n = 0; n < quarters; ++n) quarter(n, shuffled);
    const int n = integer(0, quarters);
    target_ = add_object(corner[n][0], corner[n][1], Type::ball, Color::blue);
    agent_in_room(static_cast<int>(options_.agent_column), 1);
  }
  say("pick up the blue ball");
}

}  // namespace minigrid
