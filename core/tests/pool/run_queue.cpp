// Every run that is pushed is claimed once, though the queue goes round while claims are under way;
// and how often threads write what others want (docs/why.md): never for each environment.
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

PP_CASE(threads_seldom_write_what_others_want) {
  constexpr uint32_t num_envs = 4096;
  const std::map<uint32_t, const char*> by_lanes{{1, "Walk"}, {8, "WalkLanes"}, {64, "WalkBatch"}};
  for (uint32_t turn = 0; turn < 24; ++turn) {
    const auto& [lanes, name] = *std::next(by_lanes.begin(), turn % 3);
    const uint32_t threads = std::array{1u, 2u, 8u, 64u}[turn / 6];
    const uint32_t batch_size = turn % 2 == 0 ? num_envs : num_envs / 4;
    host::RunQueue queue(num_envs);
    host::Run runs[host::RunQueue::most];
    for (uint32_t run = 0; run < num_envs; ++run) queue.push({nullptr, run, run, 0, 1});
    uint32_t takes = 0;  // each with two writes, where all runs wait before the first
    while (queue.claim(threads, runs) != 0) ++takes;
    PP_CHECK(2 * takes <= num_envs);
    const auto pool = started_pool(name, sizes(num_envs, batch_size, threads));
    bool seldom = batch_size < num_envs || threads > 2;  // threads that seldom run take little
    for (uint32_t call = 0; call < 6; ++call) {
      ask_all(*pool, Op::step);
      for (uint32_t n = 0; n < num_envs; n += batch_size) wait(*pool);
      const uint64_t sends = host::written<host::Sends>.exchange(0);
      const uint64_t claims = host::written<host::Claims>.exchange(0);
      const uint64_t rows = host::written<host::RowClaims>.exchange(0);
      const uint64_t done = host::written<host::DoneRows>.exchange(0);
      const uint64_t ends = host::written<host::Ends>.exchange(0);
      if (call == 0) continue;  // what other pools wrote is among that
      PP_CHECK(claims <= sends && ends <= (threads + 1) * num_envs / batch_size);
      if (batch_size < num_envs) {  // once more where a batch is full within a run
        PP_CHECK(rows == done && done <= sends + num_envs / batch_size);
      } else {  // unless some of it was done at once
        PP_CHECK(rows == 0 && (done == claims || sends < num_envs / lanes));
        seldom = seldom || done + claims + ends <= sends || sends < 64 * threads;
      }
    }
    PP_CHECK(seldom);
  }
}

}  // namespace
}  // namespace pp::test
