#include "toy_text/n_chain.hpp"

#include <cstring>
#include <utility>

#include "toy_text/selected.hpp"

namespace classic {

void NChain::describe(pp::Spec& spec, const pp::Options& options) {
  spec.obs().discrete(options.integer("n"));
}

NChain::NChain(const pp::LaneOptions& options) : state_(options.size()) {
  for (uint32_t lane = 0; lane < options.size(); ++lane) {
    last_.push_back(options[lane].integer("n") - 1);
    slip_.push_back(options[lane].real("slip"));
    small_.push_back(options[lane].real("small"));
    large_.push_back(options[lane].real("large"));
  }
}

void NChain::reset(const pp::Rows<NChain>& rows) {
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    state_[rows.first() + i] = 0;
    rows.obs()[i] = 0;
  }
}

void NChain::step(const pp::Rows<NChain>& rows) {
  std::memset(rows.truncated(), 0, rows.size());
  std::memset(rows.terminated(), 0, rows.size());
  const uint32_t first = rows.first();
  const int32_t* action = rows.action();
  int64_t* obs = rows.obs();
  double* reward = rows.reward();
  int64_t* state = &state_[first];
  const int64_t* last = &last_[first];
  const double* slip = &slip_[first];
  const double* small = &small_[first];
  const double* large = &large_[first];
  pp::Rng* rng = &rows.rng(0);
  each_selected(rows, [=](uint32_t i) {
    const bool back = (action[i] != 0) != (rng[i].random() < slip[i]);
    const bool at_end = state[i] >= last[i];
    const double onwards = at_end ? large[i] : 0.0;
    reward[i] = back ? small[i] : onwards;
    state[i] = back ? 0 : state[i] + (at_end ? 0 : 1);
    obs[i] = state[i];
  });
}

void NChain::save(uint32_t lane, pp::StateWriter& out) const {
  out(state_[lane]);
}

void NChain::load(uint32_t lane, pp::StateReader& in) {
  in(state_[lane]);
}

void NChain::arrays(uint32_t lane, pp::ArrayList& list) {
  list.value("state", std::as_const(state_[lane]));
}

}  // namespace classic
