// Taxi: T. Dietterich's (2000), with Gymnasium's additions. For the same seed and actions every
// observation, reward, flag, `prob` and `action_mask` is equal to Gymnasium's TaxiEnv.
//
// Version 4 is that of Gymnasium 1.3 and later. Version 3, which Gymnasium no longer has, differs
// in the rain only: its wind blows one past walls and into them in odd ways (Gymnasium 1.2.3,
// _build_rainy_transitions). It is kept for comparisons with older results.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_HPP_

#include "toy_text/grid_walk.hpp"

namespace classic {

namespace key {}

class Taxi {
 public:
  static constexpr const char* id = "classic/Taxi-v4";
  static constexpr const char* summary = "Pick a passenger up and bring them to their destination";
  static constexpr int64_t max_episode_steps = 200;
  static constexpr double reward_threshold = 8.0;

  static constexpr uint32_t states = 500;
  static constexpr uint32_t actions = 6;
  // ((row * 5 + column) * 5 + where the passenger is) * 4 + destination.
  using Obs = pp::Discrete<states, int64_t>;
  // 0 south, 1 north, 2 east, 3 west, 4 pick up, 5 drop off.
  using Action = pp::Discrete<actions>;
  // The probability of the transition that happened; which actions would change the state.
  using Info = pp::Dict<pp::At<"prob", double>, pp::At<"action_mask", pp::MultiBinary<actions>>>;

  struct Options {
    bool is_rainy;
    bool fickle_passenger;
    double rainy_probability;
    double fickle_probability;
    int64_t version;
    static constexpr auto declared = pp::options(
        pp::option(&Options::is_rainy, "is_rainy", false, "rain: moves may slip to either side"),
        pp::option(&Options::fickle_passenger, "fickle_passenger", false,
                   "passengers may change their destination after the first move"),
        pp::option(&Options::rainy_probability, "rainy_probability", 0.8,
                   "probability of moving in the chosen direction in the rain", pp::Range{0, 1}),
        pp::option(&Options::fickle_probability, "fickle_probability", 0.3,
                   "probability that a passenger changes the destination", pp::Range{0, 1}),
        pp::option(&Options::version, "version", 4, "rules of the rain: 3 of Taxi-v3, 4 of Taxi-v4",
                   pp::Range{3, 4}));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit Taxi(const std::vector<Options>& options);
  void reset(const pp::Rows<Taxi>& rows);
  void step(const pp::Rows<Taxi>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);

 private:
  void drive_apart(const pp::Rows<Taxi>& rows);

  std::vector<std::shared_ptr<const World>> world_;  // by lane
  bool same_ = true;                                 // all of them are one
  bool any_fickle_ = false;
  std::vector<uint8_t> fickle_;             // by lane
  std::vector<double> fickle_probability_;  // by lane
  std::vector<int32_t> state_;
  std::vector<uint64_t> draw_;        // scratch of a step
  std::vector<uint32_t> found_;       // scratch of the same size
  std::vector<uint8_t> will_change_;  // the passenger, at the first move after the pick-up
  std::vector<int8_t> last_action_;   // -1 before the first; for pictures
  std::vector<int8_t> heading_;       // the last of the four moves, or 0
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_TAXI_HPP_
