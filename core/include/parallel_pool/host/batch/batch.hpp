// parallel_pool/host/batch/batch.hpp: the memory that results are written into and handed out as.
//
// A batch is one block: a column per output, each aligned to 128 bytes (two cache lines: no false
// sharing with neighbours, and JAX and torch can alias it). Batches go out, and come back to the
// store when their last reader lets go; what a reader keeps is never written again. A column may be
// written into memory of the thread that waits for the batch instead.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/fork_guard.hpp"
#include "parallel_pool/host/batch/pages.hpp"

namespace pp::host {

#ifndef PP_COUNTS_WRITES  // many threads write these in a step, and a test counts the writes
template <class T, class Name>
using Shared = std::atomic<T>;
#endif

inline constexpr size_t batch_alignment = 128;

struct Column {
  uint32_t dtype = 0;
  std::vector<int64_t> shape;  // the shape of one row
  size_t row_bytes = 0;
  size_t offset = 0;        // in the block
  bool per_player = false;  // the first dimension of a row is the player's slot
  size_t number = 0;        // among those of its batch
};

class BatchStore;

struct Batch {
  Batch(size_t bytes, size_t n_columns)
      : block(bytes, batch_alignment), data(block.data()), columns(n_columns) {}

  const ZeroBlock block;
  char* const data;
  std::vector<char*> columns;         // the beginning of each: in `data`, unless it was placed
  std::thread::id only_for;           // the one that may take it: columns lie in its memory
  std::shared_ptr<BatchStore> store;  // set while the batch is out
  uint32_t rows = 0;                  // the number of rows when it is complete
  size_t player_rows = 0;             // rows of per-player columns, once they are flat
  Shared<uint32_t, struct DoneRows> done{0};   // rows that are written
  Shared<bool, struct Ends> any_ended{false};  // an episode ends in one of the rows
  std::vector<EnvFailure> failures;            // guarded by the pool, as the two that follow
  std::vector<RowNote> notes;
  bool timed_out = false;       // one of the failed environments hangs
  bool standing = false;        // answers are written into it again while readers keep it
  std::shared_ptr<void> lease;  // keeps a registration of `data` elsewhere; ends before it is freed

  bool complete() const { return done.load(std::memory_order_acquire) == rows; }
  // Columns that begin there, unless that is NULL, until the batch is brought home or released. By
  // the thread that will take it, before anything is written.
  void place(const std::vector<char*>& places) {
    for (size_t c = 0; c < columns.size(); ++c) {
      if (places[c] != nullptr) columns[c] = places[c];
    }
    only_for = std::this_thread::get_id();
  }
};

class BatchStore : public std::enable_shared_from_this<BatchStore> {
 public:
  // Columns of `rows` rows each; fills in their offsets.
  BatchStore(std::vector<Column>& columns, uint32_t rows) {
    for (Column& column : columns) {
      column.number = homes_.size();
      column.offset = bytes_;
      homes_.push_back({column.offset, column.row_bytes});
      bytes_ += round_up(column.row_bytes * rows);
    }
    bytes_ = bytes_ == 0 ? batch_alignment : bytes_;
  }
  ~BatchStore() {
    const size_t count = all_.size();
    all_.clear();
    freed_batches(count);
  }

  size_t bytes() const { return bytes_; }  // the size of one batch
  size_t allocated() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return all_.size();
  }

  // The batch with the block that this address is in, or NULL. The caller sees to it that it stays
  // out.
  Batch* find(const char* address) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::unique_ptr<Batch>& batch : all_) {
      if (address >= batch->data && address < batch->data + bytes_) return batch.get();
    }
    return nullptr;
  }

  Batch* acquire(uint32_t rows) {
    Batch* batch = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!free_.empty()) {
        batch = free_.back();
        free_.pop_back();
      }
    }
    if (batch == nullptr) batch = create();
    return take_out(batch, rows);
  }

  // A batch that is out for ever, and can be taken out again and again. It ends with the store.
  Batch* stand() {
    Batch* batch = create();
    batch->standing = true;
    return batch;
  }
  Batch* take_out(Batch* batch, uint32_t rows) {
    batch->rows = rows;
    batch->done.store(0, std::memory_order_relaxed);
    batch->any_ended.store(false, std::memory_order_relaxed);
    batch->store = shared_from_this();
    return batch;
  }

  // Columns that were placed elsewhere are copied into the batch's own memory. It is complete.
  static void bring_home(Batch* batch) {
    const std::vector<Home>& homes = batch->store->homes_;
    for (size_t c = 0; c < homes.size(); ++c) {
      char* home = batch->data + homes[c].offset;
      if (batch->columns[c] != home) {
        std::memcpy(home, batch->columns[c], homes[c].row_bytes * batch->rows);
      }
    }
    batch->store->settle(batch);
  }

  // Releases a batch that is not handed out.
  struct Release {
    void operator()(Batch* batch) const { release(batch); }
  };

  // Called when the last reader lets go; any thread.
  static void release(Batch* batch) {
    if (batch->store->fork_guard_.forked()) return;  // it stays, as all that is of the parent
    const std::shared_ptr<BatchStore> store = std::move(batch->store);
    if (batch->only_for != std::thread::id()) store->settle(batch);
    batch->store.reset();
    batch->failures.clear();
    batch->notes.clear();
    batch->timed_out = false;
    if (batch->standing) return;
    {
      const std::lock_guard<std::mutex> lock(store->mutex_);
      if (store->free_.size() < 8 || store->free_.size() * store->bytes_ < kept_bytes) {
        store->free_.push_back(batch);
        return;
      }
    }
    store->destroy(batch);
  }

 private:
  // Batches beyond this are given back to the system: a reader that kept thousands once should not
  // hold their memory for ever.
  static constexpr size_t kept_bytes = size_t{256} << 20;

  static size_t round_up(size_t bytes) {
    return (bytes + batch_alignment - 1) / batch_alignment * batch_alignment;
  }

  struct Home {
    size_t offset;
    size_t row_bytes;
  };

  void settle(Batch* batch) const {
    for (size_t c = 0; c < homes_.size(); ++c) batch->columns[c] = batch->data + homes_[c].offset;
    batch->only_for = std::thread::id();
  }

  Batch* create() {
    auto made = std::make_unique<Batch>(bytes_, homes_.size());
    Batch* const batch = made.get();
    settle(batch);
    const std::lock_guard<std::mutex> lock(mutex_);
    // Room in the free list now, so that release() never allocates.
    if (free_.capacity() <= all_.size()) free_.reserve(2 * (all_.size() + 1));
    all_.push_back(std::move(made));
    return batch;
  }
  void destroy(const Batch* batch) {
    std::unique_ptr<Batch> last;  // ends, with what its lease does, when the lock is free
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto place = std::find_if(all_.begin(), all_.end(),
                                      [batch](const auto& each) { return each.get() == batch; });
      last = std::move(*place);
      all_.erase(place);
    }
    last.reset();
    freed_batches(1);
  }
  // Large batches were pages of their own, which the system already has again.
  void freed_batches(size_t count) const {
    if (bytes_ < large_block) return_free_memory(count * bytes_);
  }

  const ForkGuard fork_guard_;
  size_t bytes_ = 0;
  std::vector<Home> homes_;  // by column
  mutable std::mutex mutex_;
  std::vector<Batch*> free_;
  std::vector<std::unique_ptr<Batch>> all_;  // in or out
};

}  // namespace pp::host
