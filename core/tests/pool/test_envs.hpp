// Pools of the tests' environments (tests/test_envs/test_envs.cpp) without Python, and what their
// trajectories are.
#ifndef PARALLEL_POOL_TESTS_POOL_TEST_ENVS_HPP_
#define PARALLEL_POOL_TESTS_POOL_TEST_ENVS_HPP_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "parallel_pool/host/pool.hpp"

namespace pp::test {

using host::Batch;
using host::BatchStore;
using host::ErrorKind;
using host::Op;
using host::Pool;
using host::PoolConfig;

inline std::string& library_path() {
  static std::string path;
  return path;
}

inline host::Library& library() {
  static auto& loaded = *new host::Library(library_path());  // a library, once loaded, stays
  return loaded;
}

// A pool with the default options; environment i has the seed i.
inline std::unique_ptr<Pool> pool_of(host::Library& from, const std::string& id,
                                     PoolConfig config) {
  const pp_env& env = from.env(id);
  const host::OptionValues options(env);
  const std::unique_ptr<const pp_spec, decltype(env.release_spec)> spec(
      env.describe(&host::host_table(), options.data()), env.release_spec);
  PP_CHECK(spec != nullptr);
  host::EnvSpec copy = host::copy_spec(*spec, env.id);
  config.seeds.resize(config.num_envs);
  for (uint32_t i = 0; i < config.num_envs; ++i) config.seeds[i] = i;
  return std::make_unique<Pool>(from, host::EnvTables({&env}), std::move(config),
                                std::vector<const host::OptionValues*>{&options}, std::move(copy));
}

inline std::unique_ptr<Pool> make_pool(const std::string& name, PoolConfig config) {
  return pool_of(library(), "test/" + name + "-v0", std::move(config));
}

inline PoolConfig sizes(uint32_t num_envs, uint32_t batch_size, uint32_t num_threads) {
  PoolConfig config;
  config.num_envs = num_envs;
  config.batch_size = batch_size;
  config.num_threads = num_threads;
  return config;
}

using Held = std::unique_ptr<Batch, BatchStore::Release>;

inline bool patient() {
  return false;
}

inline Held wait(Pool& pool) {
  return Held(pool.wait(pp::host::Pool::Clock::time_point::max(), &patient));
}

template <class T>
const T* column(const Pool& pool, const Batch& batch, host::HostColumn which) {
  return pool.layout().rows<T>(&batch, which, 0);
}

inline const int32_t* ids_of(const Pool& pool, const Batch& batch) {
  return column<int32_t>(pool, batch, host::column_env_id);
}

inline void ask(Pool& pool, const std::vector<uint32_t>& ids, Op op) {
  const auto n = static_cast<uint32_t>(ids.size());
  pool.submit(pool.admit(ids.data(), n, op));
}

inline void ask_all(Pool& pool, Op op) {
  pool.submit(pool.admit(nullptr, pool.config().num_envs, op));
}

// One in which all were reset.
inline std::unique_ptr<Pool> started_pool(const std::string& name, const PoolConfig& config) {
  auto pool = make_pool(name, config);
  ask_all(*pool, Op::reset);
  for (uint32_t n = 0; n < config.num_envs; n += config.batch_size) wait(*pool);
  return pool;
}

// The action of an environment of the tests with one discrete action.
inline void act(Pool& pool, uint32_t env, int32_t action) {
  const int field = pool.spec().find(PP_ROLE_ACTION);
  std::memcpy(pool.action_row(static_cast<size_t>(field), env), &action, sizeof action);
}

// Some action of an environment at its step `step`, whenever that is.
inline int32_t policy(uint32_t env, uint32_t step, uint32_t actions = 3) {
  return static_cast<int32_t>((7 * env + 3 * step + env * step) % actions);
}

// A hash of what a row says, after what was hashed before.
inline uint64_t hash_row(const Pool& pool, const Batch& batch, uint32_t row, uint64_t hash = 1) {
  for (size_t f = 0; f < pool.spec().fields.size(); ++f) {
    const uint32_t role = pool.spec().fields[f].role;
    if (role != PP_ROLE_OBS && role != PP_ROLE_REWARD) continue;
    const host::Column& from = pool.layout().column(pool.layout().column_of_field(f));
    hash = host::hash_bytes(batch.data + from.offset + row * from.row_bytes, from.row_bytes, hash);
  }
  for (const auto which : {host::column_terminated, host::column_truncated}) {
    hash = host::hash_bytes(column<uint8_t>(pool, batch, which) + row, 1, hash);
  }
  for (const auto which : {host::column_elapsed_step, host::column_env_id}) {
    hash = host::hash_bytes(column<int32_t>(pool, batch, which) + row, 4, hash);
  }
  return hash;
}

// By environment: a hash of all the rows it has had, and how many.
struct Trajectories {
  explicit Trajectories(uint32_t num_envs) : hash(num_envs, 1), rows(num_envs, 0) {}

  void add(const Pool& pool, const Batch& batch) {
    for (uint32_t r = 0; r < batch.rows; ++r) {
      const auto env = static_cast<uint32_t>(ids_of(pool, batch)[r]);
      if (rows[env]++ <= limit) hash[env] = hash_row(pool, batch, r, hash[env]);
    }
  }
  uint32_t fewest() const {
    uint32_t least = UINT32_MAX;
    for (const uint32_t each : rows) least = std::min(least, each);
    return least;
  }

  std::vector<uint64_t> hash;
  std::vector<uint32_t> rows;
  uint32_t limit = UINT32_MAX;  // rows beyond it are not hashed: asynchronous pools differ in them
};

// Every environment reset once and stepped `steps` times, by whatever kind of pool.
inline std::vector<uint64_t> play(Pool& pool, uint32_t steps) {
  const uint32_t n = pool.config().num_envs;
  Trajectories seen(n);
  seen.limit = steps;
  ask_all(pool, Op::reset);
  std::vector<uint32_t> ready;
  while (seen.fewest() <= steps) {
    const Held batch = wait(pool);
    seen.add(pool, *batch);
    ready.assign(ids_of(pool, *batch), ids_of(pool, *batch) + batch->rows);
    for (const uint32_t env : ready) act(pool, env, policy(env, seen.rows[env] - 1));
    ask(pool, ready, Op::step);
  }
  return seen.hash;
}

}  // namespace pp::test
#endif  // PARALLEL_POOL_TESTS_POOL_TEST_ENVS_HPP_
