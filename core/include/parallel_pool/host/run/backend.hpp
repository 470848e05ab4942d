// parallel_pool/host/run/backend.hpp: where the shards of a pool live, if not in this process.
//
// Without one, the pool calls the plugin's table. With one, the table that the pool is given is the
// backend's own (its step, reset and destroy forward), and the rest is asked here.
#pragma once

#include <cstdint>
#include <memory>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/extension.hpp"

namespace pp::host {

struct EnvTable;
class Runner;
struct RunnerParts;

class Backend {
 public:
  virtual ~Backend() = default;

  // Returns how many environments one shard holds (the last one may hold fewer).
  virtual uint32_t lanes_per_shard() const = 0;
  // Returns what pp_env.get_extension would.
  virtual const void* extension(const char* id) = 0;
  // Makes the way in which such a pool runs. All outlive it.
  virtual std::unique_ptr<Runner> make_runner(const RunnerParts& parts, const EnvTable& envs) = 0;
};

// The extension of an environment, wherever it lives; see usable(). `backend` may be NULL.
template <class Table>
const Table* find_extension(const pp_env& env, const char* id, Backend* backend) {
  return backend == nullptr ? find_extension<Table>(env, id)
                            : usable<Table>(backend->extension(id), env, id);
}

}  // namespace pp::host
