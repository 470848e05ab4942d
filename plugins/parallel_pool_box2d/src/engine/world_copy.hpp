// A copy of a Box2D world, bit for bit, which goes on as the world does.
//
// All that a world has lies in chunks of its allocator, but for the tree of the broad phase and two
// buffers. So the chunks are copied as they are, and each pointer in them is moved to the copies.
// What Box2D does depends on the order of its lists and on the numbers of the tree's nodes, which
// stay, and on no address.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_WORLD_COPY_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_WORLD_COPY_HPP_

#include <Box2D/Box2D.h>

#include <memory>
#include <utility>
#include <vector>

namespace box2d {

class WorldCopy {
 public:
  // `old`: another world, or NULL, which ends and gives its memory. The copy's contact listener is
  // still that one's. Bodies' user data stays as it is. Throws std::bad_alloc; std::logic_error for
  // a world that has what no environment here has.
  WorldCopy(const b2World& world, std::unique_ptr<b2World> old);

  std::unique_ptr<b2World> take() { return std::move(world_); }
  // Returns the address in the copy that corresponds to `original` in the world; NULL for NULL.
  template <class T>
  T* of(T* original) const {
    return static_cast<T*>(moved(original));
  }
  // Does this for a list of them.
  template <class T>
  T each_of(T originals) const {
    for (auto& each : originals) each = of(each);
    return originals;
  }

 private:
  void* moved(const void* original) const;
  template <class T>
  void move(T*& pointer) const {
    pointer = of(pointer);
  }
  void copy_chunks(const b2World& from);
  void copy_broad_phase(const b2World& from);
  template <class Edge>
  void move_edge(Edge& edge) const;
  void move_body(b2Body& body) const;
  void move_fixture(b2Fixture& fixture) const;

  std::unique_ptr<b2World> world_;
  std::vector<std::pair<const char*, char*>> chunks_;  // by address: chunks and their copies
};

}  // namespace box2d

#endif
