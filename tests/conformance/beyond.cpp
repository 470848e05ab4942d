// Mistakes that leave no trace in results: what lies behind a table is read, and an integer
// overflows. Only a library that is built with sanitizers shows them: docs/conformance.md.
#include <vector>

#include "parallel_pool/env.hpp"

namespace beyond {

// A walk over a table of a hundred places.
template <class Fault>
struct Walk {
  static constexpr const char* id = Fault::id;
  static constexpr const char* summary = "a walk over a table";
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<4>;

  Walk() : heap_(100, 0.5) {}
  void reset(pp::Rng&, Obs::Ref obs) {
    steps_ = 0;
    hash_ = 1;
    obs = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    ++steps_;
    double place = table_[Fault::table ? steps_ : steps_ % 100];
    place += heap_.data()[Fault::heap ? steps_ : steps_ % 100];
    place += costs_[Fault::action ? action : action % 3];
    hash_ = Fault::overflow ? hash_ * 31 + action : action;
    obs = place > 0 ? 1 : 0;
    return {hash_ % 2, steps_ > 100};
  }

 private:
  double table_[100] = {};
  double costs_[3] = {};
  std::vector<double> heap_;
  int32_t steps_ = 0;
  int32_t hash_ = 1;
};

struct None {
  static constexpr bool table = false;
  static constexpr bool heap = false;
  static constexpr bool action = false;
  static constexpr bool overflow = false;
};
struct Sound : None {
  static constexpr const char* id = "beyond/Sound-v0";
};
struct Table : None {  // a member, read one past its end
  static constexpr const char* id = "beyond/Table-v0";
  static constexpr bool table = true;
};
struct Heap : None {  // the same of a vector
  static constexpr const char* id = "beyond/Heap-v0";
  static constexpr bool heap = true;
};
struct ActionIndex : None {  // of four actions in a table of three
  static constexpr const char* id = "beyond/ActionIndex-v0";
  static constexpr bool action = true;
};
struct Overflows : None {  // of a signed integer
  static constexpr const char* id = "beyond/Overflows-v0";
  static constexpr bool overflow = true;
};

}  // namespace beyond

#define WALK(fault) pp::scalar<beyond::Walk<beyond::fault>>()
PP_PLUGIN("beyond", WALK(Sound), WALK(Table), WALK(Heap), WALK(ActionIndex), WALK(Overflows));
