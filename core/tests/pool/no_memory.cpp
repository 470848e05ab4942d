// A request for memory is refused: the first of a pool's life, the second, and so on, alone or with
// all that come after it. Whoever called gets an error, nothing hangs, and the process goes on.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>

#include "test_envs.hpp"

namespace {

std::atomic<long> granted{-1};  // requests from now on; negative: all of them
std::atomic<bool> for_good{false};
std::atomic<long> refused{0};

bool refuse() {
  long left = granted.load(std::memory_order_relaxed);
  do {
    if (left < 0) return false;
  } while (!granted.compare_exchange_weak(left, left > 0 ? left - 1 : for_good.load() ? 0 : -1));
  if (left > 0) return false;
  refused.fetch_add(1);
  return true;
}

void* take(size_t bytes, size_t alignment) {
  const size_t whole = (bytes / alignment + 1) * alignment;  // as aligned_alloc wants it
  if (!refuse()) {
    if (void* block = std::aligned_alloc(alignment, whole)) return block;
  }
  throw std::bad_alloc();
}

}  // namespace

void* operator new(size_t bytes) {
  return take(bytes, alignof(std::max_align_t));
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<size_t>(alignment));
}
// Not inlined: GCC would see free() of what operator new gave, and not that both are ours.
[[gnu::noinline]] void operator delete(void* block) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, size_t) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, size_t, std::align_val_t) noexcept {
  std::free(block);
}

namespace pp::test {
namespace {

// While it lives, so many requests are granted and then one is refused, or all.
class Scarce {
 public:
  Scarce(long requests, bool all_after) {
    refused.store(0);
    for_good.store(all_after);
    granted.store(requests);
  }
  ~Scarce() { granted.store(-1); }
};

void use(const char* name, PoolConfig config) {
  const auto pool = make_pool(name, std::move(config));
  ask_all(*pool, Op::reset);
  for (uint32_t turn = 0; turn < 6; ++turn) {
    std::vector<uint32_t> ready;
    std::vector<uint32_t> ill;
    {
      const Held batch = wait(*pool);
      ready.assign(ids_of(*pool, *batch), ids_of(*pool, *batch) + batch->rows);
      for (const host::EnvFailure& failure : batch->failures) ill.push_back(failure.env);
    }
    for (const uint32_t env : ready) act(*pool, env, static_cast<int32_t>((env + turn) % 2));
    if (pool->synchronous() && !ill.empty()) {
      ask_all(*pool, Op::reset);
    } else {
      ask(*pool, ready, ill.empty() ? Op::step : Op::reset);
    }
  }
}

void refuse_each(const char* name, const PoolConfig& config) {
  use(name, config);
  for (const bool all_after : {false, true}) {
    for (long request = 0;; ++request) {
      {
        const Scarce scarce(request, all_after);
        try {
          use(name, config);
        } catch (const std::exception&) {  // make_pool has a check of its own
        }
      }
      if (refused.load() == 0) break;
    }
    use(name, config);
  }
}

PP_CASE(no_memory_for_a_pool) {
  refuse_each("Walk", sizes(6, 6, 1));
  refuse_each("Walk", sizes(6, 6, 3));
  refuse_each("Walk", sizes(6, 2, 3));
}

PP_CASE(no_memory_for_the_next_episode) {
  PoolConfig config = sizes(6, 6, 3);
  config.autoreset = host::Autoreset::same_step;
  refuse_each("Walk", config);
}

PP_CASE(no_memory_to_say_why) {
  refuse_each("Faulty", sizes(6, 6, 1));
  refuse_each("Faulty", sizes(6, 6, 3));
  refuse_each("Faulty", sizes(6, 2, 3));
  refuse_each("FaultyBatch", sizes(16, 16, 3));
}

}  // namespace
}  // namespace pp::test
