// parallel_pool/sdk/players.hpp: environments with several players.
//
//   struct Duel {
//     static constexpr const char* id = "duel/Duel-v0";
//     static constexpr uint32_t max_players = 2;               // describe() may change it
//     using Obs = pp::PerPlayer<pp::Box<float, 6>>;            // obs[player][i]
//     using Action = pp::PerPlayer<pp::Discrete<3>>;           // action[player]
//     void reset(pp::Rng& rng, Obs::Ref obs);
//     pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Duel> players);
//   };
//
// pp::PerPlayer goes around a whole space or a member of a pp::Dict: what is not wrapped is there
// once for all players. pp::Players is the last argument of step(), and of reset() where it is
// wanted. obs.data() and action.data() are the rows of all players in one piece, as a simulator
// that computes them together writes them. Two optional members say what else differs between
// players:
//
//   static constexpr bool players_end_alone = true;   // players.terminate(k), players.truncate(k)
//   static constexpr bool players_vary = true;        // players.leave(k), players.join(k)
//
// A player keeps its number. All are present after a reset. A player that was terminated or
// truncated is shown once more, with the observation of that step, and is absent from the next one
// on, unless it plays on (pp::plays_on). The host ends the episode when all players present have
// ended, and writes zeros for the absent: their actions are zeros too, and what is written for them
// is not read.
#ifndef PARALLEL_POOL_SDK_PLAYERS_HPP_
#define PARALLEL_POOL_SDK_PLAYERS_HPP_

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "parallel_pool/sdk/space.hpp"

namespace pp {

// The outcome of a step of a multi-player environment, for all players at once; `error` is that of
// Outcome.
struct Ending {
  bool terminated = false;
  bool truncated = false;
  const char* error = nullptr;
};

// After the end of a player's part of the episode it is out, or begins its next part in the same
// step, whose observation is then the first of that part.
enum class AfterEnd : uint8_t { out = 1, plays_on = PP_PLAYS_ON };
inline constexpr AfterEnd plays_on = AfterEnd::plays_on;

namespace detail {
template <class Space>
struct HasPlayers : std::false_type {};
}  // namespace detail

// A space of each player.
template <class Space>
struct PerPlayer {
  static_assert(!detail::HasPlayers<Space>::value,
                "pp::PerPlayer inside of pp::PerPlayer: a player has no players of its own");
  static_assert(!detail::HasText<Space>::value,
                "pp::Text is there once for all players: for a text of each player write "
                "pp::PerPlayer<pp::Box<uint8_t, n>>, which users see as bytes");
  static constexpr size_t n_field = Space::n_field;

  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    const size_t first = spec.fields.size(), place = spec.places.size();
    Space::describe(spec, role, name);
    for (size_t f = first; f < spec.fields.size(); ++f) spec.fields[f].flags |= PP_FIELD_PER_PLAYER;
    if (spec.places.size() > place) spec.places[place].flags |= PP_FIELD_PER_PLAYER;
  }

  class Ref : detail::Place {
   public:
    using Place::Place;
    size_t size() const { return row_.described->players; }
    typename Space::Ref operator[](size_t player) const {
      return Space::ref(row_.of_player(player), field_);
    }
    // The players' rows, one behind the other in the order of players: size() times the elements
    // of one. For a space that is one array.
    template <class S = Space>
    typename S::Element* data() const {
      return S::ref(row_.of_player(0), field_).data();
    }
  };
  class Value : detail::Place {
   public:
    using Place::Place;
    size_t size() const { return row_.described->players; }
    typename Space::Value operator[](size_t player) const {
      return Space::read(row_.of_player(player), field_);
    }
    // Returns what Ref does.
    template <class S = Space>
    const typename S::Element* data() const {
      return static_cast<const typename S::Element*>(row_.of_player(0).input(field_));
    }
  };
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const detail::Row& row, size_t field) { return Value(row, field); }
};

namespace detail {

template <class E>
struct Layout;

template <class Space>
struct HasPlayers<PerPlayer<Space>> : std::true_type {};
template <class... Members>
struct HasPlayers<Dict<Members...>> : std::disjunction<HasPlayers<typename Members::Space>...> {};
template <class Space>
struct CountFields<PerPlayer<Space>> : CountFields<Space> {};

// The results that one environment gives through pp::Players, until they are written to the row.
struct PlayerNotes {
  std::vector<double> reward;
  std::vector<double> discount;
  std::vector<uint8_t> present;
  std::vector<uint8_t> terminated;
  std::vector<uint8_t> truncated;

  void resize(size_t capacity) {
    for (auto* each : {&reward, &discount}) each->assign(capacity, 0.0);
    for (auto* each : {&present, &terminated, &truncated}) each->assign(capacity, 0);
  }
  void begin(bool reset) {
    const auto out = [](uint8_t flag) { return flag != 0 && flag != PP_PLAYS_ON; };
    for (size_t k = 0; k < present.size(); ++k) {
      if (out(terminated[k]) || out(truncated[k])) present[k] = 0;
      if (reset) present[k] = 1;
    }
    std::fill(reward.begin(), reward.end(), 0.0);
    std::fill(discount.begin(), discount.end(), 1.0);
    std::fill(terminated.begin(), terminated.end(), uint8_t{0});
    std::fill(truncated.begin(), truncated.end(), uint8_t{0});
  }
  template <class Writer>
  void save(Writer& out) const {
    out(present, terminated, truncated);
  }
  template <class Reader>
  void load(Reader& in) {
    // Reads into others first: a state that is refused, or too short, leaves the lane as it is.
    std::vector<uint8_t> read[3];
    in(read[0], read[1], read[2]);
    for (std::vector<uint8_t>& each : read) {
      if (each.size() != present.size()) {
        throw std::invalid_argument("the state is of another number of players");
      }
      for (uint8_t& flag : each) flag = std::min(flag, uint8_t{PP_PLAYS_ON});
    }
    present = std::move(read[0]);
    terminated = std::move(read[1]);
    truncated = std::move(read[2]);
  }
};

}  // namespace detail

// The players of an environment during one reset() or step(). Numbers are 0 .. size() - 1 and are
// not checked.
template <class E>
class Players {
 public:
  size_t size() const { return notes_.present.size(); }
  // Returns true if this player is there, and in step() if it acts.
  bool present(size_t player) const { return notes_.present[player] != 0; }
  // 0 at the beginning of every step.
  double& reward(size_t player) const { return notes_.reward[player]; }
  // 1 at the beginning of every step. Without has_discount the host takes 1 - terminated.
  double& discount(size_t player) const {
    static_assert(detail::Layout<E>::has_discount,
                  "declare `static constexpr bool has_discount = true`");
    return notes_.discount[player];
  }
  // This player's part of the episode ends here, the others go on; with pp::plays_on it does too.
  void terminate(size_t player, AfterEnd then = AfterEnd::out) const {
    static_assert(detail::Layout<E>::players_end_alone,
                  "players.terminate() needs `static constexpr bool players_end_alone = true`; to "
                  "end the episode for everybody return pp::Ending{true}");
    notes_.terminated[player] = static_cast<uint8_t>(then);
  }
  void truncate(size_t player, AfterEnd then = AfterEnd::out) const {
    static_assert(detail::Layout<E>::players_end_alone,
                  "players.truncate() needs `static constexpr bool players_end_alone = true`; to "
                  "end the episode for everybody return pp::Ending{false, true}");
    notes_.truncated[player] = static_cast<uint8_t>(then);
  }
  // The player comes, with this observation, and acts in the next step.
  void join(size_t player) const {
    static_assert(detail::Layout<E>::players_vary,
                  "players.join() needs `static constexpr bool players_vary = true`");
    notes_.present[player] = 1;
  }
  // The player is gone without an end of its own, and not in this observation any more.
  void leave(size_t player) const {
    static_assert(detail::Layout<E>::players_vary,
                  "players.leave() needs `static constexpr bool players_vary = true`");
    notes_.present[player] = 0;
  }

  // Only the SDK makes it.
  explicit Players(detail::PlayerNotes& notes) : notes_(notes) {}

 private:
  detail::PlayerNotes& notes_;
};

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_PLAYERS_HPP_
