// Saving and loading by one list of members, which a task writes once.
#ifndef PARALLEL_POOL_MINIGRID_GRID_KEEPER_HPP_
#define PARALLEL_POOL_MINIGRID_GRID_KEEPER_HPP_

#include "parallel_pool/env.hpp"

namespace minigrid {

class Keeper {
 public:
  explicit Keeper(pp::StateWriter& out) : out_(&out) {}
  explicit Keeper(pp::StateReader& in) : in_(&in) {}

  bool loads() const { return in_ != nullptr; }

  template <class... T>
  void operator()(T&... values) {
    if (in_ != nullptr) {
      (*in_)(values...);
    } else {
      (*out_)(values...);
    }
  }
  // A number that memory is found by, or that a loop ends by.
  template <class T>
  void between(T& value, int64_t low, int64_t high, const char* name) {
    if (in_ != nullptr) {
      in_->between(value, static_cast<T>(low), static_cast<T>(high), name);
    } else {
      (*out_)(value);
    }
  }

 private:
  pp::StateWriter* out_ = nullptr;
  pp::StateReader* in_ = nullptr;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GRID_KEEPER_HPP_
