// Every run that is pushed is claimed once, though the queue goes round while claims are under way.
#include "parallel_pool/host/run/run_queue.hpp"

#include "test_envs.hpp"

namespace pp::test {
namespace {

PP_CASE(every_run_is_claimed_once) {
  constexpr uint32_t num_envs = 4;
  constexpr uint32_t rounds = 100000;
  host::RunQueue queue(num_envs);
  // By environment: how often it was pushed, and how often it was worked on. The producer pushes an
  // environment again as soon as it was worked on, whatever the others do: an asynchronous pool.
  std::atomic<uint32_t> worked[num_envs] = {};
  std::atomic<uint32_t> wrong{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> consumers;
  for (uint32_t i = 0; i < 3; ++i) {
    consumers.emplace_back([&] {
      host::Run runs[host::RunQueue::most];
      while (!stop.load()) {
        const uint32_t count = queue.claim(1, runs);
        if (count == 0) std::this_thread::yield();
        for (uint32_t k = 0; k < count; ++k) {
          // The run says the how-manieth of its environment it is.
          if (worked[runs[k].shard].load() != runs[k].row) wrong.fetch_add(1);
          worked[runs[k].shard].fetch_add(1);
        }
      }
    });
  }
  uint32_t pushed[num_envs] = {};
  for (uint32_t total = 0; total < rounds && wrong.load() == 0;) {
    for (uint32_t env = 0; env < num_envs; ++env) {
      if (worked[env].load() != pushed[env]) continue;
      queue.push({nullptr, pushed[env]++, env, 0, 1});
      ++total;
    }
  }
  for (uint32_t env = 0; env < num_envs; ++env) {
    while (wrong.load() == 0 && worked[env].load() != pushed[env]) std::this_thread::yield();
  }
  stop.store(true);
  for (std::thread& consumer : consumers) consumer.join();
  PP_CHECK(wrong.load() == 0);
}

}  // namespace
}  // namespace pp::test
