// Blackjack: Gymnasium's BlackjackEnv. For the same seed and actions every observation, reward and
// flag is equal to Gymnasium's. Cards come from an infinite deck; an ace counts as 11 as long as
// that does not bust.
//
// Twice, with the observation as Gymnasium has it (three integers) and as EnvPool has it (an array
// of three).
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_BLACKJACK_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_BLACKJACK_HPP_

#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

namespace key {
// Parts that are numbered make a tuple.
struct first {
  static constexpr const char* name = "0";
};
struct second {
  static constexpr const char* name = "1";
};
struct third {
  static constexpr const char* name = "2";
};
}  // namespace key

// A hand is known by what its cards sum to with aces as 1, whether there is an ace, and how many.
struct Hand {
  uint8_t sum = 0;
  uint8_t ace = 0;
  uint8_t cards = 0;

  void add(uint8_t card) {
    sum = static_cast<uint8_t>(sum + card);
    ace |= card == 1 ? 1 : 0;
    ++cards;
  }
  bool usable_ace() const { return ace != 0 && sum + 10 <= 21; }
  int total() const { return usable_ace() ? sum + 10 : sum; }
  bool bust() const { return total() > 21; }
  int score() const { return bust() ? 0 : total(); }
  bool natural() const { return cards == 2 && ace != 0 && sum == 11; }
};

class BlackjackTable {
 public:
  explicit BlackjackTable(const pp::LaneOptions& options);

  static constexpr pp_option options[] = {
      pp::option("natural", false, "Whether a natural wins 1.5 (without sab)"),
      pp::option("sab", true, "Sutton and Barto's rules: a natural wins unless the dealer has one"),
  };

  void deal(uint32_t lane, pp::Rng& rng);
  struct Result {
    double reward;
    bool terminated;
  };
  Result play(uint32_t lane, int32_t action, pp::Rng& rng);

  int32_t player(uint32_t lane) const { return player_[lane].total(); }
  int32_t showing(uint32_t lane) const { return showing_[lane]; }
  int32_t usable_ace(uint32_t lane) const { return player_[lane].usable_ace() ? 1 : 0; }

  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);

 private:
  std::vector<uint8_t> natural_;  // by lane
  std::vector<uint8_t> sab_;
  std::vector<Hand> player_;
  std::vector<Hand> dealer_;
  std::vector<uint8_t> showing_;  // the dealer's first card
  std::vector<uint8_t> suit_;     // of it, 0 .. 3: clubs, diamonds, hearts, spades; for pictures
  std::vector<uint8_t> face_;     // of a 10, 0 .. 2: jack, queen, king
};

// What both have in common; Env is the one derived from it.
template <class Env>
class BlackjackBase {
 public:
  static constexpr const char* summary = "Take cards, not above 21";
  // 0 stick, 1 hit.
  using Action = pp::Discrete<2>;
  static constexpr auto& options = BlackjackTable::options;

  explicit BlackjackBase(const pp::LaneOptions& lanes) : table_(lanes) {}
  template <class Rows>
  void reset(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      table_.deal(rows.first() + i, rows.rng(i));
      Env::observe(rows, i, table_);
    }
  }
  template <class Rows>
  void step(const Rows& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      // A draw for a lane that is reset next would be one too many.
      if (!rows.selected(i)) continue;
      const BlackjackTable::Result result =
          table_.play(rows.first() + i, rows.action()[i], rows.rng(i));
      rows.reward()[i] = result.reward;
      rows.terminated()[i] = result.terminated ? 1 : 0;
      rows.truncated()[i] = 0;
      Env::observe(rows, i, table_);
    }
  }
  void save(uint32_t lane, pp::StateWriter& out) const { table_.save(lane, out); }
  void load(uint32_t lane, pp::StateReader& in) { table_.load(lane, in); }
  void arrays(uint32_t lane, pp::ArrayList& list) { table_.arrays(lane, list); }

 private:
  BlackjackTable table_;
};

class Blackjack : public BlackjackBase<Blackjack> {
 public:
  static constexpr const char* id = "classic/Blackjack-v1";
  // The player's sum, the dealer's card, whether the player has a usable ace.
  using Obs = pp::Dict<pp::At<key::first, pp::Discrete<32, int64_t>>,
                       pp::At<key::second, pp::Discrete<11, int64_t>>,
                       pp::At<key::third, pp::Discrete<2, int64_t>>>;
  using BlackjackBase::BlackjackBase;
  static void observe(const pp::Rows<Blackjack>& rows, uint32_t row, const BlackjackTable& table) {
    const uint32_t lane = rows.first() + row;
    rows.obs<key::first>()[row] = table.player(lane);
    rows.obs<key::second>()[row] = table.showing(lane);
    rows.obs<key::third>()[row] = table.usable_ace(lane);
  }
};

class BlackjackBox : public BlackjackBase<BlackjackBox> {
 public:
  static constexpr const char* id = "classic/BlackjackBox-v1";
  using Obs = pp::Box<int32_t, 3>;
  using BlackjackBase::BlackjackBase;
  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().bounds(0, 31); }
  static void observe(const pp::Rows<BlackjackBox>& rows, uint32_t row,
                      const BlackjackTable& table) {
    const uint32_t lane = rows.first() + row;
    int32_t* obs = rows.obs() + 3 * row;
    obs[0] = table.player(lane);
    obs[1] = table.showing(lane);
    obs[2] = table.usable_ace(lane);
  }
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_BLACKJACK_HPP_
