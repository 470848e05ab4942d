// SPDX-License-Identifier: GPL-2.0-only
// The blocks of one game, as the portable back end executes them, and their machine code.
//
// All machines with the same cartridge share a program, in any number of threads. What was made
// stays as it is: threads only ever see operations that are complete, and add links and blocks
// under a lock.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_PROGRAM_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_PROGRAM_HPP_

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "../blocks/operation.hpp"
#include "../blocks/program_map.hpp"
#include "../machine_code.hpp"

namespace pp::atari::vcs::translator {

// An operation, or behind one that another block may follow, the link to that block.
struct alignas(16) Op {
  union {
    const void* handler;
    mutable std::atomic<const Op*> link;  // null: not known yet
  };
  uint32_t operand;  // in a link: the region of `pc`
  uint16_t cycles;
  uint16_t pc;  // in a link: where it leads

  Op() : handler(nullptr), operand(0), cycles(0), pc(0) {}
};
static_assert(sizeof(void*) > 8 || sizeof(Op) == 16, "four to a cache line");

class Program {
 public:
  // At most; code beyond that is left to the interpreter. A game has some thousands.
  static constexpr size_t most_ops = 1 << 17;

  // Returns the one that all cartridges of this process with the same contents share.
  static std::shared_ptr<Program> of(const Cartridge& cartridge);
  explicit Program(ProgramMap map) : map_(std::move(map)) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const ProgramMap& map() const { return map_; }

  // The block at `pc`, an address of the cartridge, if it was made already.
  const Op* find(unsigned region, uint16_t pc) const {
    const Table* table = tables_[ProgramMap::page_of(region, pc)].load(std::memory_order_acquire);
    return table == nullptr ? nullptr : table->at[pc & 0xfffU].load(std::memory_order_acquire);
  }
  // Returns the block, and makes it if need be. Null: the interpreter has to execute what is there.
  const Op* block(unsigned region, uint16_t pc);
  // The machine code of blocks that were made some time ago, if there is any.
  const MachineCode* machine_code() const { return code_.load(std::memory_order_acquire); }
  // Has to be called for each frame that executes machine code: now and then, blocks get some.
  void begin_frame() {
    if (!awaits_code_.load(std::memory_order_relaxed)) return;
    const unsigned frame = frames_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (frame % frames_between_chunks.load(std::memory_order_relaxed) == 0) make_code();
  }
  // The frames of all machines together. More of them make fewer and larger chunks. Tests make it
  // 1.
  static std::atomic<unsigned> frames_between_chunks;

  // Returns the block that a link leads to, from now on without a look at the program.
  const Op* follow(const Op& link) {
    const Op* to = block(link.operand, link.pc);
    link.link.store(to, std::memory_order_release);
    return to;
  }

 private:
  // The table of one region under one of the addresses at which it is seen.
  struct Table {
    std::array<std::atomic<const Op*>, Cartridge::view_bytes> at{};
    std::bitset<Cartridge::view_bytes> begun;
  };
  const Op* make(Table& table, unsigned region, uint16_t pc);
  void make_code();

  const ProgramMap map_;
  std::array<std::atomic<Table*>, ProgramMap::pages> tables_{};
  std::mutex mutex_;  // for what is below
  std::vector<std::unique_ptr<Table>> owned_tables_;
  std::vector<std::unique_ptr<Op[]>> owned_blocks_;
  size_t ops_ = 0;
  std::unique_ptr<MachineCode> owned_code_;
  std::vector<BlockKey> without_code_;

  std::atomic<const MachineCode*> code_{nullptr};
  std::atomic<bool> awaits_code_{false};  // some block, and it may get it
  std::atomic<unsigned> frames_{0};
  bool refused_ = false;  // no block ever gets any
};

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_PROGRAM_HPP_
