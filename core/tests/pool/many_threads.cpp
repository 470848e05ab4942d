// Any number of threads on one pool: each environment's rows are those of a pool that is stepped in
// lockstep by one thread, whoever sends, receives, or looks inside, and when.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "parallel_pool/host/workers/plugin_server.hpp"
#include "parallel_pool/host/workers/worker_group.hpp"
#include "test_envs.hpp"

namespace pp::test {
namespace {

constexpr uint32_t num_envs = 8;
constexpr uint32_t rows_each = 150;

// The same for all environments, so that those with as many rows can be asked together.
Op op_of(uint32_t row) {
  return row % 13 == 0 ? Op::reset : Op::step;
}

using Rows = std::vector<std::array<uint64_t, num_envs>>;

// What each row is, by row and environment.
Rows lockstep(const std::string& name) {
  const auto pool = make_pool(name, sizes(num_envs, num_envs, 1));
  Rows rows;
  for (uint32_t row = 0; row < rows_each; ++row) {
    for (uint32_t env = 0; env < num_envs; ++env) act(*pool, env, policy(env, row));
    ask_all(*pool, op_of(row));
    const Held batch = wait(*pool);
    auto& here = rows.emplace_back();
    for (uint32_t env = 0; env < num_envs; ++env) here[env] = hash_row(*pool, *batch, env);
  }
  return rows;
}

// One pool and its threads. The pool is closed while they are at work.
class Crowd {
 public:
  Crowd(Pool& pool, const Rows& expected) : pool_(pool), expected_(expected) {
    for (auto& each : idle_) each.store(true);
  }

  void play() {
    std::vector<std::thread> threads;
    for (uint32_t k = 0; k < 2; ++k) {
      threads.emplace_back([this, k] { work([&] { send(k); }); });
      threads.emplace_back([this, k] { work([&] { receive(k); }); });
      threads.emplace_back([this, k] { work([&] { look(k); }); });
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(200);
    while (received_.load() < num_envs * rows_each / 2 && !failed_.load() &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    pool_.close();
    for (std::thread& each : threads) each.join();
    PP_CHECK(wrong_.load() == 0);
    PP_CHECK(!failed_.load());
    PP_CHECK(received_.load() >= num_envs * rows_each / 2);
  }

 private:
  // Again and again, until the pool is closed. What else a caller may be told is no failure.
  template <class Turn>
  void work(Turn&& turn) {
    for (;;) {
      try {
        turn();
      } catch (const host::Error& error) {
        if (error.kind() == ErrorKind::closed) return;
        if (error.kind() == ErrorKind::nothing_pending) continue;
        failed_.store(true);
        std::fprintf(stderr, "%s\n", error.what());
        return;
      }
      std::this_thread::yield();
    }
  }

  // Takes environments that no thread has, which may take work; those that were asked as often as
  // the first.
  std::vector<uint32_t> take(uint32_t most, std::minstd_rand& random) {
    std::vector<uint32_t> ids;
    const auto first = static_cast<uint32_t>(random());
    for (uint32_t k = 0; k < num_envs && ids.size() < most; ++k) {
      const uint32_t env = (first + k) % num_envs;
      if (!idle_[env].exchange(false)) continue;
      if (rows_[env] < rows_each && (ids.empty() || rows_[env] == rows_[ids[0]])) {
        ids.push_back(env);
      } else {
        idle_[env].store(true);
      }
    }
    return ids;
  }
  void give_back(const std::vector<uint32_t>& ids) {
    for (const uint32_t env : ids) idle_[env].store(true);
  }

  void send(uint32_t k) {
    auto& random = random_[k];
    const std::vector<uint32_t> ids = take(1 + random() % 3, random);
    if (ids.empty()) {
      pool_.check_usable();
      return;
    }
    const std::lock_guard<std::mutex> lock(sending_);  // one at a time, as with Python's lock
    auto call = pool_.admit(ids.data(), static_cast<uint32_t>(ids.size()), op_of(rows_[ids[0]]));
    for (const uint32_t env : ids) act(pool_, env, policy(env, rows_[env]));
    pool_.submit(std::move(call));
  }

  void receive(uint32_t k) {
    const auto soon = Pool::Clock::now() + std::chrono::milliseconds(10);
    const Held batch(k == 0 ? pool_.wait(soon, &patient) : pool_.poll());
    if (!batch) return;
    std::vector<uint32_t> ids;
    for (uint32_t r = 0; r < batch->rows; ++r) {
      const auto env = static_cast<uint32_t>(ids_of(pool_, *batch)[r]);
      if (hash_row(pool_, *batch, r) != expected_[rows_[env]++][env]) {
        wrong_.fetch_add(1);
        std::fprintf(stderr, "%s: row %u of environment %u is wrong\n", pool_.env(0).id,
                     rows_[env] - 1, env);
      }
      ids.push_back(env);
    }
    received_.fetch_add(batch->rows);
    give_back(ids);
  }

  // Saves the state of one environment, and restores it.
  void look(uint32_t k) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::vector<uint32_t> ids = take(1, random_[2 + k]);
    if (ids.empty() || rows_[ids[0]] == 0) {
      give_back(ids);
      pool_.check_usable();
      return;
    }
    {
      const Pool::Hold hold(pool_, ids.data(), 1);
      const std::vector<std::string> states = pool_.get_states(hold);
      pool_.set_states(hold, {states[0]});
    }
    give_back(ids);
  }

  Pool& pool_;
  const Rows& expected_;
  std::mutex sending_;
  std::array<std::minstd_rand, 4> random_{std::minstd_rand(1), std::minstd_rand(2),
                                          std::minstd_rand(3), std::minstd_rand(4)};
  std::array<std::atomic<bool>, num_envs> idle_{};
  std::array<uint32_t, num_envs> rows_{};  // of those that are not idle: of whoever has them
  std::atomic<uint32_t> received_{0};
  std::atomic<uint32_t> wrong_{0};
  std::atomic<bool> failed_{false};
};

void play_together(const std::string& name, const PoolConfig& config) {
  const Rows expected = lockstep(name);
  const auto pool = make_pool(name, config);
  Crowd(*pool, expected).play();
}

PP_CASE(many_threads_on_a_synchronous_pool) {
  for (const char* name : {"Walk", "WalkLanes", "WalkLate", "WalkBatch", "WalkExclusive"}) {
    play_together(name, sizes(num_envs, num_envs, 3));
  }
}

PP_CASE(many_threads_on_an_asynchronous_pool) {
  for (const char* name : {"Walk", "WalkLanes", "WalkLate", "WalkBatch", "WalkExclusive"}) {
    play_together(name, sizes(num_envs, 2, 3));
  }
}

PP_CASE(many_threads_on_a_watched_pool) {
  for (const uint32_t batch_size : {num_envs, 2u}) {
    PoolConfig config = sizes(num_envs, batch_size, 3);
    config.step_timeout = 100.0;
    play_together("Walk", config);
  }
}

// A worker in a thread of this process, so that sanitizers see both ends.
class ServerThread final : public host::workers::WorkerHost {
 public:
  ServerThread(const pp_env& env, const host::OptionValues& options)
      : env_(env), options_{&options} {}
  ~ServerThread() override {
    if (thread_.joinable()) thread_.join();
  }

  void start(const std::shared_ptr<host::workers::SharedMemory>& mailbox) override {
    running_.store(true);
    thread_ = std::thread([this, mailbox] {
      host::workers::Mailbox box(mailbox);
      host::workers::PluginServer(box, env_, options_).serve();
      running_.store(false);
    });
  }
  bool running() override { return running_.load(); }
  void end() override {}
  const char* kind() const override { return "worker thread"; }
  std::string name() const override { return kind(); }
  std::string exit_reason() const override { return "ended"; }
  const char* ended() const override { return "was given up"; }

 private:
  const pp_env& env_;
  const std::vector<const host::OptionValues*> options_;
  std::thread thread_;
  std::atomic<bool> running_{false};
};

void play_with_workers(const std::string& name, uint32_t workers, uint32_t batch_size) {
  const Rows expected = lockstep(name);
  const pp_env& env = library().env("test/" + name + "-v0");
  const host::OptionValues options(env);
  const pp_spec* spec = env.describe(&host::host_table(), options.data());
  PP_CHECK(spec != nullptr);
  const host::EnvSpec own = host::copy_spec(*spec, env.id);
  env.release_spec(spec);
  host::workers::WorkerConfig config;
  config.workers = workers;
  config.host = [&] { return std::make_unique<ServerThread>(env, options); };
  PoolConfig pool_config = sizes(num_envs, batch_size, batch_size == num_envs ? 1 : workers);
  for (uint32_t i = 0; i < num_envs; ++i) pool_config.seeds.push_back(i);
  host::workers::WorkerGroup group(config, env, own, pool_config);
  Pool pool(library(), host::EnvTables({&group.table()}), pool_config, {&options}, group.spec(),
            &group);
  Crowd(pool, expected).play();
}

PP_CASE(many_threads_on_a_pool_with_workers) {
  for (const char* name : {"Walk", "WalkLanes", "WalkBatch"}) {
    for (const uint32_t workers : {1u, 2u, 3u}) play_with_workers(name, workers, num_envs);
    play_with_workers(name, 2, 3);
  }
}

}  // namespace
}  // namespace pp::test
