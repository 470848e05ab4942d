// Taxi as Gymnasium has it (taxi.hpp says what that is). Long, because the tables of its 500
// states, their three ways of moving and the passengers are one rule.
#include "toy_text/taxi.hpp"

#include "numeric/clones.hpp"

namespace classic {
namespace {

// Of the map, with a frame around it; even columns are walls, or ':' where there is none.
constexpr const char* map[] = {
    "+---------+",  //
    "|R: | : :G|",  //
    "| : | : : |",  //
    "| : : : : |",  //
    "| | : | : |",  //
    "|Y| : |B: |",  //
    "+---------+",
};
constexpr int32_t last = 4;    // of rows and of columns
constexpr int32_t aboard = 4;  // where the passenger is

struct Place {
  int32_t row;
  int32_t column;
  bool operator==(const Place& other) const { return row == other.row && column == other.column; }
};
constexpr Place stands[] = {{0, 0}, {0, 4}, {4, 0}, {4, 3}};

struct Fare {
  Place taxi;
  int32_t passenger;
  int32_t destination;
};

constexpr int32_t encode(const Fare& fare) {
  return ((fare.taxi.row * 5 + fare.taxi.column) * 5 + fare.passenger) * 4 + fare.destination;
}
constexpr Fare decode(int32_t state) {
  return {{state / 100, state / 20 % 5}, state / 4 % 5, state % 4};
}

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

// Whether the taxi can move: south and north only the frame is in the way.
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

// What picking up and dropping off lead to.
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

// Where the wind blows the taxi to. Version 3 looks for a wall on one side of the place arrived at
// whichever way it went: on the east for what it takes for its left, on the west for its right.
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
// By action.
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

struct Rules {
  bool rainy;
  double rainy_probability;
  int64_t version;

  explicit Rules(const Taxi::Options& options)
      : rainy(options.is_rainy),
        rainy_probability(options.rainy_probability),
        version(options.version) {}
  bool operator==(const Rules& other) const {
    return rainy == other.rainy && rainy_probability == other.rainy_probability &&
           version == other.version;
  }
};

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

using Mask = std::array<int8_t, Taxi::actions>;

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
const std::array<Mask, Taxi::states> masks = build_masks();

// Taxis look the way they last drove.
PP_CLASSIC_CLONES
void turn(uint32_t n, const int32_t* __restrict action, int8_t* __restrict heading) {
  for (uint32_t i = 0; i < n; ++i) {
    heading[i] = action[i] < 4 ? static_cast<int8_t>(action[i]) : heading[i];
  }
}

}  // namespace

void Taxi::describe(pp::Spec& spec, const Options&) {
  spec.info("prob").bounds(0, 1);
}

Taxi::Taxi(const std::vector<Options>& options)
    : state_(options.size()),
      draw_(options.size()),
      found_(options.size()),
      will_change_(options.size()),
      last_action_(options.size(), -1),
      heading_(options.size()) {
  std::vector<Rules> before;
  for (const Options& lane : options) {
    const Rules rules(lane);
    if (before.empty() || !(rules == before.back())) {
      world_.push_back(build(rules));
      before.assign(1, rules);
    } else {
      world_.push_back(world_.back());
    }
    same_ &= world_.back() == world_.front();
    fickle_.push_back(lane.fickle_passenger ? 1 : 0);
    any_fickle_ |= fickle_.back() != 0;
    fickle_probability_.push_back(lane.fickle_probability);
  }
}

void Taxi::reset(const pp::Rows<Taxi>& rows) {
  each_selected(rows, [&](uint32_t i) {
    const uint32_t lane = rows.first() + i;
    state_[lane] = world_[lane]->starts.pick(rows.rng(i).random());
    const bool fickle = fickle_[lane] != 0;
    will_change_[lane] = fickle && rows.rng(i).random() < fickle_probability_[lane] ? 1 : 0;
    last_action_[lane] = -1;
    heading_[lane] = 0;
    rows.obs()[i] = state_[lane];
    rows.info<key::prob>()[i] = 1.0;
    rows.terminated()[i] = 0;  // of an end that the step went beyond
    std::memcpy(rows.info<key::action_mask>() + actions * i,
                masks[static_cast<size_t>(state_[lane])].data(), actions);
  });
}

void Taxi::step(const pp::Rows<Taxi>& rows) {
  std::memset(rows.truncated(), 0, rows.size());
  if (!same_ || any_fickle_) return drive_apart(rows);
  const uint32_t first = rows.first();
  const uint32_t n = rows.size();
  const Lookup table = world_[0]->transitions.lookup();
  const int32_t* action = rows.action();
  const int32_t* state = &state_[first];
  uint64_t* draw = draw_.data();
  pp::Rng* rng = &rows.rng(0);
  // Where nothing is random the number is drawn as well.
  if (world_[0]->transitions.random()) {
    each_selected(rows, [=](uint32_t i) { draw[i] = draw_bits(rng[i]); });
  } else {
    each_selected(rows, [=](uint32_t i) { rng[i].next_uint64(); });
  }
  arrive(n, table,
         {action, draw, found_.data(), &state_[first], &last_action_[first], rows.obs(),
          rows.reward(), rows.info<key::prob>(), rows.terminated()});
  turn(n, action, &heading_[first]);
  int8_t* mask = rows.info<key::action_mask>();
  for (uint32_t i = 0; i < n; ++i) {
    std::memcpy(mask + actions * i, masks[static_cast<size_t>(state[i])].data(), actions);
  }
}

// Where lanes differ in their options, or passengers change their minds.
void Taxi::drive_apart(const pp::Rows<Taxi>& rows) {
  each_selected(rows, [&](uint32_t i) {
    const uint32_t lane = rows.first() + i;
    const int32_t action = rows.action()[i];
    pp::Rng& rng = rows.rng(i);
    const int32_t before = state_[lane];
    const Arrival arrival = world_[lane]->transitions.arrive(before, action, draw_bits(rng));
    int32_t state = arrival.state;
    if (will_change_[lane] != 0) {
      Fare fare = decode(state);
      const Fare was = decode(before);
      if (was.passenger == aboard && !(fare.taxi == was.taxi)) {
        will_change_[lane] = 0;
        const auto other = static_cast<int32_t>(rng.below(3));
        fare.destination = other + (other >= was.destination ? 1 : 0);
        state = encode(fare);
      }
    }
    state_[lane] = state;
    last_action_[lane] = static_cast<int8_t>(action);
    turn(1, &action, &heading_[lane]);
    rows.obs()[i] = state;
    rows.reward()[i] = arrival.reward;
    rows.terminated()[i] = arrival.terminated;
    rows.info<key::prob>()[i] = arrival.probability;
    std::memcpy(rows.info<key::action_mask>() + actions * i,
                masks[static_cast<size_t>(state)].data(), actions);
  });
}

void Taxi::save(uint32_t lane, pp::StateWriter& out) const {
  out(state_[lane], will_change_[lane], last_action_[lane], heading_[lane]);
}

void Taxi::load(uint32_t lane, pp::StateReader& in) {
  in.between(state_[lane], 0, static_cast<int32_t>(states) - 1, "state");
  in.between(will_change_[lane], 0, 1, "will_change");
  in.between(last_action_[lane], -1, static_cast<int8_t>(actions) - 1, "last_action");
  in.between(heading_[lane], 0, 3, "heading");
}

void Taxi::arrays(uint32_t lane, pp::ArrayList& list) {
  // Read-only: a state out of range would be out of the table.
  list.value("state", std::as_const(state_[lane]));
  list.value("last_action", std::as_const(last_action_[lane]));
  list.value("heading", std::as_const(heading_[lane]));
}

}  // namespace classic
