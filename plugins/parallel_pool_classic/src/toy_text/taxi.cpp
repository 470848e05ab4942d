// Taxi as Gymnasium has it (taxi.hpp says what that is).
#include "toy_text/taxi.hpp"

#include "numeric/clones.hpp"
#include "toy_text/taxi_rules.hpp"

namespace classic {
namespace {

using namespace taxi_rules;  // NOLINT: the rest of this file

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
    rows.info<"prob">()[i] = 1.0;
    rows.terminated()[i] = 0;  // belongs to an end that the step went beyond
    std::memcpy(rows.info<"action_mask">() + actions * i,
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
  // The number is drawn even if nothing is random.
  if (world_[0]->transitions.random()) {
    each_selected(rows, [=](uint32_t i) { draw[i] = draw_bits(rng[i]); });
  } else {
    each_selected(rows, [=](uint32_t i) { rng[i].next_uint64(); });
  }
  arrive(n, table,
         {action, draw, found_.data(), &state_[first], &last_action_[first], rows.obs(),
          rows.reward(), rows.info<"prob">(), rows.terminated()});
  turn(n, action, &heading_[first]);
  int8_t* mask = rows.info<"action_mask">();
  for (uint32_t i = 0; i < n; ++i) {
    std::memcpy(mask + actions * i, masks[static_cast<size_t>(state[i])].data(), actions);
  }
}

// Steps lanes that differ in their options, or whose passengers change their minds.
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
    rows.info<"prob">()[i] = arrival.probability;
    std::memcpy(rows.info<"action_mask">() + actions * i, masks[static_cast<size_t>(state)].data(),
                actions);
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
