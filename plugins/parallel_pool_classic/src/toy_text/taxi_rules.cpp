#include "toy_text/taxi_rules.hpp"

namespace classic::taxi_rules {
namespace {

// The map with a frame around it; even columns are walls, or ':' where there is none.
constexpr const char* map[] = {
    "+---------+",  //
    "|R: | : :G|",  //
    "| : | : : |",  //
    "| : : : : |",  //
    "| | : | : |",  //
    "|Y| : |B: |",  //
    "+---------+",
};
constexpr int32_t last = 4;  // the last row and column
int32_t stand_at(const Place& place) {
  for (int32_t i = 0; i < 4; ++i) {
    if (place == stands[i]) return i;
  }
  return -1;
}

bool open(int32_t row, int32_t wall) {
  return map[1 + row][wall] == ':';
}
bool open_east(const Place& at) {
  return open(at.row, 2 * at.column + 2);
}
bool open_west(const Place& at) {
  return open(at.row, 2 * at.column);
}

Place moved(const Place& at, const Place& by) {
  return {std::min(std::max(at.row + by.row, 0), last),
          std::min(std::max(at.column + by.column, 0), last)};
}

// Returns true if the taxi can move. South and north only the frame is in the way.
bool can_move(const Place& at, uint32_t action) {
  switch (action) {
    case 0:
      return at.row < last;
    case 1:
      return at.row > 0;
    case 2:
      return open_east(at);
    default:
      return open_west(at);
  }
}

constexpr Place moves[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

// Returns the outcome of picking up and dropping off.
Outcome serve(Fare fare, uint32_t action) {
  double reward = -1;
  bool delivered = false;
  const int32_t stand = stand_at(fare.taxi);
  if (action == 4) {
    if (fare.passenger < aboard && fare.taxi == stands[fare.passenger]) {
      fare.passenger = aboard;
    } else {
      reward = -10;
    }
  } else if (fare.passenger == aboard && stand == fare.destination) {
    fare.passenger = stand;
    reward = 20;
    delivered = true;
  } else if (fare.passenger == aboard && stand >= 0) {
    fare.passenger = stand;
  } else {
    reward = -10;
  }
  return {encode(fare), reward, delivered};
}

// Returns the place to which the wind blows the taxi. Version 3 looks for a wall on one side of the
// place arrived at whichever way it went: on the east for its left, on the west for its right.
Place blown(const Place& at, const Place& by, int64_t version, bool to_left) {
  const Place to = moved(at, by);
  if (version == 3) return (to_left ? open_east(to) : open_west(to)) ? to : at;
  if (by.column == 1 && !open_west(to)) return at;
  if (by.column == -1 && !open_east(to)) return at;
  return to;
}

struct Sides {
  Place left;
  Place right;
};
// The sides of each action.
constexpr Sides sides[] = {
    {{0, 1}, {0, -1}}, {{0, -1}, {0, 1}}, {{-1, 0}, {1, 0}}, {{1, 0}, {-1, 0}}};
constexpr Sides sides_v3[] = {
    {{0, -1}, {0, 1}}, {{0, -1}, {0, 1}}, {{1, 0}, {-1, 0}}, {{1, 0}, {-1, 0}}};

std::array<Outcome, 3> drift(const Fare& fare, uint32_t action, int64_t version) {
  Place ahead = fare.taxi, left = fare.taxi, right = fare.taxi;
  if (can_move(fare.taxi, action) || (version == 3 && action < 2)) {
    const Sides& by = version == 3 ? sides_v3[action] : sides[action];
    ahead = moved(fare.taxi, moves[action]);
    left = blown(fare.taxi, by.left, version, true);
    right = blown(fare.taxi, by.right, version, false);
  }
  const auto outcome = [&fare](const Place& to) {
    return Outcome{encode({to, fare.passenger, fare.destination}), -1, false};
  };
  return {outcome(ahead), outcome(left), outcome(right)};
}

}  // namespace

std::shared_ptr<const World> build(const Rules& rules) {
  // Version 3 writes 0.8 and 0.1; what version 4 computes of 0.8 is not 0.1.
  const bool written = rules.version == 3 && rules.rainy_probability == 0.8;
  const double aside = written ? 0.1 : (1.0 - rules.rainy_probability) / 2.0;
  Transitions table(Taxi::states, Taxi::actions, rules.rainy,
                    {rules.rainy_probability, aside, aside});
  std::vector<int32_t> starts;
  for (uint32_t state = 0; state < Taxi::states; ++state) {
    const Fare fare = decode(static_cast<int32_t>(state));
    if (fare.passenger < aboard && fare.passenger != fare.destination) {
      starts.push_back(static_cast<int32_t>(state));
    }
    for (uint32_t action = 0; action < 4; ++action) {
      if (rules.rainy) {
        table.set(state, action, drift(fare, action, rules.version));
      } else {
        const Place to = can_move(fare.taxi, action) ? moved(fare.taxi, moves[action]) : fare.taxi;
        table.set(state, action,
                  Outcome{encode({to, fare.passenger, fare.destination}), -1, false});
      }
    }
    table.set(state, 4, serve(fare, 4));
    table.set(state, 5, serve(fare, 5));
  }
  return std::make_shared<World>(Starts(std::move(starts)), std::move(table));
}

std::array<Mask, Taxi::states> build_masks() {
  std::array<Mask, Taxi::states> masks{};
  for (size_t state = 0; state < masks.size(); ++state) {
    const Fare fare = decode(static_cast<int32_t>(state));
    const bool at_passenger = fare.passenger < aboard && fare.taxi == stands[fare.passenger];
    const bool at_stand = fare.passenger == aboard && stand_at(fare.taxi) >= 0;
    for (uint32_t action = 0; action < 4; ++action) {
      masks[state][action] = can_move(fare.taxi, action) ? 1 : 0;
    }
    masks[state][4] = at_passenger ? 1 : 0;
    masks[state][5] = at_stand ? 1 : 0;
  }
  return masks;
}

}  // namespace classic::taxi_rules
