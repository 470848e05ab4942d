// SPDX-License-Identifier: GPL-2.0-only
// Where the code of each block is. Machine code jumps through it, threads find entries without a
// lock; they are added under one.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_TABLE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_TABLE_HPP_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../cartridge/cartridge.hpp"
#include "../blocks/operation.hpp"
#include "../blocks/program_map.hpp"

namespace pp::atari::vcs::translator::x86_64 {

class CodeTable {
 public:
  // An entry: code, or `unknown` where a block has none.
  using Entry = std::atomic<const void*>;

  // Code that leaves.
  void set_unknown(const void* unknown) {
    unknown_ = unknown;
    nothing_ = new_page();
    for (auto& page : pages_) page.store(nothing_, std::memory_order_relaxed);
  }

  const void* find(unsigned region, uint16_t pc) const {
    const Entry* page = pages_[ProgramMap::page_of(region, pc)].load(std::memory_order_acquire);
    const void* code = page[pc & 0xfffU].load(std::memory_order_acquire);
    return code == unknown_ ? nullptr : code;
  }
  // Finds the code that machine code jumps to.
  const void* find_or_leave(unsigned region, uint16_t pc) const {
    const void* code = find(region, pc);
    return code == nullptr ? unknown_ : code;
  }

  // Its address stays.
  Entry& entry(BlockKey key) {
    std::atomic<Entry*>& page = pages_[ProgramMap::page_of(key.region, key.pc)];
    if (page.load(std::memory_order_relaxed) == nothing_) {
      page.store(new_page(), std::memory_order_release);
    }
    return page.load(std::memory_order_relaxed)[key.pc & 0xfffU];
  }

  // The addresses of pages, eight for each region, by the address lines above the view.
  const void* pages() const { return pages_.data(); }

 private:
  Entry* new_page() {
    Entry* page = owned_.emplace_back(std::make_unique<Entry[]>(Cartridge::view_bytes)).get();
    for (size_t i = 0; i < Cartridge::view_bytes; ++i) {
      page[i].store(unknown_, std::memory_order_relaxed);
    }
    return page;
  }

  std::array<std::atomic<Entry*>, ProgramMap::pages> pages_{};
  std::vector<std::unique_ptr<Entry[]>> owned_;
  Entry* nothing_ = nullptr;
  const void* unknown_ = nullptr;
};
static_assert(sizeof(CodeTable::Entry) == 8, "as machine code counts them");

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_TABLE_HPP_
