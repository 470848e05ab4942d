// The threads themselves: several sources of work, attached and detached while others are at work.
#include "parallel_pool/host/threads/thread_pool.hpp"

#include "test_envs.hpp"

namespace pp::test {
namespace {

class Counter final : public host::WorkSource {
 public:
  explicit Counter(int64_t pieces) : left_(pieces) {}
  bool work() override {
    if (left_.fetch_sub(1) <= 0) return false;
    done_.fetch_add(1);
    return true;
  }
  int64_t done() const { return done_.load(); }

 private:
  std::atomic<int64_t> left_;
  std::atomic<int64_t> done_{0};
};

PP_CASE(sources_come_and_go) {
  const auto threads = host::ThreadPool::make(4);
  std::vector<std::thread> users;
  for (uint32_t user = 0; user < 4; ++user) {
    users.emplace_back([&threads] {
      for (uint32_t turn = 0; turn < 300; ++turn) {
        Counter counter(20);
        threads->attach(&counter);
        threads->notify(4);
        while (counter.done() < 20) std::this_thread::yield();
        threads->detach(&counter);
        // Gone from the stack with the next turn: it may not be read any more.
      }
    });
  }
  for (std::thread& user : users) user.join();
}

PP_CASE(threads_join_while_there_is_work) {
  for (uint32_t turn = 0; turn < 50; ++turn) {
    Counter counter(1'000'000'000);
    const auto threads = host::ThreadPool::make(3);
    threads->attach(&counter);
    threads->notify(3);
    if (turn % 2 == 0) std::this_thread::yield();
    threads->detach(&counter);
    threads->join();
  }
}

PP_CASE(several_pools_at_once) {
  const std::vector<uint64_t> golden = play(*make_pool("Walk", sizes(16, 16, 1)), 20);
  std::atomic<int> wrong{0};
  std::vector<std::thread> users;
  for (uint32_t user = 0; user < 4; ++user) {
    users.emplace_back([&golden, &wrong, user] {
      const char* const names[] = {"Walk", "WalkExclusive", "WalkLate", "WalkBatch"};
      for (uint32_t turn = 0; turn < 5; ++turn) {
        const auto pool = make_pool(names[user], sizes(16, turn % 2 == 0 ? 16 : 4, 2));
        if (play(*pool, 20) != golden) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& user : users) user.join();
  PP_CHECK(wrong.load() == 0);
}

}  // namespace
}  // namespace pp::test
