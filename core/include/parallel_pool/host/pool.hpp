// parallel_pool/host/pool.hpp: many environments, stepped in batches by several threads.
//
// The largest file of the core, because the life of a step is one piece: submit() checks and
// queues, work() steps shards and finishes their rows, wait() hands a batch out. Promises:
//  - an environment's trajectory depends on its seed, its options and its actions only, never on
//  thread
//    count, batch size, shard size or timing;
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
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/backend.hpp"
#include "parallel_pool/host/batch.hpp"
#include "parallel_pool/host/error.hpp"
#include "parallel_pool/host/fork_guard.hpp"
#include "parallel_pool/host/library.hpp"
#include "parallel_pool/host/options.hpp"
#include "parallel_pool/host/placement.hpp"
#include "parallel_pool/host/players.hpp"
#include "parallel_pool/host/refused_steps.hpp"
#include "parallel_pool/host/reset_options.hpp"
#include "parallel_pool/host/row_loops.hpp"
#include "parallel_pool/host/run_queue.hpp"
#include "parallel_pool/host/shard.hpp"
#include "parallel_pool/host/spec.hpp"
#include "parallel_pool/host/state.hpp"
#include "parallel_pool/host/thread_pool.hpp"
#include "parallel_pool/host/watchdog.hpp"

namespace pp::host {

enum class Autoreset : uint8_t {
  next_step,  // the step after the end resets: reward 0, no flags, action ignored
  same_step,  // the step that ends an episode also begins the next; what ended is in the final
              // columns
  disabled,   // stepping an ended environment is an error; the caller resets
};

enum class Op : uint8_t { step, reset };

struct PoolConfig {
  uint32_t num_envs = 1;
  uint32_t batch_size = 0;   // 0: num_envs, a synchronous pool
  uint32_t num_threads = 0;  // 0: as many as can run, at most batch_size
  Placement placement;       // of the pool's own threads
  // Not NULL: threads shared with other pools; then num_threads and placement are theirs.
  std::shared_ptr<ThreadPool> threads;
  int64_t max_episode_steps = -1;  // -1: the environment's own; 0: no limit
  Autoreset autoreset = Autoreset::next_step;
  std::vector<uint64_t> seeds;  // one per environment
  bool reward32 = false;        // fill the float32 reward column
  bool dm_columns = false;      // fill the discount and step_type columns
  bool statistics = false;      // fill the episode columns
  bool refuse_steps = false;    // refuse_step() will be called
  double step_timeout = 0.0;    // seconds after which a step counts as hung; 0: never
  bool flat_players = false;    // hand per-player columns out as [players present][...], not padded
  Backend* backend = nullptr;   // where shards live, if not here; outlives the pool
};

// Columns that the host adds after those of the spec's outputs.
enum HostColumn : uint32_t {
  column_env_id,          // int32
  column_elapsed_step,    // int32: steps in this episode, 0 after a reset
  column_terminated,      // bool
  column_truncated,       // bool: the environment's own or the time limit
  column_reward32,        // float32 copy of the reward (scalar rewards only)
  column_discount,        // float64: the environment's, or 1 - terminated
  column_step_type,       // int32: 0 first, 1 mid, 2 last, as dm_env counts
  column_ended,           // bool: terminated or truncated
  column_episode_return,  // float64: the sum of the rewards of the episode that ends here, else 0
  column_episode_length,  // int32: its steps, else 0
  column_episode_time,    // float64: the seconds since its reset, else 0
  host_columns,
};

class Pool final : public WorkSource {
 public:
  // `options`: one per environment, or one for all. Builds the environments in the pool's threads.
  Pool(Library& library, const pp_env& env, PoolConfig config,
       const std::vector<const OptionValues*>& options, EnvSpec spec)
      : library_(library),
        env_(env),
        config_(std::move(config)),
        spec_(std::move(spec)),
        queue_(config_.num_envs) {
    if (config_.batch_size == 0) config_.batch_size = config_.num_envs;
    const uint32_t n = config_.num_envs;
    synchronous_ = config_.batch_size == n;
    // A synchronous caller is one of the threads; an asynchronous one has better things to do. Nor
    // has one who must not be the one that hangs.
    const uint32_t callers = synchronous_ && config_.step_timeout == 0.0 ? 1 : 0;
    if (config_.threads != nullptr) config_.num_threads = config_.threads->size() + callers;
    if (config_.num_threads == 0) config_.num_threads = std::min(config_.batch_size, usable_cpus());
    config_.num_threads = std::min(config_.num_threads, n);  // more would never have work
    const int64_t steps =
        config_.max_episode_steps >= 0 ? config_.max_episode_steps : spec_.max_episode_steps;
    time_limit_ =
        steps == 0 || steps >= no_time_limit ? no_time_limit : static_cast<int32_t>(steps);
    check_library();
    lay_out();
    pending_.assign(n, 0);
    op_.assign(n, Op::reset);
    started_.assign(n, 0);
    ended_.assign(n, 0);
    failed_.assign(n, 0);
    seed_pending_.assign(n, 1);
    seed_ = config_.seeds;
    elapsed_.assign(n, 0);
    return_.assign(n, 0.0);
    began_.assign(n, 0.0);
    stamp_.assign(n, 0);
    open_.reserve(synchronous_ ? n : n / config_.batch_size + 2);
    make_shards();
    if (config_.step_timeout > 0.0) {
      watchdog_ = std::make_unique<Watchdog>(
          n, config_.step_timeout, *store_, config_.batch_size,
          (env_.flags & PP_ENV_EXCLUSIVE) != 0u ? &library_.stuck() : nullptr);
    }
    if (config_.refuse_steps) refused_.enable(n, repeated_columns());
    threads_ = config_.threads != nullptr
                   ? config_.threads
                   : ThreadPool::make(config_.num_threads - callers, config_.placement);
    // Spinning helps only if it takes no CPU from a worker.
    wait_spins_ = threads_->size() < usable_cpus() ? 2000 : 50;
    find_state_extension(options);
    reset_options_ = ResetOptions(env_, n);
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
  const std::vector<Column>& columns() const { return columns_; }
  // The column of a spec field that is an output, or of a host column.
  size_t column_of_field(size_t field) const { return column_of_field_[field]; }
  size_t column_of(HostColumn which) const { return columns_.size() - host_columns + which; }
  // SAME_STEP pools only: where the last row of an episode that ended goes, for observations and
  // info. Rows of episodes that did not end are zeros for info and anything for observations.
  size_t final_column_of_field(size_t field) const { return final_column_of_field_[field]; }
  bool synchronous() const { return synchronous_; }
  // Living threads of its own: none where it uses those of a ThreadPool that others use too.
  uint32_t own_threads() const {
    return config_.threads != nullptr || threads_->stopped() ? 0 : threads_->size();
  }
  // NULL unless the environment has fields per player.
  const Players* players() const { return players_.get(); }
  uint32_t num_shards() const { return static_cast<uint32_t>(shards_.size()); }
  const BatchStore& store() const { return *store_; }
  double nanoseconds_per_env_step() const { return nanoseconds_.load(std::memory_order_relaxed); }
  bool closed() const { return closed_.load(std::memory_order_relaxed); }
  // Environments that have ended and wait for a reset (DISABLED) or will be reset by the next step.
  const std::vector<uint8_t>& ended() const { return ended_; }

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
    check_locked(ids, n, op);
  }

  // Throws if anything is on its way.
  void check_idle() {
    const std::lock_guard<SpinLock> lock(state_lock_);
    if (in_flight_ == 0) return;
    throw Error(ErrorKind::busy,
                "results of an earlier send() were not received: call recv() first");
  }

  // The seed that the next reset of this environment begins with.
  void set_seed(uint32_t env, uint64_t seed) {
    seed_[env] = seed;
    seed_pending_[env] = 1;
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
    {
      const std::lock_guard<SpinLock> lock(state_lock_);
      if (synchronous_) {
        batch = store_->acquire(n);
        open_.push_back(batch);
      } else {
        while (provisioned_ < submitted_ + n) {
          Batch* more = store_->acquire(config_.batch_size);
          open_.push_back(more);
          provisioned_ += config_.batch_size;
          const std::lock_guard<SpinLock> claim_lock(claim_lock_);
          unclaimed_.push(more);
        }
      }
      submitted_ += n;
      in_flight_ += n;
      if (ids == nullptr) {
        std::memset(pending_.data(), 1, n);
        std::memset(op_.data(), static_cast<int>(op), n);
      } else {
        for (uint32_t i = 0; i < n; ++i) {
          pending_[ids[i]] = 1;
          op_[ids[i]] = op;
        }
      }
      if (op == Op::reset) {
        for (uint32_t i = 0; i < n; ++i) begin_reset(ids == nullptr ? i : ids[i]);
      }
    }

    bool at_once = small(n);
    uint32_t queued = 0;
    const auto emit = [&](const Run& run) {
      if (config_.backend != nullptr && synchronous_) announce(run);
      if (at_once) {
        execute(run);
        // Not so small after all: the rest where others can help and Ctrl-C is listened to.
        at_once = !heavy();
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
    if (queued > 0 && threads_->size() > 0) threads_->notify(queued);
    if (watchdog_ != nullptr) watchdog_->notify();
  }

  // Whether work on n environments is so little that handing it to another thread costs more.
  bool small(uint32_t n) const {
    if (config_.backend != nullptr) return false;  // whoever waits for others must not do it here
    // Differently long, by their own declaration: past steps say nothing about the next.
    if ((env_.flags & PP_ENV_LATE_ROWS) != 0u || watchdog_ != nullptr) return false;
    const double each = nanoseconds_.load(std::memory_order_relaxed);
    if (each == 0.0) return env_.preferred_lanes > 1 && n <= 64;
    // A worker that spins costs next to nothing to reach; one that sleeps has to be woken.
    return each * n < (threads_->awake() ? small_nanoseconds / 4 : small_nanoseconds);
  }

  // ---- receiving ----------------------------------------------------------------------------

  // The next finished batch, or NULL if none is finished yet. Throws if none is on its way. The
  // caller owns the batch and gives it to BatchStore::release. Answers of a synchronous pool come
  // in the order of the questions, those of an asynchronous one as they are ready.
  Batch* take() {
    Batch* batch = take_complete();
    if (batch != nullptr && config_.flat_players && players_ != nullptr) players_->compact(*batch);
    return batch;
  }

  // take() without the last touch: rows of players are not flat yet.
  Batch* take_complete() {
    check_usable();
    if (watchdog_ != nullptr) answer_for_stuck();
    const std::lock_guard<SpinLock> lock(state_lock_);
    if (synchronous_ ? open_.empty() : submitted_ - received_ < config_.batch_size)
      nothing_pending();
    const size_t last = synchronous_ ? 1 : open_.size();
    for (size_t i = 0; i < last; ++i) {
      Batch* batch = open_[i];
      if (!batch->complete()) continue;
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      if (batch->rows == config_.num_envs) {
        std::memset(pending_.data(), 0, pending_.size());
      } else {
        const int32_t* env_id = rows<int32_t>(batch, column_of(column_env_id), 0);
        for (uint32_t r = 0; r < batch->rows; ++r) pending_[static_cast<uint32_t>(env_id[r])] = 0;
      }
      in_flight_ -= batch->rows;
      received_ += batch->rows;
      return batch;
    }
    return nullptr;
  }

  // As take(), but waits. `interrupted` is asked every 20 ms or so; when it says true, NULL is
  // returned and nothing is lost: the batch comes with the next take() or wait(). Deadlines are its
  // business too.
  template <class Interrupted>
  Batch* wait(Interrupted&& interrupted) {
    const Entry entry(*this);
    uint32_t spins = 0;
    auto last_look = std::chrono::steady_clock::now();
    for (;;) {
      if (Batch* batch = take()) return batch;
      // A synchronous caller takes its share of the work, when that means no waiting elsewhere.
      const bool arrived = config_.backend == nullptr || !synchronous_ ||
                           config_.backend->arrived(std::chrono::milliseconds(15));
      const bool worked = synchronous_ && watchdog_ == nullptr && arrived && work();
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
      pool.check_locked(ids, n, Op::reset);
      mark(1);
      pool.in_flight_ += n;
    }
    ~Hold() {
      const std::lock_guard<SpinLock> lock(entry_.pool.state_lock_);
      mark(0);
      entry_.pool.in_flight_ -= n_;
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    uint32_t size() const { return n_; }
    uint32_t operator[](uint32_t i) const { return ids_ == nullptr ? i : ids_[i]; }

   private:
    void mark(uint8_t pending) {
      for (uint32_t i = 0; i < n_; ++i) entry_.pool.pending_[(*this)[i]] = pending;
    }
    Entry entry_;
    const uint32_t* ids_;
    uint32_t n_;
  };

  // Calls work(self, lane) for the i-th of these environments while nobody else is in its shard.
  // Throws `verb` as what could not be done, if the environment was never reset or has failed, and
  // if `work` gives anything but 0.
  template <class Work>
  void look_into(const Hold& envs, uint32_t i, const char* verb, Work&& work) {
    const uint32_t env = envs[i];
    const std::string name = "environment " + std::to_string(env);
    if (started_[env] == 0 || failed_[env] != 0) {
      throw Error(ErrorKind::reset_needed,
                  name + (failed_[env] != 0 ? " failed earlier" : " was never reset") +
                      ", so it cannot be " + verb + ": reset it first");
    }
    Shard& shard = shards_[env / lanes_per_shard_];
    const ErrorSink sink;
    const ShardLock lock(*this, shard);
    if (work(shard.self, env - shard.base) == 0) return;
    throw Error(ErrorKind::access, name + " could not be " + verb + ": " + sink.text());
  }

  // Counts an environment as failed: it has to be reset before anything else.
  void quarantine(uint32_t env) {
    if (failed_[env] != 0) return;
    failed_[env] = 1;
    ended_[env] = 0;
    n_failed_.fetch_add(1);
  }

  const pp_env& env() const { return env_; }
  const Library& library() const { return library_; }

  // ---- states -------------------------------------------------------------------------------

  // All that decides the future of these environments, as bytes for set_states() of this or
  // another pool. Throws and changes nothing if one of them has failed or cannot be saved.
  std::vector<std::string> get_states(const Hold& envs) {
    const pp_state& extension = state_extension();
    std::vector<std::string> states;
    states.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) states.push_back(save(extension, envs[i]));
    return states;
  }

  // The next step of envs[i] is then what the next step after states[i] was. Throws and changes
  // nothing if a state does not fit. Recovers environments that failed. Where a plugin refuses a
  // state that passed all our checks, its environment counts as failed, and the others are restored
  // all the same.
  void set_states(const Hold& envs, const std::vector<std::string_view>& states) {
    const pp_state& extension = state_extension();
    std::vector<StateView> views;
    views.reserve(envs.size());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      const uint32_t env = envs[i];
      // One state for many environments is checked for damage once.
      const bool same = i > 0 && states[i].data() == states[i - 1].data() &&
                        states[i].size() == states[i - 1].size();
      views.push_back(same ? StateView(views.back()) : StateView(states[i]));
      views.back().check(identity(env), env_, players_ == nullptr ? 0 : players_->state_bytes(),
                         "environment " + std::to_string(env));
      if (views.back().host().ended != 0 && config_.autoreset == Autoreset::same_step) {
        throw Error(ErrorKind::state,
                    "the state does not fit environment " + std::to_string(env) +
                        ": its episode has ended and waits for a reset, which never happens with "
                        "SAME_STEP autoreset");
      }
    }
    std::string refused;
    for (uint32_t i = 0; i < envs.size(); ++i) {
      const uint32_t env = envs[i];
      const std::string reason = load(extension, env, views[i]);
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
    for (Batch* batch : open_) BatchStore::release(batch);
    open_.clear();
  }

  // One share of the queue. Called by workers and by a waiting caller.
  bool work() override {
    // Runs that take long are claimed one by one: a caller looks for signals between two claims,
    // and what is claimed behind a step that hangs would never be done.
    const bool one = heavy() || watchdog_ != nullptr;
    Run runs[RunQueue::most];
    const uint32_t count = queue_.claim(one ? UINT32_MAX : threads_->size() + 1, runs);
    if (count == 0) return false;
    for (uint32_t i = 0; i < count; ++i) execute(runs[i]);
    return true;
  }

 private:
  static constexpr int32_t no_time_limit = INT32_MAX;
  static constexpr double small_nanoseconds = 20000.0;  // about twice what waking a thread costs
  static constexpr double heavy_nanoseconds = 1e6;

  // Whether a step takes so long that one at a time is little enough.
  bool heavy() const { return nanoseconds_.load(std::memory_order_relaxed) > heavy_nanoseconds; }

  // First in, first out, of fixed capacity.
  class BatchQueue {
   public:
    void reserve(size_t capacity) { slots_.resize(capacity); }
    void push(Batch* batch) {
      slots_[(head_ + size_) % slots_.size()] = batch;
      ++size_;
    }
    Batch* front() const { return slots_[head_]; }
    void pop() {
      head_ = (head_ + 1) % slots_.size();
      --size_;
    }

   private:
    std::vector<Batch*> slots_;
    size_t head_ = 0;
    size_t size_ = 0;
  };

  // ---- building -----------------------------------------------------------------------------

  void find_state_extension(const std::vector<const OptionValues*>& options) {
    const void* offered = config_.backend != nullptr      ? config_.backend->extension(PP_EXT_STATE)
                          : env_.get_extension != nullptr ? env_.get_extension(PP_EXT_STATE)
                                                          : nullptr;
    const auto* found = static_cast<const pp_state*>(offered);
    if (found == nullptr || found->struct_size < sizeof(pp_state)) return;
    state_ = found;
    for (const OptionValues* each : options) {
      option_hashes_.push_back(hash_options(env_, each->data(), *found));
    }
  }

  void lay_out() {
    actions_.resize(spec_.fields.size());
    column_of_field_.assign(spec_.fields.size(), SIZE_MAX);
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      const FieldSpec& field = spec_.fields[f];
      if (field.role == PP_ROLE_ACTION) {
        actions_[f].assign(field.row_bytes * config_.num_envs, 0);
        continue;
      }
      column_of_field_[f] = columns_.size();
      Column column;
      column.dtype = field.dtype;
      if (field.per_player) column.shape.push_back(spec_.max_players);
      column.shape.insert(column.shape.end(), field.shape.begin(), field.shape.end());
      column.row_bytes = field.row_bytes;
      column.per_player = field.per_player;
      columns_.push_back(std::move(column));
    }
    const auto add = [this](uint32_t dtype) {
      columns_.push_back(Column{dtype, {}, item_size(dtype), 0, false});
    };
    final_column_of_field_.assign(spec_.fields.size(), SIZE_MAX);
    if (config_.autoreset == Autoreset::same_step) {
      for (size_t f = 0; f < spec_.fields.size(); ++f) {
        const uint32_t role = spec_.fields[f].role;
        if (role != PP_ROLE_OBS && role != PP_ROLE_INFO) continue;
        final_column_of_field_[f] = columns_.size();
        columns_.push_back(Column(columns_[column_of_field_[f]]));
      }
    }
    if (spec_.multi_player()) {
      players_ = std::make_unique<Players>(spec_, env_.id, config_.num_envs, config_.statistics);
      players_->add_columns(columns_);
    }
    // In the order of HostColumn.
    for (const uint32_t dtype : {PP_INT32, PP_INT32, PP_BOOL, PP_BOOL, PP_FLOAT32, PP_FLOAT64,
                                 PP_INT32, PP_BOOL, PP_FLOAT64, PP_INT32, PP_FLOAT64}) {
      add(dtype);
    }
    if (players_ != nullptr && players_->own_rewards()) {
      reward_width_ = spec_.max_players;
      for (const HostColumn which : {column_reward32, column_discount}) {
        Column& column = columns_[column_of(which)];
        column.shape = {spec_.max_players};
        column.row_bytes *= spec_.max_players;
        column.per_player = true;
      }
    }
    if (players_ != nullptr) players_->use(columns_, column_of_field_);
    store_ = std::make_shared<BatchStore>(columns_, config_.batch_size);
    reward_field_ = static_cast<size_t>(spec_.find(PP_ROLE_REWARD));
    terminated_field_ = static_cast<size_t>(spec_.find(PP_ROLE_TERMINATED));
    truncated_field_ = spec_.find(PP_ROLE_TRUNCATED);
    discount_field_ = spec_.find(PP_ROLE_DISCOUNT);
  }

  // Observations and info, for rows that say them again.
  std::vector<Column> repeated_columns() const {
    std::vector<Column> repeated;
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      const uint32_t role = spec_.fields[f].role;
      if (role != PP_ROLE_OBS && role != PP_ROLE_INFO) continue;
      repeated.push_back(columns_[column_of_field_[f]]);
    }
    return repeated;
  }

  void make_shards() {
    const uint32_t n = config_.num_envs;
    uint32_t lanes = std::max(1u, env_.preferred_lanes);
    // The watchdog names, and gives up, one environment; the others of its shard would be lost too.
    if (config_.step_timeout > 0.0) lanes = 1;
    if (lanes > 1) {
      // Small pools of cheap environments still want every thread to have a shard.
      const uint32_t share =
          (std::min(n, config_.batch_size) + config_.num_threads - 1) / config_.num_threads;
      lanes = std::min(lanes, std::max(share, 16u));
      lanes = std::min(lanes, std::max(1u, config_.batch_size));
    }
    if (config_.backend != nullptr) lanes = config_.backend->lanes_per_shard();
    lanes_per_shard_ = lanes;
    shards_ = std::vector<Shard>((n + lanes - 1) / lanes);
    for (uint32_t s = 0; s < shards_.size(); ++s) {
      Shard& shard = shards_[s];
      shard.env = &env_;
      shard.base = s * lanes;
      shard.count = std::min(lanes, n - shard.base);
      shard.step_mask.resize(shard.count);
      shard.reset_mask.resize(shard.count);
      shard.seed_mask.resize(shard.count);
      shard.seed.resize(shard.count);
      shard.fields.resize(spec_.fields.size());
    }
    unclaimed_.reserve(n / config_.batch_size + 3);
  }

  // Building is often the heaviest thing an environment ever does (ROMs, models): every thread
  // helps.
  class Builder final : public WorkSource {
   public:
    Builder(Pool& pool, const std::vector<const OptionValues*>& options)
        : pool_(pool), options_(options) {}
    bool work() override {
      const uint32_t s = next_.fetch_add(1);
      if (s >= pool_.shards_.size()) return false;
      if (!failed_.load()) build(s);
      done_.fetch_add(1);
      return true;
    }
    bool done() const { return done_.load() == pool_.shards_.size(); }
    std::string error;  // of the first environment that failed

   private:
    void build(uint32_t number) {
      Shard& shard = pool_.shards_[number];
      Backend* backend = pool_.config_.backend;
      std::vector<const pp_value*> values(shard.count);
      for (uint32_t i = 0; i < shard.count; ++i) {
        values[i] = (options_.size() == 1 ? options_[0] : options_[shard.base + i])->data();
      }
      const pp_shard description{sizeof(pp_shard), shard.count, values.data()};
      const ErrorSink sink;
      const std::unique_lock<std::mutex> lock = pool_.exclusive();
      shard.self = backend != nullptr ? backend->create(number, shard.base, description)
                                      : pool_.env_.create(&host_table(), &description);
      if (shard.self != nullptr) return;
      if (!failed_.exchange(true)) {
        error = std::string(pool_.env_.id) + " could not be built (environment " +
                std::to_string(shard.base) + "): " + sink.text();
      }
    }
    Pool& pool_;
    const std::vector<const OptionValues*>& options_;
    std::atomic<uint32_t> next_{0};
    std::atomic<uint32_t> done_{0};
    std::atomic<bool> failed_{false};
  };

  void build(const std::vector<const OptionValues*>& options) {
    Builder builder(*this, options);
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
    if (builder.error.empty()) return;
    threads_->detach(this);
    if (config_.threads == nullptr) threads_->join();
    destroy_shards();
    closed_.store(true);
    throw Error(ErrorKind::environment, builder.error);
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
    if (left_behind_ && (env_.flags & PP_ENV_EXCLUSIVE) != 0u) return;  // it holds the library
    for (Shard& shard : shards_) {
      if (left_behind_ && watchdog_->stuck(shard.base)) continue;
      const std::unique_lock<std::mutex> lock = exclusive();
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
    if ((env_.flags & PP_ENV_EXCLUSIVE) == 0u || library_.stuck().load() == 0) return;
    throw Error(ErrorKind::stuck,
                std::string("an environment of ") + library_.plugin().name +
                    " does not come out of a step that exceeded step_timeout, and its library is "
                    "used by one environment at a time. Nothing of it can go on in this process");
  }

  bool stuck(uint32_t env) const { return watchdog_ != nullptr && watchdog_->stuck(env); }

  // With state_lock_ held, as explain().
  void check_locked(const uint32_t* ids, uint32_t n, Op op) {
    bool fine = true;
    if (ids == nullptr) {
      fine = in_flight_ == 0 &&
             (op == Op::reset || (n_started_ == config_.num_envs && n_failed_.load() == 0)) &&
             (watchdog_ == nullptr || watchdog_->stuck() == 0);
      if (op == Op::step && config_.autoreset == Autoreset::disabled) {
        fine = fine && std::memchr(ended_.data(), 1, ended_.size()) == nullptr;
      }
    } else {
      ++stamp_now_;
      for (uint32_t i = 0; i < n && fine; ++i) {
        const uint32_t env = ids[i];
        fine =
            env < config_.num_envs && stamp_[env] != stamp_now_ && pending_[env] == 0 &&
            !stuck(env) &&
            (op == Op::reset || (started_[env] != 0 && failed_[env] == 0 &&
                                 (ended_[env] == 0 || config_.autoreset == Autoreset::next_step)));
        if (fine) stamp_[env] = stamp_now_;
      }
    }
    if (!fine) explain(ids, n, op);
  }

  [[noreturn]] void explain(const uint32_t* ids, uint32_t n, Op op) {
    ++stamp_now_;
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t env = ids == nullptr ? i : ids[i];
      const std::string name = "environment " + std::to_string(env);
      if (env >= config_.num_envs) {
        throw Error(ErrorKind::index, "env_id " + std::to_string(static_cast<int32_t>(env)) +
                                          " is not in 0 .. " +
                                          std::to_string(config_.num_envs - 1));
      }
      if (stamp_[env] == stamp_now_) {
        throw Error(ErrorKind::value, "env_id " + std::to_string(env) + " occurs twice");
      }
      stamp_[env] = stamp_now_;
      if (pending_[env] != 0) {
        throw Error(ErrorKind::busy,
                    name + " has a result on its way that was not received: call recv() first");
      }
      if (stuck(env)) {
        throw Error(ErrorKind::stuck,
                    name +
                        " has not come out of a step that exceeded step_timeout: it takes no "
                        "actions and no reset until it does. Go on with the others (env_id=), "
                        "or close this pool and make a new one");
      }
      if (op == Op::reset) continue;
      if (failed_[env] != 0) {
        throw Error(ErrorKind::reset_needed,
                    name + " failed earlier; reset it before stepping it: reset(env_id=[" +
                        std::to_string(env) + "])");
      }
      if (started_[env] == 0) {
        throw Error(ErrorKind::reset_needed, name + " was never reset: call reset() before step()");
      }
      if (ended_[env] != 0 && config_.autoreset == Autoreset::disabled) {
        throw Error(ErrorKind::reset_needed,
                    name + " has ended, and autoreset is disabled: reset it first");
      }
    }
    // Unreachable: what made check() refuse is one of the above. Refuse all the same.
    throw Error(ErrorKind::busy, "the pool cannot take work now: call recv() first");
  }

  [[noreturn]] void nothing_pending() const {
    if (synchronous_ || in_flight_ == 0) {
      throw Error(ErrorKind::nothing_pending,
                  "nothing is on its way: call send() or async_reset() first");
    }
    throw Error(ErrorKind::nothing_pending,
                "recv would wait for " + std::to_string(config_.batch_size) + " rows, and only " +
                    std::to_string(submitted_ - received_) +
                    " are on their way: send more actions first");
  }

  // ---- saving and restoring -----------------------------------------------------------------

  const pp_state& state_extension() const {
    if (state_ != nullptr) return *state_;
    throw Error(ErrorKind::state, std::string(env_.id) +
                                      " cannot save or restore states: its plugin (" +
                                      library_.plugin().name + " " + library_.plugin().version +
                                      ") does not offer " PP_EXT_STATE " for it");
  }

  StateIdentity identity(uint32_t env) const {
    return {env_.id, library_.plugin().version,
            &option_hashes_[option_hashes_.size() == 1 ? 0 : env]};
  }

  // The environment is held; its shard may be at work on others.
  std::string save(const pp_state& extension, uint32_t env) {
    const std::string name = "environment " + std::to_string(env);
    if (failed_[env] != 0) {
      throw Error(ErrorKind::reset_needed, name +
                                               " failed earlier, so its state is worth nothing: "
                                               "reset it or give it another state first");
    }
    HostState host;
    host.elapsed = elapsed_[env];
    host.started = started_[env];
    host.ended = ended_[env];
    host.seed_pending = seed_pending_[env];
    host.seed = host.seed_pending != 0 ? seed_[env] : 0;
    // Without statistics nobody counts; NaN then goes into the sum of whoever does later.
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    host.episode_return = config_.statistics ? return_[env] : unknown;
    host.episode_seconds = config_.statistics ? seconds_now() - began_[env] : unknown;

    Shard& shard = shards_[env / lanes_per_shard_];
    const uint32_t lane = env - shard.base;
    const ErrorSink sink;
    const ShardLock lock(*this, shard);
    const int64_t room = extension.size(shard.self, lane);
    char* bytes = nullptr;
    std::string state =
        make_state(identity(env), host, players_ == nullptr ? std::string() : players_->save(env),
                   room < 0 ? 0 : static_cast<uint64_t>(room), &bytes);
    const int64_t written =
        room < 0 ? -1 : extension.save(shard.self, lane, bytes, static_cast<uint64_t>(room));
    if (written < 0 || written > room) {
      throw Error(ErrorKind::state, name + " could not be saved: " + sink.text());
    }
    seal_state(state, static_cast<uint64_t>(room), static_cast<uint64_t>(written));
    return state;
  }

  // Why it failed, or nothing.
  std::string load(const pp_state& extension, uint32_t env, const StateView& state) {
    Shard& shard = shards_[env / lanes_per_shard_];
    std::string reason;
    {
      const ErrorSink sink;
      const ShardLock lock(*this, shard);
      const std::string_view bytes = state.plugin();
      if (extension.load(shard.self, env - shard.base, bytes.data(), bytes.size()) != 0) {
        reason = sink.text();
      }
    }
    const HostState& host = state.host();
    const uint8_t failed = reason.empty() ? 0 : 1;
    elapsed_[env] = host.elapsed;
    ended_[env] = failed != 0 ? 0 : host.ended;
    seed_pending_[env] = host.seed_pending;
    if (host.seed_pending != 0) seed_[env] = host.seed;
    return_[env] = host.episode_return;
    began_[env] = seconds_now() - host.episode_seconds;
    if (players_ != nullptr) {
      failed != 0 ? players_->fail(env) : players_->load(env, state.players());
    }
    const std::lock_guard<SpinLock> lock(state_lock_);
    n_failed_.fetch_add(static_cast<uint32_t>(failed - failed_[env]));  // modulo 2^32
    failed_[env] = failed;
    n_started_ += static_cast<uint32_t>(host.started - started_[env]);
    started_[env] = host.started;
    return reason;
  }

  // ---- stepping -----------------------------------------------------------------------------

  void begin_reset(uint32_t env) {
    op_[env] = Op::reset;
    if (started_[env] == 0) {
      started_[env] = 1;
      ++n_started_;
    }
    if (failed_[env] != 0) {
      failed_[env] = 0;
      n_failed_.fetch_sub(1);
    }
  }

  std::unique_lock<std::mutex> exclusive() {
    if ((env_.flags & PP_ENV_EXCLUSIVE) == 0u) return {};
    return std::unique_lock<std::mutex>(library_.exclusive());
  }

  // Nobody else is in the shard, nor in a library with global state.
  class ShardLock {
   public:
    ShardLock(Pool& pool, Shard& shard) : shard_(shard) {
      shard.lock.lock();
      exclusive_ = pool.exclusive();
    }
    ~ShardLock() {
      if (exclusive_.owns_lock()) exclusive_.unlock();
      shard_.lock.unlock();
    }
    ShardLock(const ShardLock&) = delete;
    ShardLock& operator=(const ShardLock&) = delete;

   private:
    Shard& shard_;
    std::unique_lock<std::mutex> exclusive_;
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
    const ShardLock lock(*this, shard);
    row_loops::choose(run.count, reinterpret_cast<const uint8_t*>(op_.data()) + env0,
                      ended_.data() + env0, seed_pending_.data() + env0, shard.step_mask.data(),
                      shard.reset_mask.data(), shard.seed_mask.data());
    const bool refused =
        refused_.enabled() && refused_.leave_out(env0, run.count, shard.step_mask.data());
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      shard.fields[f] = column_of_field_[f] == SIZE_MAX ? action_row(f, env0) : nullptr;
    }
    config_.backend->begin(
        shard.self, {run.first, run.count, shard.step_mask.data(), shard.reset_mask.data(),
                     shard.seed_mask.data(), seed_.data() + env0, shard.fields.data(), refused});
  }

  void execute(const Run& run) {
    if (watchdog_ != nullptr) return execute_watched(run);
    Shard& shard = shards_[run.shard];
    const auto start = std::chrono::steady_clock::now();
    {
      const ShardLock lock(*this, shard);
      if (run.batch != nullptr) {
        step_rows(shard, run.first, run.count, run.batch, run.row);
      } else if ((env_.flags & PP_ENV_LATE_ROWS) != 0u) {
        for (uint32_t i = 0; i < run.count; ++i) step_rows(shard, run.first + i, 1, nullptr, 0);
      } else {
        for (uint32_t first = run.first, left = run.count; left > 0;) {
          uint32_t row = 0;
          uint32_t count = left;
          Batch* batch = claim(&count, &row);
          step_rows(shard, first, count, batch, row);
          first += count;
          left -= count;
        }
      }
    }
    measure(start, run.count);
  }

  void measure(std::chrono::steady_clock::time_point start, uint32_t count) {
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    const double each = took.count() / count;
    const double before = nanoseconds_.load(std::memory_order_relaxed);
    nanoseconds_.store(before == 0.0 ? each : before + (each - before) / 16,
                       std::memory_order_relaxed);
  }

  // One environment, for shards have one lane then. Its row is claimed when it has come out.
  void execute_watched(const Run& run) {
    Shard& shard = shards_[run.shard];
    const auto start = std::chrono::steady_clock::now();
    const bool waits = (env_.flags & PP_ENV_EXCLUSIVE) != 0u;
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
    const std::lock_guard<SpinLock> lock(shard.lock);
    step_rows(shard, 0, 1, run.batch, run.row);
    measure(start, 1);
  }

  // Fills the row of an environment that does not come out, for every one of them, and gets
  // threads in place of those that are lost.
  void answer_for_stuck() {
    bool news = false;
    watchdog_->look([&](uint32_t env, Batch* batch, uint32_t row) {
      news = true;
      uint32_t one = 1;
      if (batch == nullptr) batch = claim(&one, &row);
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", watchdog_->seconds());
      {
        const std::lock_guard<std::mutex> lock(failure_mutex_);
        batch->timed_out = true;
        fail_row(env, batch, row,
                 "no answer within step_timeout=" + std::string(seconds) +
                     " seconds; its step or reset cannot be stopped");
      }
      note_ended(1, batch, row);
      complete(batch, 1);
    });
    if (news) watchdog_->reinforce(this);
  }

  // The plugin has returned from the one environment of this shard: its row goes from the
  // watchdog's batch to the answer's. False if nobody waits for it any more.
  bool come_out(const Shard& shard, Batch** batch, uint32_t* row) {
    if (!watchdog_->leave(shard.base)) return false;
    uint32_t one = 1;
    if (*batch == nullptr) *batch = claim(&one, row);
    for (const size_t column : column_of_field_) copy_private_row(shard.base, column, *batch, *row);
    return true;
  }
  void copy_private_row(uint32_t env, size_t column, Batch* batch, uint32_t row) {
    if (column == SIZE_MAX) return;
    const Column& each = columns_[column];
    std::memcpy(batch->data + each.offset + row * each.row_bytes,
                watchdog_->private_batch(env)->data + each.offset +
                    watchdog_->private_row(env) * each.row_bytes,
                each.row_bytes);
  }

  // Up to *count rows that follow each other, in the order in which environments ask.
  Batch* claim(uint32_t* count, uint32_t* row) {
    const std::lock_guard<SpinLock> lock(claim_lock_);
    Batch* batch = unclaimed_.front();
    *row = batch->claimed;
    *count = std::min(*count, batch->rows - batch->claimed);
    batch->claimed += *count;
    if (batch->claimed == batch->rows) unclaimed_.pop();
    return batch;
  }

  static void claim_rows(const pp_lanes* lanes) {
    Call& call = *static_cast<Call*>(lanes->host_data);
    if (call.batch != nullptr) return;
    uint32_t count = 1;
    call.batch = call.pool->claim(&count, &call.row);
    call.pool->point(*call.shard, call.batch, call.row);
  }

  // Sets the output pointers of a call.
  void point(Shard& shard, Batch* batch, uint32_t row) {
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (column_of_field_[f] == SIZE_MAX) continue;
      const Column& column = columns_[column_of_field_[f]];
      shard.fields[f] =
          batch == nullptr ? nullptr : batch->data + column.offset + row * column.row_bytes;
    }
  }

  // Steps or resets lanes first .. first + count - 1 and finishes their rows. `batch` NULL: late
  // rows.
  void step_rows(Shard& shard, uint32_t first, uint32_t count, Batch* batch, uint32_t row) {
    const uint32_t env0 = shard.base + first;
    static_assert(static_cast<uint8_t>(Op::step) == 0 && static_cast<uint8_t>(Op::reset) == 1 &&
                  sizeof(Op) == 1);
    row_loops::choose(count, reinterpret_cast<const uint8_t*>(op_.data()) + env0,
                      ended_.data() + env0, seed_pending_.data() + env0, shard.step_mask.data(),
                      shard.reset_mask.data(), shard.seed_mask.data());
    const uint32_t n_reset = row_loops::count(count, shard.reset_mask.data());
    const uint32_t n_seed = row_loops::count(count, shard.seed_mask.data());
    const uint32_t n_refused =
        refused_.enabled() ? refused_.take_out(env0, count, shard.step_mask.data(), elapsed_.data())
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
      for (size_t f = 0; f < spec_.fields.size(); ++f) {
        if (column_of_field_[f] == SIZE_MAX) shard.fields[f] = action_row(f, env0);
      }
      lanes.mask = n_reset + n_refused == 0 ? nullptr : shard.step_mask.data();
      status |= n_refused > 0 ? step_selected(shard, lanes) : env_.step(shard.self, &lanes);
    }
    if (n_reset > 0) {
      for (size_t f = 0; f < spec_.fields.size(); ++f) {
        if (column_of_field_[f] == SIZE_MAX) shard.fields[f] = nullptr;
      }
      const bool with_options = reset_options_.waiting();
      if (with_options) status |= reset_options_.set(shard, first, count, shard.reset_mask.data());
      if (n_seed > 0) {
        for (uint32_t i = 0; i < count; ++i) {
          shard.seed[i] = seed_[env0 + i];
          if (shard.seed_mask[i] != 0) seed_pending_[env0 + i] = 0;
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
      if (with_options) status |= reset_options_.take_back(shard, first, count);
    }
    if (watchdog_ != nullptr) {
      call.batch = batch;
      call.row = row;
      if (!come_out(shard, &call.batch, &call.row)) return;
    }
    if (call.batch == nullptr) claim_rows(&lanes);  // it wrote nothing, as when it failed early
    finish(shard, env0, count, n_reset + n_refused, call.batch, call.row);
    if (n_refused > 0) answer_refused(env0, count, call.batch, call.row);
    if (config_.statistics) count_episodes(shard, env0, count, call.batch, call.row);
    // A kernel that failed without saying where may have failed everywhere: then nothing is reset.
    if (config_.autoreset == Autoreset::same_step && (status == 0 || !sink.empty())) {
      const int32_t anew = begin_anew(shard, lanes, sink, call.batch, call.row);
      if (anew == given_up) return;
      status |= anew;
    }
    if (status != 0 || !sink.empty()) record(sink, shard, first, count, call.batch, call.row);
    note_ended(count, call.batch, call.row);  // after record(): who failed has not ended
    if (refused_.enabled()) refused_.remember(env0, count, call.batch, call.row);
    complete(call.batch, count);
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

  static double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  template <class T>
  T* rows(const Batch* batch, size_t column, uint32_t row) const {
    return reinterpret_cast<T*>(batch->data + columns_[column].offset) + row;
  }

  double* reward_rows(const Batch* batch, uint32_t row) const {
    return rows<double>(batch, column_of_field_[reward_field_], row * reward_width_);
  }

  // NULL for a field that the environment does not have.
  template <class T>
  T* optional_rows(const Batch* batch, int field, uint32_t row) const {
    return field < 0 ? nullptr : rows<T>(batch, column_of_field_[static_cast<size_t>(field)], row);
  }

  // The host's part of a row: time limit, what comes next, the host columns.
  void finish(Shard& shard, uint32_t env0, uint32_t count, uint32_t n_reset, Batch* batch,
              uint32_t row) {
    const uint8_t* stepped = shard.step_mask.data();
    double* reward = reward_rows(batch, row);
    uint8_t* terminated = rows<uint8_t>(batch, column_of(column_terminated), row);
    uint8_t* truncated = rows<uint8_t>(batch, column_of(column_truncated), row);
    int32_t* steps = elapsed_.data() + env0;
    uint8_t* ended = ended_.data() + env0;
    const uint8_t* own_terminated = rows<uint8_t>(batch, column_of_field_[terminated_field_], row);
    const uint8_t* own_truncated = optional_rows<uint8_t>(batch, truncated_field_, row);
    const Players::Rows who{batch, row, env0, count, stepped};
    if (players_ != nullptr) {
      const Players::Flags all = players_->look(shard, who);
      if (all.terminated != nullptr) own_terminated = all.terminated;
      if (all.truncated != nullptr) own_truncated = all.truncated;
    }
    row_loops::number(count, static_cast<int32_t>(env0),
                      rows<int32_t>(batch, column_of(column_env_id), row));
    row_loops::advance(count, stepped, steps,
                       rows<int32_t>(batch, column_of(column_elapsed_step), row));
    if (time_limit_ != no_time_limit) {
      row_loops::limit(count, steps, time_limit_, truncated);
    } else {
      std::memset(truncated, 0, count);
    }
    if (own_truncated != nullptr) row_loops::merge(count, stepped, own_truncated, truncated);
    row_loops::judge(count, stepped, own_terminated, truncated, terminated, ended);
    if (players_ != nullptr) players_->judge(who, terminated, truncated, steps, time_limit_);
    std::memcpy(rows<uint8_t>(batch, column_of(column_ended), row), ended, count);
    const uint32_t width = reward_width_;
    if (n_reset > 0 && width == 1)
      row_loops::for_each(count, stepped, 0, [reward](uint32_t i) { reward[i] = 0.0; });
    if (n_reset > 0 && width != 1) players_->clear_rewards(who);
    if (config_.reward32) {
      row_loops::narrow(count * width, reward,
                        rows<float>(batch, column_of(column_reward32), row * width));
    }
    if (config_.dm_columns) finish_dm(stepped, ended, terminated, count, batch, row);
    if (config_.dm_columns && width != 1) {
      players_->discount(who, discount_field_, column_of(column_discount));
    }
  }

  // Rows of environments that were not stepped: what they said last, and the end of the episode.
  void answer_refused(uint32_t env0, uint32_t count, Batch* batch, uint32_t row) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t env = env0 + i;
      if (!refused_.is_refused(env)) continue;
      elapsed_[env] = refused_.repeat(env, batch, row + i);
      ended_[env] = 1;
      rows<int32_t>(batch, column_of(column_elapsed_step), row)[i] = elapsed_[env];
      rows<uint8_t>(batch, column_of(column_truncated), row)[i] = 1;
      rows<uint8_t>(batch, column_of(column_ended), row)[i] = 1;
      rows<int32_t>(batch, column_of(column_step_type), row)[i] = 2;
      const std::lock_guard<std::mutex> lock(failure_mutex_);
      batch->notes.push_back({row + i, refused_.dismiss(env)});
    }
  }

  void finish_dm(const uint8_t* stepped, const uint8_t* ended, const uint8_t* terminated,
                 uint32_t count, Batch* batch, uint32_t row) {
    double* discount = rows<double>(batch, column_of(column_discount), row);
    int32_t* step_type = rows<int32_t>(batch, column_of(column_step_type), row);
    const double* own_discount = optional_rows<double>(batch, discount_field_, row);
    for (uint32_t i = 0; i < count; ++i) {
      step_type[i] = stepped[i] == 0 ? 0 : (ended[i] != 0 ? 2 : 1);
    }
    if (reward_width_ != 1) return;  // discounts per player are written there
    for (uint32_t i = 0; i < count; ++i) {
      discount[i] = own_discount != nullptr && stepped[i] != 0 ? own_discount[i]
                                                               : (terminated[i] != 0 ? 0.0 : 1.0);
    }
  }

  // Return, length and duration of the episodes that end in these rows.
  void count_episodes(Shard& shard, uint32_t env0, uint32_t count, Batch* batch, uint32_t row) {
    const uint8_t* stepped = shard.step_mask.data();
    const uint8_t* ended = ended_.data() + env0;
    const double* reward = players_ == nullptr
                               ? reward_rows(batch, row)
                               : players_->count_rewards(shard, {batch, row, env0, count, stepped});
    double* sum = return_.data() + env0;
    double* episode_return = rows<double>(batch, column_of(column_episode_return), row);
    int32_t* episode_length = rows<int32_t>(batch, column_of(column_episode_length), row);
    double* episode_time = rows<double>(batch, column_of(column_episode_time), row);
    std::memset(episode_return, 0, count * sizeof *episode_return);
    std::memset(episode_length, 0, count * sizeof *episode_length);
    std::memset(episode_time, 0, count * sizeof *episode_time);
    // The reward of a step that resets is 0, so only the sums of new episodes need a second look.
    row_loops::add(count, reward, sum);
    if (std::memchr(ended, 1, count) == nullptr && std::memchr(stepped, 0, count) == nullptr)
      return;
    const double now = seconds_now();
    row_loops::for_each(count, ended, 1, [&](uint32_t i) {
      episode_return[i] = sum[i];
      episode_length[i] = elapsed_[env0 + i];
      episode_time[i] = now - began_[env0 + i];
    });
    row_loops::for_each(count, stepped, 0, [&](uint32_t i) {
      sum[i] = 0.0;
      began_[env0 + i] = now;
    });
  }

  static constexpr int32_t given_up = INT32_MIN;  // of begin_anew: nobody waits any more

  // SAME_STEP: puts the last rows of ended episodes aside and resets those environments in place.
  int32_t begin_anew(Shard& shard, pp_lanes& lanes, const ErrorSink& sink, Batch* batch,
                     uint32_t row) {
    const uint32_t count = lanes.count;
    const uint32_t env0 = shard.base + lanes.first;
    uint8_t* ended = ended_.data() + env0;
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (final_column_of_field_[f] == SIZE_MAX || spec_.fields[f].role != PP_ROLE_INFO) continue;
      const Column& to = columns_[final_column_of_field_[f]];
      std::memset(batch->data + to.offset + row * to.row_bytes, 0, count * to.row_bytes);
    }
    // An environment that failed is not reset behind its user's back.
    for (const EnvFailure& failure : sink.failures()) {
      for (uint32_t i = 0; i < count; ++i) {
        if (failure.env == PP_ALL_LANES || failure.env == lanes.first + i) ended[i] = 0;
      }
    }
    if (std::memchr(ended, 1, count) == nullptr) return 0;
    std::memcpy(shard.reset_mask.data(), ended, count);
    row_loops::for_each(count, ended, 1, [&](uint32_t i) {
      for (size_t f = 0; f < spec_.fields.size(); ++f) {
        if (final_column_of_field_[f] == SIZE_MAX) continue;
        const Column& from = columns_[column_of_field_[f]];
        const Column& to = columns_[final_column_of_field_[f]];
        std::memcpy(batch->data + to.offset + (row + i) * to.row_bytes,
                    batch->data + from.offset + (row + i) * from.row_bytes, from.row_bytes);
      }
    });
    // The rewards and flags of the step that ended stay: the reset writes its own elsewhere.
    double* reward = reward_rows(batch, row);
    shard.reward.assign(reward, reward + size_t{count} * reward_width_);
    for (size_t f = 0; f < spec_.fields.size(); ++f) {
      if (column_of_field_[f] == SIZE_MAX) shard.fields[f] = nullptr;
    }
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
      for (size_t f = 0; f < spec_.fields.size(); ++f) {
        const uint32_t role = spec_.fields[f].role;
        if (role != PP_ROLE_OBS && role != PP_ROLE_INFO) continue;
        copy_private_row(env0, column_of_field_[f], batch, row);
      }
    }
    std::memcpy(reward, shard.reward.data(), shard.reward.size() * sizeof(double));
    int32_t* elapsed = rows<int32_t>(batch, column_of(column_elapsed_step), row);
    const double now = config_.statistics ? seconds_now() : 0.0;
    row_loops::for_each(count, shard.reset_mask.data(), 1, [&](uint32_t i) {
      ended[i] = 0;
      elapsed[i] = 0;
      elapsed_[env0 + i] = 0;
      return_[env0 + i] = 0.0;
      began_[env0 + i] = now;
      if (players_ != nullptr) {
        players_->begin_anew(shard, {batch, row, env0, count, shard.step_mask.data()}, i);
      }
    });
    return status;
  }

  void note_ended(uint32_t count, Batch* batch, uint32_t row) {
    if (std::memchr(rows<uint8_t>(batch, column_of(column_ended), row), 1, count) != nullptr) {
      batch->any_ended.store(true, std::memory_order_relaxed);
    }
  }

  // Rows of environments that failed: zeros and `truncated`, so that nobody learns from half a
  // step.
  void record(const ErrorSink& sink, const Shard& shard, uint32_t first, uint32_t count,
              Batch* batch, uint32_t row) {
    const std::lock_guard<std::mutex> lock(failure_mutex_);
    const auto fail = [&](uint32_t lane, const std::string& message) {
      fail_row(shard.base + lane, batch, row + (lane - first), message);
    };
    if (sink.empty()) {
      for (uint32_t i = 0; i < count; ++i) fail(first + i, "the plugin gave no reason");
    }
    for (const EnvFailure& failure : sink.failures()) {
      const bool one = failure.env >= first && failure.env - first < count;
      for (uint32_t i = 0; i < count; ++i) {
        if (!one || failure.env == first + i) fail(first + i, failure.message);
      }
    }
  }

  // With failure_mutex_ held.
  void fail_row(uint32_t env, Batch* batch, uint32_t row, const std::string& message) {
    for (const Column& column : columns_) {
      std::memset(batch->data + column.offset + row * column.row_bytes, 0, column.row_bytes);
    }
    *rows<int32_t>(batch, column_of(column_env_id), row) = static_cast<int32_t>(env);
    *rows<uint8_t>(batch, column_of(column_truncated), row) = 1;
    *rows<int32_t>(batch, column_of(column_step_type), row) = 2;
    if (failed_[env] == 0) n_failed_.fetch_add(1);
    failed_[env] = 1;
    ended_[env] = 0;
    if (players_ != nullptr) players_->fail(env);
    batch->failures.push_back({env, message});
  }

  // ---- handing out --------------------------------------------------------------------------

  void complete(Batch* batch, uint32_t count) {
    const uint32_t rows = batch->rows;  // once the last row is in, the batch may be gone
    if (batch->done.fetch_add(count) + count != rows) return;
    completed_.fetch_add(1);
    if (waiting_.load() == 0) return;
    const std::lock_guard<std::mutex> lock(done_mutex_);
    done_.notify_all();
  }

  bool any_complete() {
    const std::lock_guard<SpinLock> lock(state_lock_);
    const size_t last = std::min<size_t>(open_.size(), synchronous_ ? 1 : open_.size());
    for (size_t i = 0; i < last; ++i) {
      if (open_[i]->complete()) return true;
    }
    return false;
  }

  Library& library_;
  const pp_env& env_;
  PoolConfig config_;
  const EnvSpec spec_;
  bool synchronous_ = true;
  int32_t time_limit_ = no_time_limit;
  ForkGuard fork_guard_;

  // The layout of batches, and the actions, by environment.
  std::vector<Column> columns_;
  std::vector<size_t> column_of_field_;        // SIZE_MAX: an action
  std::vector<size_t> final_column_of_field_;  // SIZE_MAX: none
  std::vector<std::vector<char>> actions_;
  std::shared_ptr<BatchStore> store_;
  size_t reward_field_ = 0;
  size_t terminated_field_ = 0;
  int truncated_field_ = -1;
  int discount_field_ = -1;
  uint32_t reward_width_ = 1;         // rewards of one row
  std::unique_ptr<Players> players_;  // NULL unless the environment has fields per player

  const pp_state* state_ = nullptr;                   // the extension, if the environment has it
  std::vector<std::vector<uint64_t>> option_hashes_;  // one for all, or by environment

  // What is on its way. Guarded by state_lock_, which submit() and take() hold for moments.
  SpinLock state_lock_;
  std::vector<Batch*> open_;  // handed to environments, not yet received
  uint64_t submitted_ = 0;    // rows, since the beginning
  uint64_t received_ = 0;
  uint64_t provisioned_ = 0;  // rows of the batches that asynchronous environments may claim
  uint32_t in_flight_ = 0;
  uint32_t n_started_ = 0;
  std::vector<uint8_t> pending_;  // by environment: submitted and not received
  std::vector<uint8_t> started_;
  std::vector<uint64_t> stamp_;  // finds duplicates without clearing anything
  uint64_t stamp_now_ = 0;

  // By environment; touched by the thread that has the environment's work in hand.
  std::vector<Op> op_;
  std::vector<uint8_t> ended_;
  std::vector<uint8_t> failed_;
  std::vector<uint8_t> seed_pending_;
  std::vector<uint64_t> seed_;
  std::vector<int32_t> elapsed_;
  std::vector<double> return_;  // of the episode so far; only with config_.statistics
  std::vector<double> began_;   // seconds of the steady clock
  std::atomic<uint32_t> n_failed_{0};
  ResetOptions reset_options_;

  std::vector<Shard> shards_;
  uint32_t lanes_per_shard_ = 1;
  RunQueue queue_;
  std::shared_ptr<ThreadPool> threads_;
  std::unique_ptr<Watchdog> watchdog_;  // NULL without step_timeout
  bool left_behind_ = false;            // threads that are stuck: this object must stay
  RefusedSteps refused_;
  std::atomic<double> nanoseconds_{0.0};  // of one step of one environment, a running mean
  SpinLock claim_lock_;
  BatchQueue unclaimed_;
  std::mutex failure_mutex_;

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
