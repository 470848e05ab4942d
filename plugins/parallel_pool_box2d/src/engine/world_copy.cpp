#include "engine/world_copy.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "engine/bodies.hpp"
#include "engine/private_members.hpp"

// Box2D's b2BlockAllocator.cpp defines them so.
struct b2Chunk {
  int32 blockSize;  // NOLINT(readability-identifier-naming): the name is Box2D's
  b2Block* blocks;
};
struct b2Block {
  b2Block* next;
};

namespace box2d {
namespace {

OPEN(Allocator, b2World, m_blockAllocator, b2BlockAllocator);
OPEN(Chunks, b2BlockAllocator, m_chunks, b2Chunk*);
OPEN(ChunkCount, b2BlockAllocator, m_chunkCount, int32);
OPEN(ChunkSpace, b2BlockAllocator, m_chunkSpace, int32);
using FreeListArray = b2Block* [b2_blockSizes];
OPEN(FreeLists, b2BlockAllocator, m_freeLists, FreeListArray);

OPEN(Manager, b2World, m_contactManager, b2ContactManager);
OPEN(Tree, b2BroadPhase, m_tree, b2DynamicTree);
OPEN(Nodes, b2DynamicTree, m_nodes, b2TreeNode*);
OPEN(Capacity, b2DynamicTree, m_nodeCapacity, int32);
OPEN(ProxyCount, b2BroadPhase, m_proxyCount, int32);
OPEN(MoveBuffer, b2BroadPhase, m_moveBuffer, int32*);
OPEN(MoveCapacity, b2BroadPhase, m_moveCapacity, int32);
OPEN(MoveCount, b2BroadPhase, m_moveCount, int32);
OPEN(QueryProxy, b2BroadPhase, m_queryProxyId, int32);

OPEN(WorldFlags, b2World, m_flags, int32);
OPEN(Bodies, b2World, m_bodyList, b2Body*);
OPEN(Joints, b2World, m_jointList, b2Joint*);
OPEN(BodyCount, b2World, m_bodyCount, int32);
OPEN(JointCount, b2World, m_jointCount, int32);
OPEN(Gravity, b2World, m_gravity, b2Vec2);
OPEN(AllowSleep, b2World, m_allowSleep, bool);
OPEN(InverseDt, b2World, m_inv_dt0, float32);
OPEN(WarmStarting, b2World, m_warmStarting, bool);
OPEN(Continuous, b2World, m_continuousPhysics, bool);
OPEN(SubStepping, b2World, m_subStepping, bool);
OPEN(StepComplete, b2World, m_stepComplete, bool);

OPEN(BodyWorld, b2Body, m_world, b2World*);
OPEN(BodyBefore, b2Body, m_prev, b2Body*);
OPEN(BodyNext, b2Body, m_next, b2Body*);
OPEN(BodyFixtures, b2Body, m_fixtureList, b2Fixture*);
OPEN(BodyJoints, b2Body, m_jointList, b2JointEdge*);
OPEN(BodyContacts, b2Body, m_contactList, b2ContactEdge*);

OPEN(FixtureNext, b2Fixture, m_next, b2Fixture*);
OPEN(FixtureBody, b2Fixture, m_body, b2Body*);
OPEN(FixtureShape, b2Fixture, m_shape, b2Shape*);
OPEN(FixtureProxies, b2Fixture, m_proxies, b2FixtureProxy*);
OPEN(FixtureProxyCount, b2Fixture, m_proxyCount, int32);

OPEN(JointBefore, b2Joint, m_prev, b2Joint*);
OPEN(JointNext, b2Joint, m_next, b2Joint*);
OPEN(JointEdgeA, b2Joint, m_edgeA, b2JointEdge);
OPEN(JointEdgeB, b2Joint, m_edgeB, b2JointEdge);
OPEN(JointBodyA, b2Joint, m_bodyA, b2Body*);
OPEN(JointBodyB, b2Joint, m_bodyB, b2Body*);

OPEN(ContactBefore, b2Contact, m_prev, b2Contact*);
OPEN(ContactNext, b2Contact, m_next, b2Contact*);
OPEN(ContactEdgeA, b2Contact, m_nodeA, b2ContactEdge);
OPEN(ContactEdgeB, b2Contact, m_nodeB, b2ContactEdge);
OPEN(ContactFixtureA, b2Contact, m_fixtureA, b2Fixture*);
OPEN(ContactFixtureB, b2Contact, m_fixtureB, b2Fixture*);

// Puts a copy of `count` items in the place of a pointer's array of b2Alloc.
template <class T>
void replace(T*& array, const T* items, int32 count) {
  const size_t bytes = sizeof(T) * static_cast<size_t>(count);
  auto* copy = static_cast<T*>(b2Alloc(static_cast<int32>(bytes)));
  std::memcpy(static_cast<void*>(copy), items, bytes);
  b2Free(std::exchange(array, copy));
}

}  // namespace

WorldCopy::WorldCopy(const b2World& from, std::unique_ptr<b2World> old)
    : world_(old != nullptr ? std::move(old) : make_world(0)) {
  // The world stays empty until all is in order, so that it can be destroyed.
  b2World& to = *world_;
  b2ContactManager& manager = to.*get(Manager{});
  manager.m_contactList = nullptr;
  to.*get(Joints{}) = nullptr;
  to.*get(Bodies{}) = nullptr;
  copy_chunks(from);
  copy_broad_phase(from);
  const auto same = [&](auto... members) { ((to.*members = from.*members), ...); };
  same(get(WorldFlags{}), get(BodyCount{}), get(JointCount{}), get(Gravity{}), get(AllowSleep{}),
       get(InverseDt{}), get(WarmStarting{}), get(Continuous{}), get(SubStepping{}),
       get(StepComplete{}));
  b2Body* const bodies = of(from.*get(Bodies{}));
  for (b2Body* each = bodies; each != nullptr; each = each->GetNext()) move_body(*each);
  b2Joint* const joints = of(from.*get(Joints{}));
  for (b2Joint* each = joints; each != nullptr; each = each->GetNext()) {
    if (each->GetType() != e_revoluteJoint) throw std::logic_error("a joint that is no hinge");
    move(each->*get(JointBefore{}));
    move(each->*get(JointNext{}));
    move(each->*get(JointBodyA{}));
    move(each->*get(JointBodyB{}));
    for (b2JointEdge* edge : {&(each->*get(JointEdgeA{})), &(each->*get(JointEdgeB{}))}) {
      move(edge->joint);
      move_edge(*edge);
    }
  }
  b2Contact* const contacts = of((from.*get(Manager{})).m_contactList);
  for (b2Contact* each = contacts; each != nullptr; each = each->GetNext()) {
    move(each->*get(ContactBefore{}));
    move(each->*get(ContactNext{}));
    move(each->*get(ContactFixtureA{}));
    move(each->*get(ContactFixtureB{}));
    for (b2ContactEdge* edge : {&(each->*get(ContactEdgeA{})), &(each->*get(ContactEdgeB{}))}) {
      move(edge->contact);
      move_edge(*edge);
    }
  }
  manager.m_contactList = contacts;
  manager.m_contactCount = (from.*get(Manager{})).m_contactCount;
  to.*get(Joints{}) = joints;
  to.*get(Bodies{}) = bodies;
}

void* WorldCopy::moved(const void* original) const {
  if (original == nullptr) return nullptr;
  const auto* at = static_cast<const char*>(original);
  const auto behind =
      std::upper_bound(chunks_.begin(), chunks_.end(), at,
                       [](const char* place, const auto& chunk) { return place < chunk.first; });
  if (behind == chunks_.begin() || at - (behind - 1)->first >= b2_chunkSize) {
    throw std::logic_error("memory of Box2D that is in no chunk of its world");
  }
  return (behind - 1)->second + (at - (behind - 1)->first);
}

void WorldCopy::copy_chunks(const b2World& world) {
  const b2BlockAllocator& from = world.*get(Allocator{});
  b2BlockAllocator& to = *world_.*get(Allocator{});
  const int32 count = from.*get(ChunkCount{});
  b2Chunk*& chunks = to.*get(Chunks{});
  int32& copied = to.*get(ChunkCount{});
  while (copied > count) b2Free(chunks[--copied].blocks);
  if (to.*get(ChunkSpace{}) < from.*get(ChunkSpace{})) {
    const std::vector<b2Chunk> own(chunks, chunks + copied);
    replace(chunks, from.*get(Chunks{}), from.*get(ChunkSpace{}));
    std::copy(own.begin(), own.end(), chunks);
    to.*get(ChunkSpace{}) = from.*get(ChunkSpace{});
  }
  chunks_.reserve(static_cast<size_t>(count));
  for (int32 i = 0; i < count; ++i) {
    const b2Chunk& original = (from.*get(Chunks{}))[i];
    if (i == copied) {
      chunks[i].blocks = static_cast<b2Block*>(b2Alloc(b2_chunkSize));
      ++copied;
    }
    chunks[i].blockSize = original.blockSize;
    std::memcpy(static_cast<void*>(chunks[i].blocks), original.blocks, b2_chunkSize);
    chunks_.emplace_back(reinterpret_cast<const char*>(original.blocks),
                         reinterpret_cast<char*>(chunks[i].blocks));
  }
  std::sort(chunks_.begin(), chunks_.end());
  for (size_t i = 0; i < b2_blockSizes; ++i) {
    b2Block** place = &(to.*get(FreeLists{}))[i];
    *place = (from.*get(FreeLists{}))[i];
    for (; *place != nullptr; place = &(*place)->next) move(*place);
  }
}

void WorldCopy::copy_broad_phase(const b2World& world) {
  const b2BroadPhase& from = (world.*get(Manager{})).m_broadPhase;
  b2BroadPhase& to = (*world_.*get(Manager{})).m_broadPhase;
  // Its other pointer is to pairs, which each search writes anew.
  static_assert(std::is_trivially_copyable_v<b2TreeNode>);
  const b2DynamicTree& from_tree = from.*get(Tree{});
  b2DynamicTree& tree = to.*get(Tree{});
  b2TreeNode* nodes = tree.*get(Nodes{});
  replace(nodes, from_tree.*get(Nodes{}), from_tree.*get(Capacity{}));
  tree = from_tree;
  tree.*get(Nodes{}) = nodes;
  for (int32 i = 0; i < tree.*get(Capacity{}); ++i) {
    if (nodes[i].height == 0) nodes[i].userData = moved(nodes[i].userData);  // a leaf
  }
  replace(to.*get(MoveBuffer{}), from.*get(MoveBuffer{}), from.*get(MoveCapacity{}));
  const auto same = [&](auto... members) { ((to.*members = from.*members), ...); };
  same(get(ProxyCount{}), get(MoveCapacity{}), get(MoveCount{}), get(QueryProxy{}));
}

template <class Edge>
void WorldCopy::move_edge(Edge& edge) const {
  move(edge.other);
  move(edge.prev);
  move(edge.next);
}

void WorldCopy::move_body(b2Body& body) const {
  body.*get(BodyWorld{}) = world_.get();
  move(body.*get(BodyBefore{}));
  move(body.*get(BodyNext{}));
  move(body.*get(BodyFixtures{}));
  move(body.*get(BodyJoints{}));
  move(body.*get(BodyContacts{}));
  for (b2Fixture* each = body.GetFixtureList(); each != nullptr; each = each->GetNext()) {
    move_fixture(*each);
  }
}

void WorldCopy::move_fixture(b2Fixture& fixture) const {
  move(fixture.*get(FixtureNext{}));
  move(fixture.*get(FixtureBody{}));
  move(fixture.*get(FixtureShape{}));
  move(fixture.*get(FixtureProxies{}));
  for (int32 i = 0; i < fixture.*get(FixtureProxyCount{}); ++i) {
    move((fixture.*get(FixtureProxies{}))[i].fixture);
  }
  if (fixture.GetType() == b2Shape::e_chain) throw std::logic_error("a shape that is a chain");
}

}  // namespace box2d
