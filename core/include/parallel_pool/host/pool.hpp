// parallel_pool/host/pool.hpp: many environments, stepped in batches by several threads.
//
// The life of a call: admit() checks it and keeps its environments, submit() sends it on its way,
// take() or wait() hands its rows out. What lies in between is told in docs/architecture.md, step
// by step; each folder here has one part of it, and includes only those before it:
//
//   base, threads, plugin, config, batch, state, step, run, workers, and this file, which is as
//   long as what may be asked of a pool.
//
// Promises:
//  - an environment's trajectory depends on its seed, its options and its actions only, never on
//    thread count, batch size, shard size or timing;
//  - nothing changes when admit() throws, nor when a call is not submitted after all;
//  - no allocation per environment and step, and none per call once batches circulate;
//  - calls may be made by any threads at any time, close() too; those that send, one at a time.
// What it does not do: it knows nothing of Python, of rendering or of how results are named.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/flat_players.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/env_tables.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/run/engine.hpp"
#include "parallel_pool/host/run/in_flight.hpp"
#include "parallel_pool/host/run/inspector.hpp"
#include "parallel_pool/host/run/simulations.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/episode_seeds.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/state/snapshots.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"
#include "parallel_pool/host/threads/pool_lifetime.hpp"

namespace pp::host {

// Asked in the thread of a caller that waits, while it holds nothing: whether the thread is wanted
// elsewhere. It may do what it likes with this pool and others, close them too.
using Interrupted = std::function<bool()>;

class Pool final {
 public:
  // `options`: one per environment, or one for all. `backend`: where the environments live, if not
  // here; it outlives the pool, and `tables` has its table alone. Builds them in the pool's
  // threads. `interrupted`: asked by this thread every 15 ms or so; if it says true, Error
  // interrupted is thrown.
  Pool(
      Library& library, EnvTables tables, PoolConfig config,
      const std::vector<const OptionValues*>& options, EnvSpec spec, Backend* backend = nullptr,
      const Interrupted& interrupted = [] { return false; })
      : library_(library),
        tables_(std::move(tables)),
        backend_(backend),
        config_(decided(std::move(config), tables_.flags(), spec.find(PP_ROLE_SCORE) >= 0)),
        spec_(std::move(spec)),
        layout_(spec_, env(0).id, config_),
        batch_bytes_(bytes_of_batches()),
        envs_(config_.num_envs, config_.seeds, config_.step_begins,
              spec_.find(PP_ROLE_CONTINUES) >= 0, config_.episode_seeds.size() > 0),
        episode_seeds_(
            config_.episode_seeds.size() == 0
                ? nullptr
                : std::make_unique<EpisodeSeeds>(config_.episode_seeds, config_.seeds, envs_)),
        players_(make_players()),
        batches_(config_.num_envs, config_.batch_size, config_.rows_at_once()),
        engine_(library_, tables_, config_, layout_, envs_, episode_seeds_.get(), players_.get(),
                batches_, lifetime_.closed_flag(), backend),
        in_flight_(envs_, batches_, layout_, config_.autoreset, engine_.runner().watchdog()),
        inspector_(envs_, engine_.shards(), engine_.runner()),
        snapshots_(
            tables_, library_.plugin(), config_, envs_, episode_seeds_.get(), players_.get(),
            engine_.shards(),
            [this](const pp_env& env) {
              return find_extension<pp_state>(env, PP_EXT_STATE, backend_);
            },
            options) {
    check_library();
    if (config_.flat_players && players_ != nullptr) flat_players_.emplace(*layout_.players());
    engine_.build(options, batch_bytes_, interrupted);
    if (!config_.standing) return;
    const Batch* standing = batches_.stand(*layout_.store());
    row_loops::number(config_.num_envs, 0, layout_.rows<int32_t>(standing, column_env_id, 0));
  }

  // A pool with step_timeout is destroyed through Closer.
  ~Pool() { close(); }

  // Closes a pool and frees it, unless a thread is stuck in one of its environments: what that
  // thread may still touch is then leaked.
  struct Closer {
    void operator()(Pool* pool) const {
      pool->close();
      if (!pool->left_behind_) delete pool;
    }
  };

  const pp_env& env(uint32_t number) const { return tables_[number]; }
  const Library& library() const { return library_; }
  const PoolConfig& config() const { return config_; }
  const EnvSpec& spec() const { return spec_; }
  const Layout& layout() const { return layout_; }
  // NULL unless the environment has fields per player.
  const PlayerTable* players() const { return players_.get(); }
  // Returns the extension of this environment, or NULL.
  template <class Table>
  const Table* extension(uint32_t number, const char* id) const {
    return find_extension<Table>(env(number), id, backend_);
  }
  // Returns the arguments that a reset takes, or NULL if it takes none.
  const pp_reset_options* reset_options() const {
    return engine_.stepper().reset_options().extension();
  }

  // Throws if it is of another process; or also if it is closed.
  void check_process() const { lifetime_.check_process(); }
  void check_usable() const { lifetime_.check_usable(); }

  bool synchronous() const { return config_.synchronous(); }
  bool forked() const { return lifetime_.forked(); }
  bool closed() const { return lifetime_.closed(); }
  uint32_t num_shards() const { return engine_.shards().size(); }
  // Living threads of its own: none where it uses those of a ThreadPool that others use too.
  uint32_t own_threads() const {
    return config_.threads != nullptr || engine_.threads().stopped() ? 0 : engine_.threads().size();
  }
  // Reports the ages of the rows that were received of an asynchronous pool.
  Ages::Report ages() { return in_flight_.ages(); }
  // Seconds that callers have waited for batches, and that each of the threads has slept, in the
  // order of their numbers; of shared threads for all pools together.
  double seconds_waited() const { return 1e-9 * static_cast<double>(waited_.load()); }
  std::vector<double> seconds_slept() const { return engine_.threads().seconds_slept(); }
  std::vector<int> thread_ids() const { return engine_.threads().thread_ids(); }
  double nanoseconds_per_env_step() const { return engine_.estimate().nanoseconds_per_env_step(); }

  // ---- sending ------------------------------------------------------------------------------

  // Throws unless these environments can take work now, and changes nothing then. `ids` NULL: all,
  // in order; else they stay where they are until the call is submitted or dropped. `alone`:
  // nothing else may be on its way, so that the next answer is this call's; for callers that wait
  // for it as soon as it is submitted.
  AdmittedCall admit(const uint32_t* ids, uint32_t n, Op op, bool alone = false) {
    const PoolLifetime::Entered entered(lifetime_);
    check_library();
    return in_flight_.admit({ids, n}, op, alone);
  }

  // These are called between admit() and submit(), for environments of the call. action_row()
  // returns where the action is put (field `f` must be one). set_seed() sets the seed of the next
  // reset. set_reset_options() sets arguments of that reset only, and throws if the environment
  // takes none. refuse_step() cuts the episode off in place of the step, of a chunk of the one of
  // this number, and its row says so (with config.refuse_steps only).
  char* action_row(size_t f, size_t env) { return engine_.stepper().actions().row(f, env); }
  void set_seed(uint32_t env, uint64_t seed) { envs_.set_seed(env, seed); }
  void set_reset_options(uint32_t env, ResetOptions::Values values) {
    engine_.stepper().reset_options().give(env, std::move(values), false);
  }
  void refuse_step(uint32_t env, std::string reason, uint32_t action = 0) {
    engine_.stepper().refused().refuse(env, std::move(reason), size_t{action} * config_.num_envs);
  }

  // Returns true if columns can be written elsewhere than into the memory of a batch.
  bool places_columns() const {
    return synchronous() && players_ == nullptr && config_.step_timeout == 0.0;
  }

  // Sends the call on its way. Small work is done at once, here. Throws if the pool was closed
  // meanwhile; then the call is dropped. `places`: where each column of the
  // answer begins, as aligned as XLA aligns (64 bytes); NULL: in the batch. That memory has to stay
  // until this same thread has taken the batch, which no other can, or, where that throws, until
  // settle() has returned. For calls that are alone, of a pool that places columns.
  void submit(AdmittedCall call, const std::vector<char*>* places = nullptr) {
    const Visit visit(lifetime_);
    const EnvIds envs = call.envs();
    const Op op = call.op();
    const bool awaited = call.alone();
    bool only = false;
    Batch* batch = in_flight_.begin(std::move(call), &only, places);
    engine_.submit(envs, op, batch, only, awaited);
  }

  // ---- receiving ----------------------------------------------------------------------------

  // The next finished batch, or NULL if none is finished yet. Throws if none is on its way. The
  // caller owns the batch and gives it to BatchStore::release. Answers of a synchronous pool come
  // in the order of the questions, those of an asynchronous one as they are ready.
  Batch* take() {
    const PoolLifetime::Entry entry(lifetime_);
    Batch* batch = take_complete();
    if (batch != nullptr) engine_.taken(batch);
    return batch;
  }

  // Does what take() does. If nothing is finished, it tells a thread to work on it.
  Batch* poll() {
    const PoolLifetime::Entry entry(lifetime_);
    if (Batch* batch = take()) return batch;
    const UsualFloatRules rules;
    engine_.poll();
    return take();
  }

  // Does what take() does, but waits until `deadline`. `interrupted` is asked every 20 ms or so;
  // when it says true, NULL is returned and nothing is lost: the batch comes with the next take()
  // or wait().
  using Clock = std::chrono::steady_clock;
  template <class Asked>
  Batch* wait(Clock::time_point deadline, Asked&& interrupted) {
    uint32_t spins = 0;
    const auto entered = Clock::now();
    for (auto now = entered;; now = Clock::now()) {
      if (Batch* batch = wait_a_while(now, deadline, entered, &spins)) {
        const std::chrono::nanoseconds waited = Clock::now() - entered;
        waited_.fetch_add(waited.count(), std::memory_order_relaxed);
        return batch;
      }
      if (Clock::now() >= deadline || interrupted()) return nullptr;
    }
  }

  // After wait() has thrown because another thread closes the pool: until nothing is written any
  // more.
  void settle() const { lifetime_.wait_for_end(); }

  // ---- looking inside -----------------------------------------------------------------------

  // Keeps environments to its owner, as if they had work in flight. Throws if one of them has. As
  // calls, made and unmade by one thread at a time.
  class Hold {
   public:
    Hold(Pool& pool, const uint32_t* ids, uint32_t n) : reservation_(pool.hold({ids, n})) {}

    const EnvIds& envs() const { return reservation_.envs(); }
    uint32_t size() const { return envs().size(); }
    uint32_t operator[](uint32_t i) const { return envs()[i]; }

   private:
    Reservation reservation_;
  };

  // Does what follows, which may have to wait for others, so that `interrupted` can be asked
  // meanwhile; when it says true, Error interrupted is thrown.
  template <class Work, class Asked>
  void attend(const Hold& envs, Work&& work, Asked&& interrupted) {
    if (waits_inside(envs)) {
      attended(work, interrupted);
    } else {
      work();
    }
  }

  // Calls work(self, lane) for the i-th of these environments, as Inspector says, or work(i, self,
  // lane) for all of them.
  template <class Work>
  void look_into(const Hold& envs, uint32_t i, const char* verb, Work&& work,
                 bool even_before_reset = false) {
    const Visit visit(lifetime_);
    inspector_.look_into(envs[i], verb, work, even_before_reset);
  }
  template <class Work>
  void look_into_all(const Hold& envs, const char* verb, Work&& work,
                     bool even_before_reset = false) {
    const Visit visit(lifetime_);
    inspector_.look_into_all(envs.envs(), verb, work, even_before_reset);
  }
  // Arguments of the resets of the i-th of them from now on that have none of their own; NULL:
  // none.
  void keep_reset_options(const Hold& envs, uint32_t i, ResetOptions::Values values) {
    expect_resets("set_reset_options");
    engine_.stepper().reset_options().give(envs[i], std::move(values), true);
  }
  // The seed of the next episode of the i-th of them, whatever resets it, unless the reset has a
  // seed of its own; where an episode may go on with a game, of its next game.
  void set_next_seed(const Hold& envs, uint32_t i, uint64_t seed) {
    expect_resets("seed_next");
    envs_.set_next_seed(envs[i], seed);
  }
  // While `apart`, an episode that ends is left as it is, in every mode, and an asynchronous pool
  // answers a call that has nothing else on its way whole, in batches of batch_size and a last one
  // of what is left. When it ends, each environment has to be reset. Throws if anything is in
  // flight.
  void set_apart(bool apart) { in_flight_.set_apart(apart); }
  // The seeds of all episodes; NULL unless they are from a list.
  EpisodeSeeds* episode_seeds() { return episode_seeds_.get(); }
  // Counts an environment as failed: it has to be reset before anything else.
  void quarantine(uint32_t env) { envs_.fail(env); }

  // All that decides the future of these environments, as bytes for this or another pool
  // (Snapshots).
  std::vector<std::string> get_states(const Hold& envs) {
    const Visit visit(lifetime_);
    return snapshots_.save(envs.envs());
  }
  void set_states(const Hold& envs, const std::vector<std::string_view>& states) {
    const Visit visit(lifetime_);
    snapshots_.load(envs.envs(), states, in_flight_.lock());
  }
  // Makes all of these, which are named one by one, go on as the first of them.
  void clone(const Hold& envs) {
    const Visit visit(lifetime_);
    snapshots_.clone(envs[0], {envs.envs().ids + 1, envs.size() - 1}, in_flight_.lock());
  }

  // Returns the threads that step its environments, which end with this pool unless others were
  // given them; and how many environments another pool needs to occupy all of them with
  // simulations.
  const std::shared_ptr<ThreadPool>& threads() const { return engine_.shared_threads(); }
  uint32_t spare_envs() const {
    const bool late = (env(0).flags & PP_ENV_LATE_ROWS) != 0u;
    return (engine_.threads().size() + 1) * (late ? 1 : std::max(env(0).preferred_lanes, 1u)) +
           (snapshots_.copies(0) ? 1 : 0);
  }
  // Plays these sequences in the environments of this pool, whose states are lost. `envs` are all
  // of them, of one player each, stepped by the pool's threads, without autoreset. Throws unless
  // all states fit; what fails later is in job.failures.
  void simulate(const Hold& envs, Sequences& job, const Interrupted& interrupted) {
    if (envs.size() != envs_.size() || backend_ != nullptr || players_ != nullptr ||
        config_.autoreset != Autoreset::disabled) {
      throw Error(ErrorKind::value, "this pool is not made for simulations");
    }
    // The caller's thread may close this pool meanwhile.
    attended(
        [&] {
          const Visit visit(lifetime_);
          Simulations simulations(job, layout_, envs_, engine_, snapshots_, in_flight_.lock());
          if (simulations.run([this] { return closed() || Attention::lost(); })) return;
          Attention::check();
          check_usable();
        },
        interrupted);
  }

  // Ends everything: drops what no thread began, waits for what runs, joins the threads unless they
  // are shared, destroys the environments, wakes a waiting recv. Does nothing the second time. In a
  // forked child it only forgets. With step_timeout it waits no longer than that for any
  // environment; what a thread that is stuck may touch is then left behind, its environments are
  // not destroyed, and the thread ends when it returns, or with the process.
  // By one thread.
  void close() {
    if (!lifetime_.close()) return;
    // The threads exist in the parent only; joining or destroying would hang.
    if (forked()) return lifetime_.end();
    left_behind_ = !engine_.stop();
    lifetime_.wait_for_callers();  // a caller in wait() sees the flag within its current run
    lifetime_.end();
    engine_.destroy_envs();
    // A thread left behind may be about to finish a row of them.
    if (!left_behind_) batches_.drop();
  }

 private:
  using Visit = PoolLifetime::Visit;

  // Waits from `began` to the next look for interruptions.
  Batch* wait_a_while(Clock::time_point began, Clock::time_point deadline,
                      Clock::time_point entered, uint32_t* spins) {
    const PoolLifetime::Entry entry(lifetime_);
    const UsualFloatRules rules;
    const bool limited = deadline != Clock::time_point::max();
    for (std::chrono::nanoseconds left = std::chrono::hours(1);;) {
      if (Batch* batch = take_complete()) {
        engine_.taken(batch, entered);
        return batch;
      }
      if (limited) left = deadline - Clock::now();
      if (left.count() <= 0) return nullptr;
      const bool waited = engine_.help(
          spins, left, [this] { return in_flight_.any_complete(); }, [this] { return closed(); });
      if (waited && Clock::now() - began >= look_every) return nullptr;
    }
  }

  // Throws if most episodes begin without a reset, which this call is for.
  void expect_resets(const char* call) const {
    if (!config_.resets_itself) return;
    throw Error(ErrorKind::not_offered, std::string(env(0).id) + " resets itself, so " + call +
                                            " does not reach its next episode: give it to reset()");
  }

  // Returns true if another thread may be in the shards of these environments, or answers for them.
  bool waits_inside(const Hold& envs) {
    if (engine_.runner().waits_for_others()) return true;
    return engine_.shards().shared() && in_flight_.others(envs.size());
  }

  // Returns the bytes of batches for all rows at once, and of one batch that a reader keeps
  // meanwhile; nothing where memory is not checked. Throws if they do not fit.
  std::optional<double> bytes_of_batches() const {
    if (!config_.memory_check) return std::nullopt;
    const double count = 1 + std::ceil(static_cast<double>(config_.num_envs) / config_.batch_size);
    const double bytes = count * static_cast<double>(layout_.store()->bytes());
    MemoryCheck check(1, 1, bytes, true);
    if (!check.look(0)) throw Error(ErrorKind::environment, check.why());
    return bytes;
  }

  std::unique_ptr<PlayerTable> make_players() const {
    if (layout_.players() == nullptr) return nullptr;
    return std::make_unique<PlayerTable>(*layout_.players(), config_.num_envs, config_.statistics);
  }

  Batch* take_complete() {
    check_usable();
    engine_.check_deadlines();
    Batch* batch = in_flight_.take();
    if (batch != nullptr && flat_players_) flat_players_->flatten(*batch);
    return batch;
  }

  Reservation hold(const EnvIds& envs) {
    const PoolLifetime::Entered entered(lifetime_);
    check_library();
    return in_flight_.hold(envs);
  }

  // Throws if an environment does not return where one at a time may work: none ever will.
  void check_library() const {
    if (engine_.shards().exclusive() == nullptr || library_.stuck().load() == 0) return;
    throw Error(ErrorKind::stuck,
                std::string("an environment of ") + library_.plugin().name +
                    " does not return from a step that exceeded step_timeout, and its library is "
                    "used by one environment at a time. Nothing of it can go on in this process");
  }

  Library& library_;
  const EnvTables tables_;
  Backend* const backend_;
  const PoolConfig config_;
  const EnvSpec spec_;
  PoolLifetime lifetime_;

  Layout layout_;                                // the columns of a batch
  const std::optional<double> batch_bytes_;      // known before anything of their size is made
  EnvTable envs_;                                // the host's state of each environment
  std::unique_ptr<EpisodeSeeds> episode_seeds_;  // NULL unless they are from a list
  std::unique_ptr<PlayerTable> players_;  // NULL unless the environment has fields per player
  BatchQueue batches_;                    // on their way
  Engine engine_;                         // steps the environments
  InFlight in_flight_;                    // the environments that have work on its way
  Inspector inspector_;
  Snapshots snapshots_;
  std::optional<FlatPlayers> flat_players_;  // set if rows of players are handed out flat
  std::atomic<int64_t> waited_{0};           // nanoseconds
  bool left_behind_ = false;                 // threads that are stuck: this object must stay
};

}  // namespace pp::host
