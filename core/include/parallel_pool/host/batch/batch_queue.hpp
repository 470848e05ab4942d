// parallel_pool/host/batch/batch_queue.hpp: the batches that are on their way.
//
// A synchronous pool has a batch for each question, with as many rows. An asynchronous one has
// batches of `batch_size` rows; environments that are done claim the next free row of the oldest
// that has one, so batches fill in the order in which environments finish; or they get it when they
// are sent, and batches come in the order of sending.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"

namespace pp::host {

// All but claim() is called with the pool's state lock held.
class BatchQueue {
 public:
  // `batch_size` equal to `num_envs`: synchronous. `in_order`: batches come in the order in which
  // they are opened, as those of synchronous pools always do.
  BatchQueue(uint32_t num_envs, uint32_t batch_size, bool in_order)
      : batch_size_(batch_size),
        synchronous_(batch_size == num_envs),
        in_order_(synchronous_ || in_order),
        unclaimed_(std::bit_ceil(num_envs / batch_size + 3)) {
    open_.reserve(synchronous_ ? num_envs : num_envs / batch_size + 2);
    spare_.reserve(open_.capacity());
  }
  ~BatchQueue() { drop(); }

  bool synchronous() const { return synchronous_; }
  // From now on answers of all environments, in their order, are written into one batch.
  Batch* stand(BatchStore& store) {
    standing_in_ = &store;
    return standing_ = store.stand();
  }
  uint32_t in_flight() const { return in_flight_; }  // environments
  // Environments that are held count as in flight without having a row to come.
  void hold(uint32_t n) { in_flight_ += n; }
  void let_go(uint32_t n) { in_flight_ -= n; }

  // Room for n more rows: open() will not fail for them. Throws for want of memory, and then
  // nothing has changed.
  void promise(BatchStore& store, uint32_t n) {
    while (spare_.size() < spares_for(n)) {
      if (spare_.size() == spare_.capacity()) spare_.reserve(2 * spare_.size() + 1);
      spare_.push_back(store.acquire(batch_size_));
    }
    ++promises_;
    promised_ += n;
    in_flight_ += n;
  }
  // They do not come after all; their batches are for the next.
  void take_back(uint32_t n) {
    --promises_;
    promised_ -= n;
    in_flight_ -= n;
  }
  // They come now. The batch they will be in, or NULL: they claim() it. `places`: NULL, or where
  // its columns begin. `whole`: nothing else is on its way, and the last batch is as small as it
  // has to be. `all`: they are all environments, in order.
  Batch* open(uint32_t n, const std::vector<char*>* places, bool whole, bool all) {
    --promises_;
    promised_ -= n;
    submitted_ += n;
    if (standing_ != nullptr && all && places == nullptr) {
      open_.push_back(standing_in_->take_out(standing_, n));
      return standing_;
    }
    if (synchronous_) {
      Batch* batch = next_spare();
      batch->rows = n;
      if (places != nullptr) batch->place(*places);
      return batch;
    }
    while (provided_ < submitted_) {
      Batch* more = next_spare();
      if (whole) {
        more->rows = static_cast<uint32_t>(std::min<uint64_t>(batch_size_, submitted_ - provided_));
      }
      provided_ += more->rows;
      Unclaimed& last = unclaimed(opened_++);
      last.batch.store(more, std::memory_order_relaxed);
      last.rows.store(more->rows, std::memory_order_relaxed);
    }
    return nullptr;
  }

  // Up to *count rows that follow each other, in the order in which environments ask. Any thread.
  Batch* claim(uint32_t* count, uint32_t* row) {
    const uint32_t most = *count;
    for (uint64_t next = next_.load(std::memory_order_acquire);;) {
      const Unclaimed& first = unclaimed(next >> 32);
      Batch* const batch = first.batch.load(std::memory_order_relaxed);
      const uint32_t rows = first.rows.load(std::memory_order_relaxed);
      *row = static_cast<uint32_t>(next);
      *count = std::min(most, rows - *row);
      const uint64_t after = *row + *count < rows ? next + *count : ((next >> 32) + 1) << 32;
      if (next_.compare_exchange_weak(next, after, std::memory_order_acq_rel)) return batch;
    }
  }

  // The next batch that is complete, or NULL; the caller then owns it. Answers of a synchronous
  // pool come in the order of the questions. Throws if none is on its way, or none for this thread.
  Batch* take() {
    // All but the last have their rows on the way.
    const bool whole = open_.size() > 1 || provided_ <= submitted_;
    if (open_.empty() || !whole) nothing_pending();
    check_takes(*open_.front());
    const size_t i = first_complete();
    if (i == open_.size()) return nullptr;
    Batch* batch = open_[i];
    open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
    in_flight_ -= batch->rows;
    received_ += batch->rows;
    return batch;
  }

  bool any_complete() const { return first_complete() < open_.size(); }

  // After the last write: none of them will be taken.
  void drop() {
    for (std::vector<Batch*>* each : {&open_, &spare_}) {
      for (Batch* batch : *each) BatchStore::release(batch);
      each->clear();
    }
  }

 private:
  // Read before it is claimed, as the slots of RunQueue; the batch may be gone by then.
  struct Unclaimed {
    std::atomic<Batch*> batch{nullptr};
    std::atomic<uint32_t> rows{0};
  };
  Unclaimed& unclaimed(uint64_t number) { return unclaimed_[number & (unclaimed_.size() - 1)]; }

  // Returns how many spare batches the claimed rows and n more need.
  size_t spares_for(uint32_t n) const {
    if (synchronous_) return promises_ + 1;
    const uint64_t rows = submitted_ + promised_ + n;
    return rows <= provided_ ? 0 : static_cast<size_t>((rows - provided_ - 1) / batch_size_ + 1);
  }

  static void check_takes(const Batch& next) {
    if (next.only_for == std::thread::id() || next.only_for == std::this_thread::get_id()) return;
    throw Error(ErrorKind::busy,
                "what is on its way is for the compiled program that asked for it, and which waits "
                "for it now: let that end first");
  }

  Batch* next_spare() {
    Batch* batch = spare_.back();
    spare_.pop_back();
    open_.push_back(batch);
    return batch;
  }

  size_t first_complete() const {
    const size_t candidates = std::min<size_t>(in_order_ ? 1 : open_.size(), open_.size());
    for (size_t i = 0; i < candidates; ++i) {
      if (open_[i]->complete()) return i;
    }
    return open_.size();
  }

  [[noreturn]] void nothing_pending() const {
    if (synchronous_ || in_flight_ == 0) {
      throw Error(ErrorKind::nothing_pending,
                  "nothing is on its way: call send() or async_reset() first");
    }
    const std::string size = std::to_string(batch_size_);
    throw Error(ErrorKind::nothing_pending,
                "recv would wait for " + size + " rows, and only " +
                    std::to_string(submitted_ - received_) +
                    " are on their way: send more actions first. A pool with batch_size=1 returns "
                    "what there is: recv(min_batch=1, max_batch=" +
                    size + ")");
  }

  uint32_t batch_size_;
  bool synchronous_;
  bool in_order_;
  std::vector<Batch*> open_;   // provided, not yet taken
  std::vector<Batch*> spare_;  // for what is promised
  BatchStore* standing_in_ = nullptr;
  Batch* standing_ = nullptr;
  size_t promises_ = 0;
  uint64_t promised_ = 0;   // rows
  uint64_t submitted_ = 0;  // rows, since the beginning
  uint64_t received_ = 0;
  uint64_t provided_ = 0;  // rows of the batches that asynchronous environments may claim
  uint32_t in_flight_ = 0;
  std::vector<Unclaimed> unclaimed_;  // a ring of those that have rows to claim
  uint32_t opened_ = 0;               // batches that were put there
  // The next row to claim: its batch's number, and there its own. A run is queued when its rows
  // are there, so who claims has seen them, or follows the claim of one that had.
  alignas(128) Shared<uint64_t, struct RowClaims> next_{0};
};

}  // namespace pp::host
