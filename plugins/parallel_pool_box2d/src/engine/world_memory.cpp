#include "engine/world_memory.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/private_members.hpp"

namespace box2d {
namespace {

constexpr int32 nodes_of_new_tree = 16;
constexpr int32 most_nodes = 4096;

OPEN(Tree, b2BroadPhase, m_tree, b2DynamicTree);
OPEN(Nodes, b2DynamicTree, m_nodes, b2TreeNode*);
OPEN(Capacity, b2DynamicTree, m_nodeCapacity, int32);
OPEN(Count, b2DynamicTree, m_nodeCount, int32);
OPEN(Free, b2DynamicTree, m_freeList, int32);
OPEN(InverseDt, b2World, m_inv_dt0, float32);

b2DynamicTree& tree_of(b2World& world) {
  auto& phase = const_cast<b2BroadPhase&>(world.GetContactManager().m_broadPhase);
  return phase.*get(Tree{});
}

}  // namespace

WorldMemory WorldMemory::of(b2World& empty) {
  b2DynamicTree& tree = tree_of(empty);
  WorldMemory memory;
  memory.free_nodes.reserve(static_cast<size_t>(tree.*get(Capacity{})));
  for (int32 at = tree.*get(Free{}); at != b2_nullNode; at = (tree.*get(Nodes{}))[at].next) {
    memory.free_nodes.push_back(at);
  }
  memory.inverse_dt = empty.*get(InverseDt{});
  return memory;
}

void WorldMemory::restore(b2World& fresh) const {
  if (free_nodes.size() < nodes_of_new_tree || free_nodes.size() > most_nodes) {
    throw std::invalid_argument("a tree of " + std::to_string(free_nodes.size()) + " nodes");
  }
  const int32 count = static_cast<int32>(free_nodes.size());
  std::vector<bool> seen(free_nodes.size(), false);
  for (const int32 node : free_nodes) {
    if (node < 0 || node >= count || seen[static_cast<size_t>(node)]) {
      throw std::invalid_argument("the nodes of the tree are in no order");
    }
    seen[static_cast<size_t>(node)] = true;
  }
  b2DynamicTree& tree = tree_of(fresh);
  const int32 bytes = count * static_cast<int32>(sizeof(b2TreeNode));
  auto* nodes = static_cast<b2TreeNode*>(b2Alloc(bytes));
  std::memset(static_cast<void*>(nodes), 0, static_cast<size_t>(bytes));
  for (size_t i = 0; i < free_nodes.size(); ++i) {
    nodes[free_nodes[i]].next = i + 1 < free_nodes.size() ? free_nodes[i + 1] : b2_nullNode;
    nodes[free_nodes[i]].height = -1;
  }
  b2Free(std::exchange(tree.*get(Nodes{}), nodes));
  tree.*get(Capacity{}) = count;
  tree.*get(Count{}) = 0;
  tree.*get(Free{}) = free_nodes[0];
  fresh.*get(InverseDt{}) = inverse_dt;
}

}  // namespace box2d
