#include "toy_text/n_chain.hpp"

#include <cstring>
#include <utility>

#include "numeric/clones.hpp"
#include "selected.hpp"
#include "toy_text/chance.hpp"

namespace classic {
namespace {

// The part of a step that vectorises.
PP_CLASSIC_CLONES
void advance(uint32_t n, const uint8_t* __restrict back, const int64_t* __restrict last,
             const double* __restrict small, const double* __restrict large,
             int64_t* __restrict state, int64_t* __restrict obs, double* __restrict reward) {
  for (uint32_t i = 0; i < n; ++i) {
    const bool at_end = state[i] >= last[i];
    const int64_t onwards = state[i] + (at_end ? 0 : 1);
    const double gained = at_end ? large[i] : 0.0;
    state[i] = back[i] != 0 ? 0 : onwards;
    obs[i] = state[i];
    reward[i] = back[i] != 0 ? small[i] : gained;
  }
}

}  // namespace

void NChain::describe(pp::Spec& spec, const Options& options) {
  spec.obs().discrete(options.n);
}

NChain::NChain(const std::vector<Options>& options)
    : state_(options.size()), back_(options.size()) {
  for (const Options& lane : options) {
    last_.push_back(lane.n - 1);
    slip_.push_back(bits_below(lane.slip));
    small_.push_back(lane.small);
    large_.push_back(lane.large);
  }
}

void NChain::reset(const pp::Rows<NChain>& rows) {
  each_selected(rows, [&](uint32_t i) {
    state_[rows.first() + i] = 0;
    rows.obs()[i] = 0;
  });
}

void NChain::step(const pp::Rows<NChain>& rows) {
  std::memset(rows.truncated(), 0, rows.size());
  std::memset(rows.terminated(), 0, rows.size());
  const uint32_t first = rows.first();
  const int32_t* action = rows.action();
  const uint64_t* slip = &slip_[first];
  uint8_t* back = &back_[first];
  pp::Rng* rng = &rows.rng(0);
  each_selected(rows, [=](uint32_t i) {
    const uint32_t slips = is_below(draw_bits(rng[i]), slip[i]);
    back[i] = static_cast<uint8_t>((action[i] != 0 ? 1u : 0u) ^ slips);
  });
  advance(rows.size(), back, &last_[first], &small_[first], &large_[first], &state_[first],
          rows.obs(), rows.reward());
}

void NChain::save(uint32_t lane, pp::StateWriter& out) const {
  out(state_[lane]);
}

void NChain::load(uint32_t lane, pp::StateReader& in) {
  in.between(state_[lane], 0, last_[lane], "state");
}

void NChain::arrays(uint32_t lane, pp::ArrayList& list) {
  list.value("state", std::as_const(state_[lane]));
}

}  // namespace classic
