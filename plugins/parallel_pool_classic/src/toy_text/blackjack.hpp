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
#include "selected.hpp"

namespace classic {

namespace key {
// Parts that are numbered make a tuple.
}  // namespace key

// A hand is known by what its cards sum to with aces as 1, whether there is an ace, and how many.
struct Hand {
  uint8_t sum = 0;
  uint8_t ace = 0;
  uint8_t cards = 0;

  static Hand of(uint8_t first, uint8_t second) {
    const bool has_ace = (first == 1) | (second == 1);
    return {static_cast<uint8_t>(first + second), static_cast<uint8_t>(has_ace ? 1 : 0), 2};
  }
  void add(uint8_t card) {
    sum = static_cast<uint8_t>(sum + card);
    ace |= card == 1 ? 1 : 0;
    ++cards;
  }
  // Sums, not choices: of those the compiler may make branches, which no processor predicts.
  bool usable_ace() const { return (ace != 0) & (sum <= 11); }
  int total() const { return sum + 10 * static_cast<int>(usable_ace()); }
  bool bust() const { return total() > 21; }
  int score() const { return total() * static_cast<int>(!bust()); }
  bool natural() const { return (cards == 2) & (ace != 0) & (sum == 11); }
};

class BlackjackTable {
 public:
  struct Options {
    bool natural;
    bool sab;
    static constexpr auto declared = pp::options(
        pp::option(&Options::natural, "natural", false,
                   "a natural (ace and ten) wins 1.5 instead of 1; ignored if sab is set"),
        pp::option(&Options::sab, "sab", true,
                   "Sutton and Barto's rules: a natural wins unless the dealer has one too"));
  };
  explicit BlackjackTable(const std::vector<Options>& options);

  // These take lanes by their numbers, at most `block` of them. `rngs`: those of all lanes.
  static constexpr uint32_t block = 256;
  void deal(uint32_t n, const uint32_t* lanes, pp::Rng* rngs);
  void hit(uint32_t n, const uint32_t* lanes, pp::Rng* rngs);
  void stick(uint32_t n, const uint32_t* lanes, pp::Rng* rngs);

  // Returns the reward of the last hit or stick.
  double reward(uint32_t lane) const { return reward_[lane]; }
  uint8_t terminated(uint32_t lane) const { return terminated_[lane]; }
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
  std::vector<uint8_t> suit_;     // its suit, 0 .. 3: clubs, diamonds, hearts, spades; for pictures
  std::vector<uint8_t> face_;     // the face of a 10, 0 .. 2: jack, queen, king
  std::vector<double> reward_;    // scratch of a step
  std::vector<uint8_t> terminated_;
};

// The part that both share; Env is the class that is derived from it.
template <class Env>
class BlackjackBase {
 public:
  static constexpr const char* summary = "Take cards, not above 21";
  // 0 stick, 1 hit.
  using Action = pp::Discrete<2>;
  using Options = BlackjackTable::Options;

  explicit BlackjackBase(const std::vector<Options>& options) : table_(options) {}
  template <class Rows>
  void reset(const Rows& rows) {
    uint32_t lanes[BlackjackTable::block];
    uint32_t n = 0;
    pp::Rng* rngs = &rows.rng(0) - rows.first();
    each_selected(rows, [&](uint32_t i) {
      lanes[n++] = rows.first() + i;
      if (n < BlackjackTable::block) return;
      table_.deal(n, lanes, rngs);
      n = 0;
    });
    table_.deal(n, lanes, rngs);
    each_selected(rows, [&](uint32_t i) {
      rows.terminated()[i] = 0;  // belongs to the hand before, and step() wrote it again
      Env::observe(rows, i, table_);
    });
  }
  // Hits and sticks come as good as at random: they are told apart first, without a branch.
  template <class Rows>
  void step(const Rows& rows) {
    uint32_t hits[BlackjackTable::block];
    uint32_t sticks[BlackjackTable::block];
    uint32_t n_hits = 0;
    uint32_t n_sticks = 0;
    uint32_t n = 0;
    const uint32_t first = rows.first();
    const int32_t* action = rows.action();
    pp::Rng* rngs = &rows.rng(0) - first;
    const auto play = [&] {
      table_.hit(n_hits, hits, rngs);
      table_.stick(n_sticks, sticks, rngs);
      n_hits = n_sticks = n = 0;
    };
    each_selected(rows, [&](uint32_t i) {
      const uint32_t hit = action[i] != 0 ? 1 : 0;
      hits[n_hits] = sticks[n_sticks] = first + i;
      n_hits += hit;
      n_sticks += 1 - hit;
      if (++n == BlackjackTable::block) play();
    });
    play();
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.reward()[i] = table_.reward(first + i);
      rows.terminated()[i] = table_.terminated(first + i);
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
  using Obs =
      pp::Dict<pp::At<"0", pp::Discrete<32, int64_t>>, pp::At<"1", pp::Discrete<11, int64_t>>,
               pp::At<"2", pp::Discrete<2, int64_t>>>;
  using BlackjackBase::BlackjackBase;
  static void observe(const pp::Rows<Blackjack>& rows, uint32_t row, const BlackjackTable& table) {
    const uint32_t lane = rows.first() + row;
    rows.obs<"0">()[row] = table.player(lane);
    rows.obs<"1">()[row] = table.showing(lane);
    rows.obs<"2">()[row] = table.usable_ace(lane);
  }
};

class BlackjackBox : public BlackjackBase<BlackjackBox> {
 public:
  static constexpr const char* id = "classic/BlackjackBox-v1";
  using Obs = pp::Box<int32_t, 3>;
  using BlackjackBase::BlackjackBase;
  static void describe(pp::Spec& spec, const Options&) { spec.obs().bounds(0, 31); }
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
