// The outcomes of Taxi's actions: the map, the three ways of moving and the passengers, as a table
// of its 500 states (taxi.hpp says where the rules are from).
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_RULES_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_RULES_HPP_

#include "toy_text/taxi.hpp"

namespace classic::taxi_rules {

constexpr int32_t aboard = 4;  // the passenger is in the taxi

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

// Options that change the table.
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
std::shared_ptr<const World> build(const Rules& rules);

// The actions that change something, by state.
using Mask = std::array<int8_t, Taxi::actions>;
std::array<Mask, Taxi::states> build_masks();

}  // namespace classic::taxi_rules

#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_RULES_HPP_
