// parallel_pool/host/pool.hpp: many environments, stepped in batches by several threads.
//
// The life of a step: submit() checks and queues, work() steps shards and has their rows finished,
// wait() hands a batch out. What it keeps and knows on the way has rooms of its own: admission.hpp
// (who may take work), circulation.hpp (batches on their way), env_table.hpp (what is known of each
// environment), layout.hpp (where it stands in a batch), finisher.hpp (the host's part of a row),
// snapshots.hpp (states), builder.hpp (shards), watchdog.hpp (steps that hang), sharing.hpp (calls
// that are worth several threads). Promises:
//  - an environment's trajectory depends on its seed, its options and its actions only, never on
//    thread count, batch size, shard size or timing;
//  - nothing changes when submit() throws;
//  - no allocation per environment and step, and none per call once batches circulate;
//  - submit() and wait() may be called by different threads; each of them by one thread at a time.
// What it does not do: it knows nothing of Python, of rendering or of how results are named.
#ifndef PARALLEL_POOL_HOST_POOL_HPP_
#define PARALLEL_POOL_HOST_POOL_HPP_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/admission.hpp"
#include "parallel_pool/host/backend.hpp"
#include "parallel_pool/host/batch.hpp"
#include "parallel_pool/host/builder.hpp"
#include "parallel_pool/host/circulation.hpp"
#include "parallel_pool/host/env_table.hpp"
#include "parallel_pool/host/error.hpp"
#include "parallel_pool/host/extension.hpp"
#include "parallel_pool/host/finisher.hpp"
#include "parallel_pool/host/fork_guard.hpp"
#include "parallel_pool/host/layout.hpp"
#include "parallel_pool/host/library.hpp"
#include "parallel_pool/host/options.hpp"
#include "parallel_pool/host/players.hpp"
#include "parallel_pool/host/pool_config.hpp"
#include "parallel_pool/host/refused_steps.hpp"
#include "parallel_pool/host/reset_options.hpp"
#include "parallel_pool/host/row_loops.hpp"
#include "parallel_pool/host/run_queue.hpp"
#include "parallel_pool/host/shard.hpp"
#include "parallel_pool/host/sharing.hpp"
#include "parallel_pool/host/side_by_side.hpp"
#include "parallel_pool/host/snapshots.hpp"
#include "parallel_pool/host/spec.hpp"
#include "parallel_pool/host/state.hpp"
#include "parallel_pool/host/thread_pool.hpp"
#include "parallel_pool/host/watchdog.hpp"

namespace pp::host {

class Pool final : public WorkSource {
 public:
  // `options`: one per environment, or one for all. Builds the environments in the pool's threads.
  Pool(Library& library, const pp_env& env, PoolConfig config,
       const std::vector<const OptionValues*>& options, EnvSpec spec)
      : library_(library),
        env_(env),
        config_(decide(std::move(config))),
        spec_(std::move(spec)),
        players_(make_players()),
        layout_(spec_, config_, players_.get()),
        envs_(config_.num_envs, config_.seeds),
        admission_(envs_, config_.autoreset),
        finisher_(layout_, envs_, config_, players_.get()),
        snapshots_(env_, library_.plugin(), config_, envs_, players_.get(),
                   usable<pp_state>(extension(PP_EXT_STATE)), options),
        reset_options_(usable<pp_reset_options>(extension(PP_EXT_RESET_OPTIONS)), config_.num_envs),
        circulation_(config_.num_envs, config_.batch_size),
        lanes_per_shard_(lanes_per_shard(env_, config_)),
        shards_(cut_into_shards(env_, config_.num_envs, lanes_per_shard_, spec_.fields.size())),
        queue_(config_.num_envs) {
    check_library();
    make_room_for_actions();
    if (config_.step_timeout > 0.0) {
      watchdog_ = std::make_unique<Watchdog>(config_.num_envs, config_.step_timeout,
                                             *layout_.store(), config_.batch_size,
                                             exclusive() != nullptr ? &library_.stuck() : nullptr);
    }
    if (config_.refuse_steps) refused_.enable(config_.num_envs, layout_.repeated_columns());
    threads_ = config_.threads != nullptr
                   ? config_.threads
                   : ThreadPool::make(config_.num_threads - callers(config_), config_.placement);
    // Spinning helps only if it takes no CPU from a worker.
    wait_spins_ = threads_->size() < usable_cpus() ? 2000 : 50;
    if (learns_sharing()) sharing_ = std::make_unique<Sharing>(config_.num_envs);
    // First: once there are environments, nothing may fail any more.
    threads_->attach(this);
    build(options);
  }

  // Of a pool with step_timeout: through Closer.
  ~Pool() override { close(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Closes a pool and frees it, unless a thread is stuck in one of its environments: what that
  // thread may still touch is then leaked.
  struct Closer {
    void operator()(Pool* pool) const {
      pool->close();
      if (!pool->left_behind_) delete pool;
    }
  };

  const PoolConfig& config() const { return config_; }
  const EnvSpec& spec() const { return spec_; }
  const Layout& layout() const { return layout_; }
  bool synchronous() const { return synchronous(config_); }
  // Living threads of its own: none where it uses those of a ThreadPool that others use too.
  uint32_t own_threads() const {
    return config_.threads != nullptr || threads_->stopped() ? 0 : threads_->size();
  }
  // NULL unless the environment has fields per player.
  const Players* players() const { return players_.get(); }
  uint32_t num_shards() const { return static_cast<uint32_t>(shards_.size()); }
  double nanoseconds_per_env_step() const { return nanoseconds_.load(std::memory_order_relaxed); }
  bool closed() const { return closed_.load(std::memory_order_relaxed); }

  // Where the action of an environment is put before submit(): field `f` must be an action.
  char* action_row(size_t f, uint32_t env) {
    return actions_[f].data() + env * spec_.fields[f].row_bytes;
  }

  // ---- sending ------------------------------------------------------------------------------

  // Throws unless these environments can take work now. `ids` NULL: all, in order. Nothing changes.
  void check(const uint32_t* ids, uint32_t n, Op op) {
    check_usable();
    check_library();
    const std::lock_guard<SpinLock> lock(state_lock_);
    admission_.check(ids, n, op, circulation_.in_flight() == 0, watchdog_.get());
  }

  // Throws if anything is on its way.
  void check_idle() {
    const std::lock_guard<SpinLock> lock(state_lock_);
    if (circulation_.in_flight() == 0) return;
    throw Error(ErrorKind::busy,
                "results of an earlier send() were not received: call recv() first");
  }

  // The seed that the next reset of this environment begins with.
  void set_seed(uint32_t env, uint64_t seed) {
    envs_.seed[env] = seed;
    envs_.seed_pending[env] = 1;
  }

  // Arguments of the next reset of this environment, for that reset only. Throws if the environment
  // takes none.
  void set_reset_options(uint32_t env, std::shared_ptr<const OptionValues> values) {
    reset_options_.give(env, std::move(values));
  }

  // The step that is about to be submitted is not for this environment: its episode is cut off, and
  // its row says so (host/refused_steps.hpp). Only with config.refuse_steps.
  void refuse_step(uint32_t env, std::string reason) { refused_.refuse(env, std::move(reason)); }

  // Starts work on environments that check() let pass; actions are in action_row(). Throws for want
  // of memory only. Small work is done at once, here.
  void submit(const uint32_t* ids, uint32_t n, Op op) {
    Batch* batch = nullptr;
    bool at_once = small(n);
    bool shared = true;
    const bool learns = sharing_ != nullptr && !too_little(n);
    {
      const std::lock_guard<SpinLock> lock(state_lock_);
      const bool only = circulation_.in_flight() == 0;
      batch = circulation_.provide(*layout_.store(), n);
      if (learns) {
        const Way guess = at_once ? Way::alone : Way::shared;
        const double now = nanoseconds(Clock::now());
        shared = sharing_->begin(batch, op == Op::reset, n, guess, only, now) == Way::shared;
        at_once = at_once && !shared;
      }
      if (ids == nullptr) {
        std::memset(envs_.pending.data(), 1, n);
        std::memset(envs_.op.data(), static_cast<int>(op), n);
      } else {
        for (uint32_t i = 0; i < n; ++i) {
          envs_.pending[ids[i]] = 1;
          envs_.op[ids[i]] = op;
        }
      }
      if (op == Op::reset) {
        for (uint32_t i = 0; i < n; ++i) envs_.begin_reset(ids == nullptr ? i : ids[i]);
      }
    }

    shared = shared || at_once;  // what turns out to be more than was thought is shared after all
    uint32_t queued = 0;
    Group group;
    const auto emit = [&](const Run& run) {
      if (config_.backend != nullptr && synchronous()) announce(run);
      if (at_once) {
        at_once = step_at_once(run, group);
      } else {
        queue_.push(run);
        ++queued;
      }
    };
    if (ids == nullptr) {
      for (uint32_t s = 0; s < shards_.size(); ++s) {
        emit(Run{batch, shards_[s].base, s, 0, shards_[s].count});
      }
    } else {
      for (uint32_t i = 0; i < n;) {
        const uint32_t s = ids[i] / lanes_per_shard_;
        const Shard& shard = shards_[s];
        uint32_t count = 1;  // neighbours in the pool that are neighbours in the batch too
        while (i + count < n && ids[i + count] == ids[i] + count &&
               ids[i] + count < shard.base + shard.count) {
          ++count;
        }
        emit(Run{batch, i, s, ids[i] - shard.base, count});
        i += count;
      }
    }
    if (group.count > 0) execute(group.runs, group.count);
    if (queued > 0 && shared && threads_->size() > 0) threads_->notify(queued);
    if (watchdog_ != nullptr) watchdog_->notify();
    if (!learns) return;
    const double now = nanoseconds(Clock::now());
    queued > 0 ? sharing_->sent(batch, now) : sharing_->finish(batch, 0.0, now);
  }

  // Whether work on n environments is so little that it is done at once, where nothing is learnt
  // about handing it to another thread.
  bool small(uint32_t n) const {
    if (config_.backend != nullptr) return false;  // whoever waits for others must not do it here
    // Differently long, by their own declaration: past steps say nothing about the next.
    if ((env_.flags & PP_ENV_LATE_ROWS) != 0u || watchdog_ != nullptr) return false;
    const double each = nanoseconds_.load(std::memory_order_relaxed);
    if (each == 0.0) return env_.preferred_lanes > 1 && n <= 64;
    // A worker that spins costs next to nothing to reach; one that sleeps has to be woken.
    const bool near = sharing_ == nullptr && threads_->awake();
    return each * n < (near ? small_nanoseconds / 4 : small_nanoseconds);
  }

  // ---- receiving ----------------------------------------------------------------------------

  // The next finished batch, or NULL if none is finished yet. Throws if none is on its way. The
  // caller owns the batch and gives it to BatchStore::release. Answers of a synchronous pool come
  // in the order of the questions, those of an asynchronous one as they are ready.
  Batch* take() {
    Batch* batch = take_flat();
    if (batch != nullptr && sharing_ != nullptr) sharing_->finish(batch);
    return batch;
  }

  // take() without a word about what it took.
  Batch* take_flat() {
    Batch* batch = take_complete();
    if (batch != nullptr && config_.flat_players && players_ != nullptr) players_->compact(*batch);
    return batch;
  }

  // The same without the last touch: rows of players are not flat yet.
  Batch* take_complete() {
    check_usable();
    if (watchdog_ != nullptr) answer_for_stuck();
    const std::lock_guard<SpinLock> lock(state_lock_);
    Batch* batch = circulation_.take();
    if (batch == nullptr) return nullptr;
    if (batch->rows == config_.num_envs) {
      std::memset(envs_.pending.data(), 0, envs_.pending.size());
    } else {
      const auto* env_id = layout_.rows<int32_t>(batch, column_env_id, 0);
      for (uint32_t r = 0; r < batch->rows; ++r) {
        envs_.pending[static_cast<uint32_t>(env_id[r])] = 0;
      }
    }
    return batch;
  }

  // As take(), but waits. `interrupted` is asked every 20 ms or so; when it says true, NULL is
  // returned and nothing is lost: the batch comes with the next take() or wait(). Deadlines are its
  // business too.
  template <class Interrupted>
  Batch* wait(Interrupted&& interrupted) {
    const Entry entry(*this);
    uint32_t spins = 0;
    const auto entered = Clock::now();
    auto last_look = entered;
    for (;;) {
      if (Batch* batch = take_flat()) {
        if (sharing_ != nullptr && sharing_->learns_from(batch)) {
          sharing_->finish(batch, nanoseconds(entered), nanoseconds(Clock::now()));
        }
        return batch;
      }
      // A synchronous caller takes its share of the work, when that means no waiting elsewhere.
      const bool arrived = config_.backend == nullptr || !synchronous() ||
                           config_.backend->arrived(std::chrono::milliseconds(15));
      const bool worked = synchronous() && watchdog_ == nullptr && arrived && work();
      if (!worked && arrived) {
        if (++spins < wait_spins_) {
          cpu_relax();
          continue;
        }
        std::unique_lock<std::mutex> lock(done_mutex_);
        const uint64_t seen = completed_.load();
        waiting_.fetch_add(1);
        if (!any_complete() && !closed()) {
          done_.wait_for(lock, std::chrono::milliseconds(20),
                         [&] { return completed_.load() != seen || closed(); });
        }
        waiting_.fetch_sub(1);
      }
      const auto now = std::chrono::steady_clock::now();
      if (now - last_look < std::chrono::milliseconds(15)) continue;
      last_look = now;
      if (interrupted()) return nullptr;
    }
  }

 private:
  // Counts callers inside, for close().
  struct Entry {
    explicit Entry(Pool& inside) : pool(inside) { pool.callers_.fetch_add(1); }
    ~Entry() { pool.callers_.fetch_sub(1); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    Pool& pool;
  };

 public:
  // ---- looking inside -----------------------------------------------------------------------

  // Keeps environments to its owner, as if they had work in flight. Throws if one of them has. As
  // check() and submit(), made and unmade by one thread at a time.
  class Hold {
   public:
    Hold(Pool& pool, const uint32_t* ids, uint32_t n) : entry_(pool), ids_(ids), n_(n) {
      pool.check_usable();
      pool.check_library();
      const std::lock_guard<SpinLock> lock(pool.state_lock_);
      pool.admission_.check(ids, n, Op::reset, pool.circulation_.in_flight() == 0,
                            pool.watchdog_.get());
      mark(1);
      pool.circulation_.hold(n);
    }
    ~Hold() {
      const std::lock_guard<SpinLock> lock(entry_.pool.state_lock_);
      mark(0);
      entry_.pool.circulation_.let_go(n_);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    uint32_t size() const { return n_; }
    uint32_t operator[](uint32_t i) const { return ids_ == nullptr ? i : ids_[i]; }

   private:
    void mark(uint8_t pending) {
      for (uint32_t i = 0; i < n_; ++i) entry_.pool.envs_.pending[(*this)[i]] = pending;
    }
    Entry entry_;
    const uint32_t* ids_;
    uint32_t n_;
  };

  // Calls work(self, lane) for the i-th of these environments while nobody else is in its shard.
  // Throws `verb` as what could not be done, if the environment was never reset (unless `anyhow`)
  // or has failed, and if `work` gives anything but 0.
  template <class Work>
  void look_into(const Hold& envs, uint32_t i, const char* verb, Work&& work, bool anyhow = false) {
    const uint32_t env = envs[i];
    const std::string name = "environment " + std::to_string(env);
    if ((envs_.started[env] == 0 && !anyhow) || envs_.failed[env] != 0) {
      throw Error(ErrorKind::reset_needed,
                  name + (envs_.failed[env] != 0 ? " failed earlier" : " was never reset") +
                      ", so it cannot be " + verb + ": reset it first");
    }
    Shard& shard = shard_of(env);
    const ErrorSink sink;
    const ShardLock lock(shard, exclusive());
    if (work(shard.self, env - shard.base) == 0) return;
    throw Error(ErrorKind::access, name + " could not be " + verb + ": " + sink.text());
  }

  // look_into() for all of them; those in different workers of a backend at the same time. `work`:
  // of (i, self, lane).
  template <class Work>
  void look_into_all(const Hold& envs, const char* verb, Work&& work, bool anyhow = false) {
    std::vector<std::vector<uint32_t>> parts(
        config_.backend == nullptr ? 1 : config_.backend->builders());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      const uint32_t shard = envs[i] / lanes_per_shard_;
      parts[config_.backend == nullptr ? 0 : config_.backend->builder_of(shard)].push_back(i);
    }
    const auto idle = [](const std::vector<uint32_t>& part) { return part.empty(); };
    parts.erase(std::remove_if(parts.begin(), parts.end(), idle), parts.end());
    side_by_side(static_cast<uint32_t>(parts.size()), [&](uint32_t number) {
      for (const uint32_t i : parts[number]) {
        const auto one = [&](void* self, uint32_t lane) { return work(i, self, lane); };
        look_into(envs, i, verb, one, anyhow);
      }
    });
  }

  // Counts an environment as failed: it has to be reset before anything else.
  void quarantine(uint32_t env) { envs_.fail(env); }

  const pp_env& env() const { return env_; }
  const Library& library() const { return library_; }
  // As pp_env.get_extension, wherever the environments live.
  const void* extension(const char* id) const {
    if (config_.backend != nullptr) return config_.backend->extension(id);
    return env_.get_extension == nullptr ? nullptr : env_.get_extension(id);
  }
  // What a reset can be given; NULL: nothing.
  const pp_reset_options* reset_options() const { return reset_options_.extension(); }

  // ---- states -------------------------------------------------------------------------------

  // All that decides the future of these environments, as bytes for set_states() of this or
  // another pool. Throws and changes nothing if one of them has failed or cannot be saved.
  std::vector<std::string> get_states(const Hold& envs) {
    snapshots_.check_offered();
    std::vector<std::string> states;
    states.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      states.push_back(snapshots_.save(shard_of(envs[i]), exclusive(), envs[i]));
    }
    return states;
  }

  // The next step of envs[i] is then what the next step after states[i] was. Throws and changes
  // nothing if a state does not fit. Recovers environments that failed. Where a plugin refuses a
  // state that passed all our checks, its environment counts as failed, and the others are restored
  // all the same.
  void set_states(const Hold& envs, const std::vector<std::string_view>& states) {
    snapshots_.check_offered();
    std::vector<StateView> views;
    views.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      // One state for many environments is checked for damage once.
      const bool same = i > 0 && states[i].data() == states[i - 1].data() &&
                        states[i].size() == states[i - 1].size();
      views.push_back(same ? StateView(views.back()) : StateView(states[i]));
      snapshots_.check(views.back(), envs[i]);
    }
    std::string refused;
    for (uint32_t i = 0; i < envs.size(); ++i) {
      const uint32_t env = envs[i];
      const std::string reason =
          snapshots_.load(shard_of(env), exclusive(), state_lock_, env, views[i]);
      if (reason.empty()) continue;
      refused += (refused.empty() ? "" : "; ") + ("environment " + std::to_string(env)) +
                 " refused its state and has to be reset: " + reason;
    }
    if (!refused.empty()) throw Error(ErrorKind::state, refused);
  }

  // Ends everything: drops what nobody began, waits for what runs, joins the threads unless they
  // are shared, destroys the environments, wakes a waiting recv. Does nothing the second time. In a
  // forked child it only forgets. With step_timeout it waits no longer than that for any
  // environment; what a thread that is stuck may touch is then left behind, its environments are
  // not destroyed, and the thread ends when it comes out, or with the process.
  void close() {
    if (closed_.exchange(true)) return;
    // The threads exist in the parent only; joining or destroying would hang.
    if (fork_guard_.forked()) return;
    queue_.drop();
    {
      const std::lock_guard<std::mutex> lock(done_mutex_);
      done_.notify_all();
    }
    end_threads();
    // A caller in wait() sees the flag within its current run.
    while (callers_.load() != 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    destroy_shards();
    // A thread left behind may be about to finish a row of them.
    if (left_behind_) return;
    circulation_.drop();
  }

  // One share of the queue. Called by workers and by a waiting caller.
  bool work() override {
    // Runs that take long are claimed one by one: a caller looks for signals between two claims,
    // and what is claimed behind a step that hangs would never be done.
    const bool one = heavy() || watchdog_ != nullptr;
    Run runs[RunQueue::most];
    const uint32_t count = one ? queue_.claim(UINT32_MAX, runs)
                               : queue_.claim(threads_->size() + 1, runs, synchronous() && light());
    if (count == 0) return false;
    execute(runs, count);
    return true;
  }

 private:
  static constexpr double small_nanoseconds = 20000.0;  // about twice what waking a thread costs
  static constexpr double heavy_nanoseconds = 1e6;
  static constexpr double light_nanoseconds = 300.0;

  // Whether times say something about whether a call is worth sharing: it has a caller who does
  // all of it if nobody helps, and steps that take as long as those before.
  bool learns_sharing() const {
    return synchronous() && threads_->size() > 0 && config_.backend == nullptr &&
           watchdog_ == nullptr && (env_.flags & PP_ENV_LATE_ROWS) == 0u;
  }
  bool too_little(uint32_t n) const {
    const double each = nanoseconds_.load(std::memory_order_relaxed);
    return each > 0.0 && each * n < Sharing::too_little;
  }

  using Clock = std::chrono::steady_clock;
  static double nanoseconds(Clock::time_point time) {
    return std::chrono::duration<double, std::nano>(time.time_since_epoch()).count();
  }

  // Whether steps take so little that what is done for each run of a shard counts.
  bool light() const {
    const double each = nanoseconds_.load(std::memory_order_relaxed);
    return each > 0.0 && each < light_nanoseconds && (env_.flags & PP_ENV_LATE_ROWS) == 0u;
  }

  // Whether a step takes so long that one at a time is little enough.
  bool heavy() const { return nanoseconds_.load(std::memory_order_relaxed) > heavy_nanoseconds; }

  // ---- building -----------------------------------------------------------------------------

  static bool synchronous(const PoolConfig& config) { return config.batch_size == config.num_envs; }

  // A synchronous caller is one of the threads; an asynchronous one has better things to do. Nor
  // has one who must not be the one that hangs.
  static uint32_t callers(const PoolConfig& config) {
    return synchronous(config) && config.step_timeout == 0.0 ? 1 : 0;
  }

  // What was left to be decided.
  static PoolConfig decide(PoolConfig config) {
    if (config.batch_size == 0) config.batch_size = config.num_envs;
    if (config.threads != nullptr) config.num_threads = config.threads->size() + callers(config);
    if (config.num_threads == 0) config.num_threads = std::min(config.batch_size, usable_cpus());
    config.num_threads = std::min(config.num_threads, config.num_envs);  // others would never work
    return config;
  }

  std::unique_ptr<Players> make_players() const {
    if (!spec_.multi_player()) return nullptr;
    return std::make_unique<Players>(spec_, env_.id, config_.num_envs, config_.statistics);
  }

  void make_room_for_actions() {
    actions_.resize(spec_.fields.size());
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (layout_.is_action(f)) actions_[f].assign(spec_.fields[f].row_bytes * config_.num_envs, 0);
    }
  }

  void build(const std::vector<const OptionValues*>& options) {
    Builder builder(env_, shards_, config_.backend, exclusive(), options);
    const uint32_t helpers = config_.backend != nullptr ? config_.backend->builders() - 1 : 0;
    std::shared_ptr<ThreadPool> others;  // a pool that waits for others has few threads of its own
    try {
      if (helpers > 0) {
        others = ThreadPool::make(helpers);
        others->attach(&builder);
        others->notify(helpers);
      }
      threads_->attach(&builder);
    } catch (...) {
      threads_->detach(this);
      throw;
    }
    threads_->notify(threads_->size());
    // Threads that were given places build alone, so that what they build lies near them.
    while ((!threads_->placed() || threads_->size() == 0) && builder.work()) {
    }
    while (!builder.done()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    threads_->detach(&builder);
    if (others != nullptr) others->detach(&builder);
    if (builder.error().empty()) return;
    threads_->detach(this);
    if (config_.threads == nullptr) threads_->join();
    destroy_shards();
    closed_.store(true);
    throw Error(ErrorKind::environment, builder.error());
  }

  void end_threads() {
    if (watchdog_ == nullptr) {
      threads_->detach(this);
      if (config_.threads == nullptr) threads_->join();
      return;
    }
    const auto only_stuck = [this] { return watchdog_->only_stuck_inside(); };
    const bool ended = threads_->end(this, only_stuck);
    left_behind_ = !(watchdog_->dismiss(this, only_stuck) && ended);
    // Neither of them is destroyed then, because the pool is not: see Closer.
  }

  // No thread of this pool is left, or only such as are stuck; another pool of an exclusive library
  // may be at work.
  void destroy_shards() {
    if (left_behind_ && exclusive() != nullptr) return;  // it holds the library
    for (Shard& shard : shards_) {
      if (left_behind_ && watchdog_->stuck(shard.base)) continue;
      const MaybeLock lock(exclusive());
      if (shard.self != nullptr) shard.env->destroy(shard.self);
      shard.self = nullptr;
    }
  }

  // ---- checks -------------------------------------------------------------------------------

  void check_usable() const {
    if (fork_guard_.forked()) {
      throw Error(
          ErrorKind::forked,
          "this pool was made before the process forked, and its threads stayed in the parent. "
          "Make the pool in the child, or use the 'spawn' start method");
    }
    if (closed()) throw Error(ErrorKind::closed, "the pool is closed");
  }

  // Where one environment at a time may work and one does not come out, none ever will.
  void check_library() const {
    if (exclusive() == nullptr || library_.stuck().load() == 0) return;
    throw Error(ErrorKind::stuck,
                std::string("an environment of ") + library_.plugin().name +
                    " does not come out of a step that exceeded step_timeout, and its library is "
                    "used by one environment at a time. Nothing of it can go on in this process");
  }

  // ---- stepping -----------------------------------------------------------------------------

  // Of the library, where one environment at a time may work; else NULL.
  std::mutex* exclusive() const {
    return (env_.flags & PP_ENV_EXCLUSIVE) == 0u ? nullptr : &library_.exclusive();
  }

  Shard& shard_of(uint32_t env) { return shards_[env / lanes_per_shard_]; }

  // Rows that are written: so many of a batch, or none.
  struct Rows {
    Batch* batch = nullptr;
    uint32_t count = 0;
  };

  struct Call {
    Pool* pool;
    Shard* shard;
    Batch* batch;
    uint32_t row;
  };

  // Tells the backend what execute() of this run will ask.
  void announce(const Run& run) {
    Shard& shard = shards_[run.shard];
    const uint32_t env0 = shard.base + run.first;
    // Not needed, so nobody waits for it: an earlier run of this shard may take long, and our
    // caller may hold what the environments want, such as Python's lock.
    const std::unique_lock<SpinLock> lock(shard.lock, std::try_to_lock);
    if (!lock) return;
    choose(shard, env0, run.count);
    if (reset_options_.waiting()) {
      const ErrorSink sink;  // what begins the resets says it again, to its own
      reset_options_.set(shard, run.first, run.count, shard.reset_mask.data());
    }
    const bool refused =
        refused_.enabled() && refused_.leave_out(env0, run.count, shard.step_mask.data());
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      shard.fields[f] = layout_.is_action(f) ? action_row(f, env0) : nullptr;
    }
    config_.backend->begin(shard.self, {run.first, run.count, shard.step_mask.data(),
                                        shard.reset_mask.data(), shard.seed_mask.data(),
                                        envs_.seed.data() + env0, shard.fields.data(), refused});
  }

  // Which of these environments are stepped, which are reset, and which of those with a seed.
  void choose(Shard& shard, uint32_t env0, uint32_t count) const {
    row_loops::choose(count, reinterpret_cast<const uint8_t*>(envs_.op.data()) + env0,
                      envs_.ended.data() + env0, envs_.seed_pending.data() + env0,
                      shard.step_mask.data(), shard.reset_mask.data(), shard.seed_mask.data());
  }

  void execute(const Run* runs, uint32_t count) {
    for (uint32_t i = 0; i < count;) {
      if (watchdog_ != nullptr) {
        execute_watched(runs[i++]);
        continue;
      }
      // Rows of one batch are of use only together. Time and rows are told for all of them at once:
      // every thread writes there.
      const auto start = Clock::now();
      uint32_t stepped = 0;
      Rows done;
      do {
        const Rows rows = step_run(runs[i]);
        done = {rows.batch, done.count + rows.count};
        stepped += runs[i++].count;
      } while (i < count && runs[i].batch != nullptr && runs[i].batch == done.batch);
      measure(start, stepped);
      // Only now: who waits for these rows may want the shard at once, and take our CPU.
      complete(done);
    }
  }

  // Runs that are done at once, some together where steps are light.
  struct Group {
    uint32_t count = 0;
    Run runs[16];
  };

  // Whether to go on like that: what turns out to be heavy is better done where others can help and
  // Ctrl-C is listened to.
  bool step_at_once(const Run& run, Group& group) {
    group.runs[group.count++] = run;
    if (group.count < std::size(group.runs) && shards_.size() > 1 && light()) return true;
    execute(group.runs, group.count);
    group.count = 0;
    return !heavy();
  }

  // The rows that are left to be completed.
  Rows step_run(const Run& run) {
    Shard& shard = shards_[run.shard];
    const ShardLock lock(shard, exclusive());
    return run.batch != nullptr ? step_rows(shard, run.first, run.count, run.batch, run.row)
                                : step_and_claim(shard, run);
  }

  // Rows are claimed when they are needed.
  Rows step_and_claim(Shard& shard, const Run& run) {
    Rows last;
    if ((env_.flags & PP_ENV_LATE_ROWS) != 0u) {
      for (uint32_t i = 0; i < run.count; ++i) {
        complete(last);
        last = step_rows(shard, run.first + i, 1, nullptr, 0);
      }
      return last;
    }
    for (uint32_t first = run.first, left = run.count; left > 0;) {
      complete(last);
      uint32_t row = 0;
      uint32_t count = left;
      Batch* batch = circulation_.claim(&count, &row);
      last = step_rows(shard, first, count, batch, row);
      first += count;
      left -= count;
    }
    return last;
  }

  void measure(Clock::time_point start, uint32_t count) {
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    const double each = took.count() / count;
    const double before = nanoseconds_.load(std::memory_order_relaxed);
    nanoseconds_.store(before == 0.0 ? each : before + (each - before) / 16,
                       std::memory_order_relaxed);
  }

  // One environment, for shards have one lane then. Its row is claimed when it has come out.
  void execute_watched(const Run& run) {
    Shard& shard = shards_[run.shard];
    const auto start = Clock::now();
    const bool waits = exclusive() != nullptr;
    watchdog_->enter(shard.base, run.batch, run.row, waits);
    std::unique_lock<std::mutex> library;
    if (waits) {
      library = std::unique_lock<std::mutex>(library_.exclusive(), std::defer_lock);
      while (!watchdog_->gave_up(shard.base) && !library.try_lock()) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      if (!watchdog_->begin(shard.base)) return;
    }
    if (closed_.load()) {
      watchdog_->leave(shard.base);
      return;
    }
    Rows done;
    {
      const std::lock_guard<SpinLock> lock(shard.lock);
      done = step_rows(shard, 0, 1, run.batch, run.row);
    }
    if (waits) library.unlock();
    measure(start, 1);
    complete(done);
  }

  // Fills the row of an environment that does not come out, for every one of them, and gets
  // threads in place of those that are lost.
  void answer_for_stuck() {
    bool news = false;
    watchdog_->look([&](uint32_t env, Batch* batch, uint32_t row) {
      news = true;
      uint32_t one = 1;
      if (batch == nullptr) batch = circulation_.claim(&one, &row);
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", watchdog_->seconds());
      finisher_.record_timeout(env, batch, row,
                               "no answer within step_timeout=" + std::string(seconds) +
                                   " seconds; its step or reset cannot be stopped");
      finisher_.note_ended(1, batch, row);
      complete({batch, 1});
    });
    if (news) watchdog_->reinforce(this);
  }

  // The plugin has returned from the one environment of this shard: its row goes from the
  // watchdog's batch to the answer's. False if nobody waits for it any more.
  bool come_out(const Shard& shard, Batch** batch, uint32_t* row) {
    if (!watchdog_->leave(shard.base)) return false;
    uint32_t one = 1;
    if (*batch == nullptr) *batch = circulation_.claim(&one, row);
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (!layout_.is_action(f)) copy_private_row(shard.base, f, *batch, *row);
    }
    return true;
  }
  void copy_private_row(uint32_t env, size_t field, Batch* batch, uint32_t row) {
    const size_t column = layout_.column_of_field(field);
    std::memcpy(layout_.bytes(batch, column, row),
                layout_.bytes(watchdog_->private_batch(env), column, watchdog_->private_row(env)),
                layout_.column(column).row_bytes);
  }

  static void claim_rows(const pp_lanes* lanes) {
    Call& call = *static_cast<Call*>(lanes->host_data);
    if (call.batch != nullptr) return;
    uint32_t count = 1;
    call.batch = call.pool->circulation_.claim(&count, &call.row);
    call.pool->point(*call.shard, call.batch, call.row);
  }

  // Sets the output pointers of a call.
  void point(Shard& shard, Batch* batch, uint32_t row) {
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (layout_.is_action(f)) continue;
      shard.fields[f] =
          batch == nullptr ? nullptr : layout_.bytes(batch, layout_.column_of_field(f), row);
    }
  }
  // Actions are for the step only.
  void point_at_actions(Shard& shard, uint32_t env0) {
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (layout_.is_action(f)) shard.fields[f] = action_row(f, env0);
    }
  }
  void forget_actions(Shard& shard) const {
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (layout_.is_action(f)) shard.fields[f] = nullptr;
    }
  }

  // Steps or resets lanes first .. first + count - 1 and finishes their rows, which the caller then
  // completes. `batch` NULL: late rows.
  Rows step_rows(Shard& shard, uint32_t first, uint32_t count, Batch* batch, uint32_t row) {
    const uint32_t env0 = shard.base + first;
    choose(shard, env0, count);
    const uint32_t n_reset = row_loops::count(count, shard.reset_mask.data());
    const uint32_t n_seed = row_loops::count(count, shard.seed_mask.data());
    const uint32_t n_refused =
        refused_.enabled()
            ? refused_.take_out(env0, count, shard.step_mask.data(), envs_.elapsed.data())
            : 0;

    Call call{this, &shard, batch, row};
    if (watchdog_ != nullptr) {
      call.batch = watchdog_->private_batch(env0);
      call.row = watchdog_->private_row(env0);
    }
    point(shard, call.batch, call.row);
    if (watchdog_ != nullptr) watchdog_->start(env0);
    pp_lanes lanes{sizeof(pp_lanes),    first,       count, 0u, nullptr, nullptr,
                   shard.fields.data(), &claim_rows, &call};
    ErrorSink sink;
    int32_t status = 0;
    if (n_reset + n_refused < count) {
      point_at_actions(shard, env0);
      lanes.mask = n_reset + n_refused == 0 ? nullptr : shard.step_mask.data();
      status |= n_refused > 0 ? step_selected(shard, lanes) : env_.step(shard.self, &lanes);
    }
    if (n_reset > 0) status |= reset_lanes(shard, lanes, n_reset, n_seed);
    if (watchdog_ != nullptr) {
      call.batch = batch;
      call.row = row;
      if (!come_out(shard, &call.batch, &call.row)) return {};
    }
    if (call.batch == nullptr) claim_rows(&lanes);  // it wrote nothing, as when it failed early
    finisher_.finish(shard, env0, count, n_reset + n_refused, call.batch, call.row);
    if (n_refused > 0) finisher_.answer_refused(refused_, env0, count, call.batch, call.row);
    if (config_.statistics) finisher_.count_episodes(shard, env0, count, call.batch, call.row);
    // A kernel that failed without saying where may have failed everywhere: then nothing is reset.
    if (config_.autoreset == Autoreset::same_step && (status == 0 || !sink.empty())) {
      const int32_t anew = begin_anew(shard, lanes, sink, call.batch, call.row);
      if (anew == given_up) return {};
      status |= anew;
    }
    if (status != 0 || !sink.empty()) {
      finisher_.record(sink, shard, first, count, call.batch, call.row);
    }
    finisher_.note_ended(count, call.batch, call.row);  // after record(): who failed has not ended
    if (refused_.enabled()) refused_.remember(env0, count, call.batch, call.row);
    return {call.batch, count};
  }

  // Resets the lanes in shard.reset_mask: first those in shard.seed_mask, with their seeds.
  int32_t reset_lanes(Shard& shard, pp_lanes& lanes, uint32_t n_reset, uint32_t n_seed) {
    const uint32_t count = lanes.count;
    const uint32_t env0 = shard.base + lanes.first;
    int32_t status = 0;
    forget_actions(shard);
    const bool with_options = reset_options_.waiting();
    if (with_options) {
      status |= reset_options_.set(shard, lanes.first, count, shard.reset_mask.data());
    }
    if (n_seed > 0) {
      for (uint32_t i = 0; i < count; ++i) {
        shard.seed[i] = envs_.seed[env0 + i];
        if (shard.seed_mask[i] != 0) envs_.seed_pending[env0 + i] = 0;
      }
      lanes.seed = shard.seed.data();
      lanes.mask = n_seed == count ? nullptr : shard.seed_mask.data();
      status |= env_.reset(shard.self, &lanes);
      for (uint32_t i = 0; i < count; ++i)
        shard.reset_mask[i] &= static_cast<uint8_t>(~shard.seed_mask[i] & 1);
    }
    if (n_reset > n_seed) {
      lanes.seed = nullptr;
      lanes.mask = n_reset == count && n_seed == 0 ? nullptr : shard.reset_mask.data();
      status |= env_.reset(shard.self, &lanes);
    }
    if (with_options) status |= reset_options_.take_back(shard, lanes.first, count);
    return status;
  }

  // As env_.step, one by one: who is not in the mask is really left alone. Kernels may step lanes
  // that wait for a reset, which nobody looks at before; one whose step was refused may be drawn or
  // saved first.
  int32_t step_selected(Shard& shard, pp_lanes lanes) {
    const std::vector<void*> rows = shard.fields;
    const uint32_t first = lanes.first;
    const uint32_t count = lanes.count;
    lanes.mask = nullptr;
    lanes.count = 1;
    int32_t status = 0;
    row_loops::for_each(count, shard.step_mask.data(), 1, [&](uint32_t i) {
      lanes.first = first + i;
      for (size_t f = 0; f < rows.size(); ++f) {
        if (rows[f] == nullptr) continue;
        shard.fields[f] = static_cast<char*>(rows[f]) + i * spec_.fields[f].row_bytes;
      }
      status |= env_.step(shard.self, &lanes);
    });
    std::copy(rows.begin(), rows.end(), shard.fields.begin());
    return status;
  }

  static constexpr int32_t given_up = INT32_MIN;  // of begin_anew: nobody waits any more

  // SAME_STEP: puts the last rows of ended episodes aside and resets those environments in place.
  int32_t begin_anew(Shard& shard, pp_lanes& lanes, const ErrorSink& sink, Batch* batch,
                     uint32_t row) {
    const uint32_t count = lanes.count;
    const uint32_t env0 = shard.base + lanes.first;
    uint8_t* ended = envs_.ended.data() + env0;
    // An environment that failed is not reset behind its user's back.
    for (const EnvFailure& failure : sink.failures()) {
      for (uint32_t i = 0; i < count; ++i) {
        if (failure.env == PP_ALL_LANES || failure.env == lanes.first + i) ended[i] = 0;
      }
    }
    if (!finisher_.put_aside(env0, count, batch, row)) return 0;
    std::memcpy(shard.reset_mask.data(), ended, count);
    // The rewards and flags of the step that ended stay: the reset writes its own elsewhere.
    double* reward = layout_.rewards(batch, row);
    shard.reward.assign(reward, reward + size_t{count} * layout_.reward_width());
    forget_actions(shard);
    lanes.mask = shard.reset_mask.data();
    lanes.seed = nullptr;
    if (watchdog_ != nullptr) {
      watchdog_->enter(env0, batch, row);
      if (closed_.load()) {
        watchdog_->leave(env0);
        return given_up;
      }
      watchdog_->start(env0);
    }
    const int32_t status = env_.reset(shard.self, &lanes);
    if (watchdog_ != nullptr) {
      if (!watchdog_->leave(env0)) return given_up;
      for (size_t f = 0; f < layout_.num_fields(); ++f) {
        if (layout_.is_said_again(f)) copy_private_row(env0, f, batch, row);
      }
    }
    std::memcpy(reward, shard.reward.data(), shard.reward.size() * sizeof(double));
    finisher_.begin_anew(shard, env0, count, batch, row);
    return status;
  }

  // ---- handing out --------------------------------------------------------------------------

  void complete(const Rows& written) {
    if (written.batch == nullptr) return;
    const uint32_t rows = written.batch->rows;  // once the last row is in, the batch may be gone
    if (written.batch->done.fetch_add(written.count) + written.count != rows) return;
    completed_.fetch_add(1);
    if (waiting_.load() == 0) return;
    {
      // Whoever counts as waiting now sleeps, or sees the count.
      const std::lock_guard<std::mutex> lock(done_mutex_);
    }
    done_.notify_all();
  }

  bool any_complete() {
    const std::lock_guard<SpinLock> lock(state_lock_);
    return circulation_.any_complete();
  }

  Library& library_;
  const pp_env& env_;
  const PoolConfig config_;
  const EnvSpec spec_;
  ForkGuard fork_guard_;

  std::unique_ptr<Players> players_;  // NULL unless the environment has fields per player
  Layout layout_;
  std::vector<std::vector<char>> actions_;  // by field, rows by environment
  EnvTable envs_;

  SpinLock state_lock_;  // submit() and take() hold it for moments
  Admission admission_;  // who may be submitted
  Finisher finisher_;    // the host's part of a row
  Snapshots snapshots_;
  ResetOptions reset_options_;
  RefusedSteps refused_;
  Circulation circulation_;  // batches on their way

  const uint32_t lanes_per_shard_;
  std::vector<Shard> shards_;
  RunQueue queue_;
  std::shared_ptr<ThreadPool> threads_;
  std::unique_ptr<Watchdog> watchdog_;    // NULL without step_timeout
  bool left_behind_ = false;              // threads that are stuck: this object must stay
  std::atomic<double> nanoseconds_{0.0};  // of one step of one environment, a running mean
  std::unique_ptr<Sharing> sharing_;      // NULL: every call is shared that is not small

  uint32_t wait_spins_ = 0;
  std::mutex done_mutex_;
  std::condition_variable done_;
  std::atomic<uint32_t> waiting_{0};
  std::atomic<uint64_t> completed_{0};  // batches
  std::atomic<uint32_t> callers_{0};
  std::atomic<bool> closed_{false};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_POOL_HPP_
