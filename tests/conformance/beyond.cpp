// Mistakes that leave no trace in results: what lies behind a table is read, and an integer
// overflows. Only a library that is built with sanitizers shows them: docs/conformance.md.
#include <vector>

#include "walk.hpp"

namespace beyond {

using walk::Long;
using walk::World;

struct Sound : Long {};
struct Table : Long {  // a member, read one past its end
  void step(World& world) { world.position += table[world.steps]; }
  double table[100] = {};
};
struct Heap : Long {  // the same of a vector
  void step(World& world) { world.position += table.data()[static_cast<size_t>(world.steps)]; }
  std::vector<double> table = std::vector<double>(100, 0.5);
};
struct ActionIndex : Long {  // of three actions in a table of two
  void step(World& world) { world.position += costs[world.action]; }
  double costs[2] = {};
};
struct Overflows : Long {  // of a signed integer
  void reset(World&, pp::Rng&) { hash = 1; }
  void step(World& world) {
    hash = hash * 31 + world.action;
    world.position += hash % 2;
  }
  int32_t hash = 1;
};

PP_PLUGIN("beyond", WALK(Sound), WALK(Table), WALK(Heap), WALK(ActionIndex), WALK(Overflows));

}  // namespace beyond
