// The memory of a Box2D world when all its bodies are gone.
//
// BipedalWalker and CarRacing keep one world for the life of the object. The tree of the broad
// phase then hands out its nodes in another order than a new world's, which decides the order of
// contacts, and with it the last bits of the next episode.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_WORLD_MEMORY_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_WORLD_MEMORY_HPP_

#include <Box2D/Box2D.h>

#include <vector>

namespace box2d {

struct WorldMemory {
  std::vector<int32> free_nodes;  // nodes of the tree, in the order in which they are handed out
  float inverse_dt = 0;           // the one of the step before

  static WorldMemory of(b2World& empty);
  // Makes a new world go on as the remembered one. std::invalid_argument if free_nodes is no order
  // of all nodes.
  void restore(b2World& fresh) const;
};

}  // namespace box2d

#endif
