#include "toy_text/blackjack.hpp"

#include <algorithm>
#include <utility>

#include "toy_text/chance.hpp"

namespace classic {
namespace {

// There are 13 cards, of which the last three are worth ten too.
constexpr uint32_t cards = 13;
uint8_t worth(uint32_t card) {
  return static_cast<uint8_t>(std::min(card + 1, 10u));
}

// Lemire's method, as Rng::below(13): the upper half of a product with 32 random bits, unless the
// lower half is one of the few that would make some cards more probable.
struct Draw {
  uint64_t product;
  explicit Draw(uint32_t half) : product(uint64_t{half} * cards) {}
  bool rejected() const {
    constexpr uint32_t threshold = (UINT32_MAX - (cards - 1)) % cards;
    return static_cast<uint32_t>(product) < threshold;
  }
  uint8_t card() const { return worth(static_cast<uint32_t>(product >> 32)); }
};

uint8_t draw_card(pp::Rng& rng) {
  Draw draw(next_half(rng));
  while (draw.rejected()) draw = Draw(next_half(rng));
  return draw.card();
}

}  // namespace

BlackjackTable::BlackjackTable(const std::vector<Options>& options)
    : player_(options.size()),
      dealer_(options.size()),
      showing_(options.size()),
      suit_(options.size()),
      face_(options.size()),
      reward_(options.size()),
      terminated_(options.size()) {
  for (const Options& lane : options) {
    natural_.push_back(lane.natural ? 1 : 0);
    sab_.push_back(lane.sab ? 1 : 0);
  }
}

// Draws in Gymnasium's order: the dealer's two cards, the player's two, and the looks of the first
// one, even if nobody sees them.
void BlackjackTable::deal(uint32_t n, const uint32_t* lanes, pp::Rng* rngs) {
  uint32_t faces[block];
  uint32_t n_faces = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t lane = lanes[i];
    pp::Rng& rng = rngs[lane];
    const pp::Rng before = rng;
    // Five halves of three words, or of two and the half that was held back.
    const RngFields fields = RngFields::of(rng);
    const bool has = fields.has_held != 0;
    const uint64_t word_0 = rng.next_uint64();
    const uint64_t word_1 = rng.next_uint64();
    const RngFields after_two = RngFields::of(rng);
    const uint64_t word_2 = rng.next_uint64();
    const RngFields after_three = RngFields::of(rng);
    const auto half = [has](uint64_t held, uint64_t fresh) {
      return static_cast<uint32_t>(either(has, held, fresh));
    };
    Draw draws[] = {Draw(half(fields.held, word_0)), Draw(half(word_0, word_0 >> 32)),
                    Draw(half(word_0 >> 32, word_1)), Draw(half(word_1, word_1 >> 32))};
    uint32_t suit = half(word_1 >> 32, word_2) >> 30;
    const RngFields next{{either(has, after_two.state[0], after_three.state[0]),
                          either(has, after_two.state[1], after_three.state[1])},
                         {fields.increment[0], fields.increment[1]},
                         half(word_1 >> 32, word_2 >> 32),
                         fields.has_held ^ 1};
    next.give(rng);
    uint8_t card[] = {draws[0].card(), draws[1].card(), draws[2].card(), draws[3].card()};
    bool rejected = false;
    for (const Draw& draw : draws) rejected |= draw.rejected();
    if (rejected) {
      rng = before;
      for (uint8_t& each : card) each = draw_card(rng);
      suit = rng.below(4);
    }
    showing_[lane] = card[0];
    dealer_[lane] = Hand::of(card[0], card[1]);
    player_[lane] = Hand::of(card[2], card[3]);
    suit_[lane] = static_cast<uint8_t>(suit);
    faces[n_faces] = lane;
    n_faces += card[0] == 10 ? 1u : 0u;
  }
  for (uint32_t i = 0; i < n_faces; ++i) {
    face_[faces[i]] = static_cast<uint8_t>(rngs[faces[i]].below(3));
  }
}

void BlackjackTable::hit(uint32_t n, const uint32_t* lanes, pp::Rng* rngs) {
  for (uint32_t i = 0; i < n; ++i) {
    Hand& player = player_[lanes[i]];
    player.add(draw_card(rngs[lanes[i]]));
    const int32_t bust = player.bust() ? 1 : 0;
    // The integer is negated: the double of no bust would be -0.0.
    reward_[lanes[i]] = static_cast<double>(-bust);
    terminated_[lanes[i]] = static_cast<uint8_t>(bust);
  }
}

void BlackjackTable::stick(uint32_t n, const uint32_t* lanes, pp::Rng* rngs) {
  // Dealers that draw, fewer each time.
  uint32_t drawing[block];
  uint32_t n_drawing = 0;
  const auto keep = [&](uint32_t lane) {
    drawing[n_drawing] = lane;
    n_drawing += dealer_[lane].total() < 17 ? 1u : 0u;
  };
  for (uint32_t i = 0; i < n; ++i) keep(lanes[i]);
  while (n_drawing > 0) {
    const uint32_t before = n_drawing;
    n_drawing = 0;
    for (uint32_t i = 0; i < before; ++i) {
      const uint32_t lane = drawing[i];
      dealer_[lane].add(draw_card(rngs[lane]));
      keep(lane);
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t lane = lanes[i];
    const Hand& player = player_[lane];
    const Hand& dealer = dealer_[lane];
    const int ahead = player.score() - dealer.score();
    const int won = (ahead > 0 ? 1 : 0) - (ahead < 0 ? 1 : 0);
    const bool natural = player.natural();
    const bool dealers = dealer.natural();
    const bool sab = sab_[lane] != 0;
    const bool pays = natural_[lane] != 0;
    const bool beaten_by_natural = sab & natural & !dealers;
    const bool pays_more = !sab & pays & natural & (won == 1);
    // In halves, so that they are integers to choose of.
    const int halves = beaten_by_natural ? 2 : pays_more ? 3 : 2 * won;
    reward_[lane] = 0.5 * halves;
    terminated_[lane] = 1;
  }
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
  for (Hand* hand : {&player, &dealer}) {
    in.between(hand->sum, 0, 31, "sum");  // at most 21, and a ten
    in.between(hand->ace, 0, 1, "ace");
    in.between(hand->cards, 0, 31, "cards");
  }
  in.between(showing_[lane], 0, 10, "the dealer's card");
  in.between(suit_[lane], 0, 3, "its suit");
  in.between(face_[lane], 0, 2, "its face");
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
