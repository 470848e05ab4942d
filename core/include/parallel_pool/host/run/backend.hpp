// parallel_pool/host/run/backend.hpp: where the shards of a pool live, if not in this process.
//
// Without one, the pool calls the plugin's table. With one, the table that the pool is given is the
// backend's own (its step, reset and destroy forward), and these questions are asked in place of
// the two calls that carry no shard.
#ifndef PARALLEL_POOL_HOST_RUN_BACKEND_HPP_
#define PARALLEL_POOL_HOST_RUN_BACKEND_HPP_

#include <chrono>
#include <cstdint>

#include "parallel_pool/abi.h"

namespace pp::host {

// What a run will ask of a shard: which of its rows are to be stepped and which reset, and which of
// the latter with a seed. One byte, or one seed, per row.
struct UpcomingWork {
  uint32_t first;
  uint32_t count;
  const uint8_t* step_mask;
  const uint8_t* reset_mask;
  const uint8_t* seed_mask;
  const uint64_t* seed;
  void* const* field;  // actions only
  bool alone;          // rows that are neither stepped nor reset must not even be overwritten
};

class Backend {
 public:
  virtual ~Backend() = default;
  // How many environments one shard holds (the last one may hold fewer).
  virtual uint32_t lanes_per_shard() const = 0;
  // As pp_env.create, for the shard of this number; its first environment is `env0`. Called by
  // several threads at once.
  virtual void* create(uint32_t shard, uint32_t env0, const pp_shard& description) = 0;
  // How many threads can create shards, or look into them, at once.
  virtual uint32_t builders() const = 0;
  // Which of so many looks into the shard of this number.
  virtual uint32_t builder_of(uint32_t shard) const = 0;
  // Synchronous pools: the calls of step and reset that `self` gets next will ask this, so the work
  // may begin, and that of other shards, before a caller waits.
  virtual void begin(void* self, const UpcomingWork& work) = 0;
  // Whether all that was begun is done, so that no caller would wait now; waits so long at most.
  virtual bool arrived(std::chrono::nanoseconds most) = 0;
  // What is being built is not wanted any more. Any thread.
  virtual void stop_building() = 0;
  // As pp_env.get_extension.
  virtual const void* extension(const char* id) = 0;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_BACKEND_HPP_
