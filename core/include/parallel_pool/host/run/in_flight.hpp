// parallel_pool/host/run/in_flight.hpp: which environments have work on its way, for which calls.
//
// A call is admitted and then submitted. Admission checks it, keeps its environments for it and has
// room for its rows, all under one lock; what it gives is a token, without which nothing can be
// submitted. A token that is dropped leaves everything as it was.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/run/ages.hpp"
#include "parallel_pool/host/run/call_validator.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

class InFlight;

// Environments that are kept for its owner; given back at the latest when it ends. Begun
// and ended by one thread at a time.
class Reservation {
 public:
  Reservation(Reservation&& other) noexcept
      : book_(std::exchange(other.book_, nullptr)), envs_(other.envs_), rows_(other.rows_) {}
  inline ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  Reservation& operator=(Reservation&&) = delete;

  const EnvIds& envs() const { return envs_; }

 private:
  friend class InFlight;
  Reservation(InFlight& book, const EnvIds& envs, bool rows)
      : book_(&book), envs_(envs), rows_(rows) {}

  InFlight* book_;  // NULL: it was moved from, or begun
  EnvIds envs_;
  bool rows_;  // rows are to come
};

// A call that was checked and may be submitted, once.
class AdmittedCall {
 public:
  const EnvIds& envs() const { return reservation_.envs(); }
  Op op() const { return op_; }
  // Returns true if nothing else may be on its way before this was received.
  bool alone() const { return alone_; }

 private:
  friend class InFlight;
  AdmittedCall(Reservation&& reservation, Op op, bool alone)
      : reservation_(std::move(reservation)), op_(op), alone_(alone) {}
  Reservation reservation_;
  Op op_;
  bool alone_;
};

class InFlight {
 public:
  // All of these outlive it; `watchdog` may be NULL.
  InFlight(EnvTable& envs, BatchQueue& batches, const Layout& layout, Autoreset autoreset,
           const Watchdog* watchdog)
      : envs_(envs),
        batches_(batches),
        layout_(layout),
        validator_(envs, autoreset, watchdog),
        ages_(batches.synchronous() ? 0 : envs.size()) {}

  // Throws unless these environments can take work now; nothing has changed then. `alone`: nothing
  // else may be on its way either.
  AdmittedCall admit(const EnvIds& envs, Op op, bool alone) {
    const std::lock_guard<SpinLock> lock(lock_);
    validator_.check(envs, op, batches_.in_flight() == 0);
    if (alone && batches_.in_flight() != 0) validator_.refuse_pending();
    batches_.promise(*layout_.store(), envs.n);
    mark(envs, EnvTable::sent);
    return {Reservation(*this, envs, true), op, alone};
  }

  // See Pool::set_apart.
  void set_apart(bool apart) {
    const std::lock_guard<SpinLock> lock(lock_);
    if (batches_.in_flight() != 0) validator_.refuse_pending();
    envs_.set_apart(apart);
  }

  // Keeps environments as if they had work in flight. Throws if one of them has.
  Reservation hold(const EnvIds& envs) {
    const std::lock_guard<SpinLock> lock(lock_);
    validator_.check(envs, Op::reset, batches_.in_flight() == 0);
    mark(envs, EnvTable::held);
    batches_.hold(envs.n);
    return {*this, envs, false};
  }

  // The call is under way. The batch that its rows will be in, or NULL: they claim it. `only`: set
  // to whether nothing else is on its way. `places`: of Pool::submit.
  Batch* begin(AdmittedCall&& call, bool* only, const std::vector<char*>* places) {
    const EnvIds envs = call.envs();
    const std::lock_guard<SpinLock> lock(lock_);
    call.reservation_.book_ = nullptr;
    *only = batches_.in_flight() == envs.n;
    if (envs.all()) {
      std::memset(envs_.op.data(), static_cast<int>(call.op_), envs.n);
    } else {
      for (uint32_t i = 0; i < envs.n; ++i) envs_.op[envs.ids[i]] = call.op_;
    }
    if (call.op_ == Op::reset) {
      for (uint32_t i = 0; i < envs.n; ++i) envs_.begin_reset(envs[i]);
    } else if (envs_.n_started != envs_.size()) {  // first steps that reset, perhaps
      for (uint32_t i = 0; i < envs.n; ++i) envs_.start(envs[i]);
    }
    ages_.sent(envs);
    return batches_.open(envs.n, places, envs_.apart && *only, envs.all());
  }

  // The next batch that is complete, or NULL; its environments may take work again. Throws if none
  // is on its way.
  Batch* take() {
    const std::lock_guard<SpinLock> lock(lock_);
    Batch* batch = batches_.take();
    if (batch == nullptr) return nullptr;
    if (batch->rows == envs_.size()) {
      std::memset(envs_.pending.data(), 0, envs_.pending.size());
    } else {
      const auto* env_id = layout_.rows<int32_t>(batch, column_env_id, 0);
      for (uint32_t r = 0; r < batch->rows; ++r) {
        envs_.pending[static_cast<uint32_t>(env_id[r])] = 0;
      }
      ages_.received(env_id, batch->rows);
    }
    return batch;
  }

  bool any_complete() {
    const std::lock_guard<SpinLock> lock(lock_);
    return batches_.any_complete();
  }

  // Returns true if more than `n` environments are on their way or held.
  bool others(uint32_t n) {
    const std::lock_guard<SpinLock> lock(lock_);
    return batches_.in_flight() > n;
  }

  Ages::Report ages() {
    const std::lock_guard<SpinLock> lock(lock_);
    return ages_.report();
  }

  // Guards what the environment table says is guarded by it.
  SpinLock& lock() { return lock_; }

 private:
  friend class Reservation;

  void give_back(const EnvIds& envs, bool rows) {
    const std::lock_guard<SpinLock> lock(lock_);
    mark(envs, 0);
    rows ? batches_.take_back(envs.n) : batches_.let_go(envs.n);
  }

  void mark(const EnvIds& envs, uint8_t pending) {
    if (envs.all()) {
      std::memset(envs_.pending.data(), pending, envs.n);
    } else {
      for (uint32_t i = 0; i < envs.n; ++i) envs_.pending[envs.ids[i]] = pending;
    }
  }

  EnvTable& envs_;
  BatchQueue& batches_;
  const Layout& layout_;
  CallValidator validator_;
  Ages ages_;
  SpinLock lock_;  // held for moments
};

inline Reservation::~Reservation() {
  if (book_ != nullptr) book_->give_back(envs_, rows_);
}

}  // namespace pp::host
