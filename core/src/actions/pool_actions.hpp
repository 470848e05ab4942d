// Checked actions of one call on their way into the rows of a pool, by environment.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <vector>

#include "actions/action_checker.hpp"
#include "actions/player_rows.hpp"
#include "parallel_pool/host/pool.hpp"

namespace pp::python {

class PoolActions {
 public:
  // Both outlive it.
  PoolActions(host::Pool& pool, const ActionChecker& checker) : pool_(pool), checker_(checker) {}

  // Checks every value, then copies; runs no Python code unless it throws. `ids` NULL: all
  // environments in order. `players`: the players to which the rows of fields per player belong;
  // NULL where the environment has none. Throws host::Error that names environment and value;
  // nothing that matters has changed then. Tells the pool which environments are not to be stepped,
  // if that is the policy.
  void stage(const std::vector<py::array>& arrays, const uint32_t* ids, uint32_t n,
             PlayerRows* players);
  // Stages actions without Python, for environments with one player: one array per leaf; the caller
  // has checked its size and kind of dtype.
  void stage(const std::vector<RawArray>& arrays, const uint32_t* ids, uint32_t n);

  const std::vector<ActionChecker::Leaf>& leaves() const { return checker_.leaves(); }

 private:
  // Calls stage(leaf, its number), then refuses the steps of environments that cannot act.
  template <class Stage>
  void each_leaf(Stage&& stage);
  void stage_rows(const ActionChecker::Leaf& leaf, const RawArray& array, const uint32_t* ids,
                  uint32_t n);
  void stage_players(const ActionChecker::Leaf& leaf, const py::array& array, const uint32_t* ids,
                     uint32_t n, PlayerRows& players);

  host::Pool& pool_;
  const ActionChecker& checker_;
  std::vector<Unfit> unfit_;  // the actions of the call in progress that do not fit
};

}  // namespace pp::python
