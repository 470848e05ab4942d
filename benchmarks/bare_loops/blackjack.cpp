#include "loop.hpp"

struct Blackjack {
  using Obs = int32_t;
  static constexpr uint32_t width = 3, actions = 2, limit = 0;
  struct Hand {
    int32_t sum = 0;
    bool ace = false;
    void add(int32_t card) {
      sum += card;
      ace |= card == 1;
    }
    int32_t total() const { return ace && sum <= 11 ? sum + 10 : sum; }
  };
  std::vector<Hand> player, dealer;
  std::vector<int32_t> showing;

  static int32_t card(pp::Rng& random) {
    return std::min<int32_t>(static_cast<int32_t>(random.below(13)) + 1, 10);
  }
  void resize(uint32_t n) {
    player.resize(n);
    dealer.resize(n);
    showing.resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    player[i] = dealer[i] = Hand{};
    showing[i] = card(random);
    dealer[i].add(showing[i]);
    dealer[i].add(card(random));
    player[i].add(card(random));
    player[i].add(card(random));
    random.below(4);
    if (showing[i] == 10) random.below(3);
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, int32_t* obs,
            pp::Rng* rng) {
    for (uint32_t i = 0; i < n; ++i) {
      if (action[i] != 0) {
        player[i].add(card(rng[i]));
        terminated[i] = player[i].total() > 21;
        reward[i] = terminated[i] ? -1.0 : 0.0;
      } else {
        while (dealer[i].total() < 17) dealer[i].add(card(rng[i]));
        const int32_t theirs = dealer[i].total() > 21 ? 0 : dealer[i].total();
        const int32_t ours = player[i].total() > 21 ? 0 : player[i].total();
        terminated[i] = 1;
        reward[i] = (ours > theirs) - (ours < theirs);
      }
      obs[3 * i] = player[i].total();
      obs[3 * i + 1] = showing[i];
      obs[3 * i + 2] = player[i].ace && player[i].sum <= 11;
    }
  }
};

BARE_LOOP(Blackjack)
