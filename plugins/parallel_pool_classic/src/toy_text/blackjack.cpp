#include "toy_text/blackjack.hpp"

#include <utility>

namespace classic {
namespace {

// Of 13 cards the last three are worth ten too.
uint8_t draw_card(pp::Rng& rng) {
  const uint32_t card = rng.below(13);
  return static_cast<uint8_t>(card < 9 ? card + 1 : 10);
}

}  // namespace

BlackjackTable::BlackjackTable(const pp::LaneOptions& options)
    : player_(options.size()),
      dealer_(options.size()),
      showing_(options.size()),
      suit_(options.size()),
      face_(options.size()) {
  for (uint32_t lane = 0; lane < options.size(); ++lane) {
    natural_.push_back(options[lane].flag("natural") ? 1 : 0);
    sab_.push_back(options[lane].flag("sab") ? 1 : 0);
  }
}

void BlackjackTable::deal(uint32_t lane, pp::Rng& rng) {
  dealer_[lane] = player_[lane] = Hand{};
  showing_[lane] = draw_card(rng);
  dealer_[lane].add(showing_[lane]);
  dealer_[lane].add(draw_card(rng));
  player_[lane].add(draw_card(rng));
  player_[lane].add(draw_card(rng));
  // Gymnasium draws what the card looks like whether anyone looks or not.
  suit_[lane] = static_cast<uint8_t>(rng.below(4));
  if (showing_[lane] == 10) face_[lane] = static_cast<uint8_t>(rng.below(3));
}

BlackjackTable::Result BlackjackTable::play(uint32_t lane, int32_t action, pp::Rng& rng) {
  Hand& player = player_[lane];
  if (action != 0) {
    player.add(draw_card(rng));
    const bool bust = player.bust();
    return {bust ? -1.0 : 0.0, bust};
  }
  Hand& dealer = dealer_[lane];
  while (dealer.total() < 17) dealer.add(draw_card(rng));
  const int ahead = player.score() - dealer.score();
  double reward = ahead > 0 ? 1.0 : ahead < 0 ? -1.0 : 0.0;
  if (sab_[lane] != 0 && player.natural() && !dealer.natural()) {
    reward = 1.0;
  } else if (sab_[lane] == 0 && natural_[lane] != 0 && player.natural() && reward == 1.0) {
    reward = 1.5;
  }
  return {reward, true};
}

void BlackjackTable::save(uint32_t lane, pp::StateWriter& out) const {
  const Hand& player = player_[lane];
  const Hand& dealer = dealer_[lane];
  out(player.sum, player.ace, player.cards, dealer.sum, dealer.ace, dealer.cards, showing_[lane],
      suit_[lane], face_[lane]);
}

void BlackjackTable::load(uint32_t lane, pp::StateReader& in) {
  Hand& player = player_[lane];
  Hand& dealer = dealer_[lane];
  in(player.sum, player.ace, player.cards, dealer.sum, dealer.ace, dealer.cards, showing_[lane],
     suit_[lane], face_[lane]);
}

void BlackjackTable::arrays(uint32_t lane, pp::ArrayList& list) {
  Hand& player = player_[lane];
  Hand& dealer = dealer_[lane];
  // Sum with aces as 1, whether there is an ace, number of cards.
  list.values("player", player.sum, player.ace, player.cards);
  list.values("dealer", dealer.sum, dealer.ace, dealer.cards);
  // The dealer's card as it lies there: value, suit, which of the three faces.
  list.values("card", showing_[lane], suit_[lane], face_[lane]);
}

}  // namespace classic
