// SPDX-License-Identifier: GPL-2.0-only
#include "program.hpp"

#include <algorithm>
#include <utility>

#include "../blocks/block_builder.hpp"
#include "parallel_pool/per_process.hpp"
#include "run_blocks.hpp"

namespace pp::atari::vcs::translator {

std::atomic<unsigned> Program::frames_between_chunks{64};

std::shared_ptr<Program> Program::of(const Cartridge& cartridge) {
  struct Known {
    std::mutex mutex;
    std::vector<std::weak_ptr<Program>> programs;
  };
  static PerProcess<Known> here;
  auto& [mutex, known] = here.get();
  ProgramMap map(cartridge);
  const std::lock_guard<std::mutex> lock(mutex);
  known.erase(std::remove_if(known.begin(), known.end(), [](const auto& p) { return p.expired(); }),
              known.end());
  for (const auto& weak : known) {
    std::shared_ptr<Program> program = weak.lock();
    if (program != nullptr && program->map() == map) return program;
  }
  auto program = std::make_shared<Program>(std::move(map));
  known.push_back(program);
  return program;
}

const Op* Program::block(unsigned region, uint16_t pc) {
  if (const Op* made = find(region, pc)) return made;
  if (!map_.holds_code(pc)) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have made it meanwhile.
  if (const Op* made = find(region, pc)) return made;
  std::atomic<Table*>& slot = tables_[ProgramMap::page_of(region, pc)];
  Table* table = slot.load(std::memory_order_relaxed);
  if (table == nullptr) {
    table = owned_tables_.emplace_back(std::make_unique<Table>()).get();
    slot.store(table, std::memory_order_release);
  }
  return make(*table, region, pc);
}

const Op* Program::make(Table& table, unsigned region, uint16_t pc) {
  if (ops_ >= most_ops) return nullptr;
  const Block block = build_block(map_, region, pc, table.begun);
  const auto links =
      std::count_if(block.begin(), block.end(), [](const BlockOp& op) { return op.linked; });
  const size_t count = block.size() + static_cast<size_t>(links);
  const void* const* handlers = block_handlers();
  auto ops = std::make_unique<Op[]>(count);
  Op* to = ops.get();
  for (const BlockOp& from : block) {
    to->handler = handlers[static_cast<size_t>(from.operation)];
    to->operand = from.operand;
    to->cycles = from.cycles;
    to->pc = from.pc;
    ++to;
    if (!from.linked) continue;
    new (&to->link) std::atomic<const Op*>(nullptr);
    to->operand = map_.region_from(region, from.pc, from.target).value();
    to->pc = from.target;
    ++to;
  }
  ops_ += count;
  table.begun.set(pc & 0xfffU);
  const Op* first = owned_blocks_.emplace_back(std::move(ops)).get();
  table.at[pc & 0xfffU].store(first, std::memory_order_release);
  if (!refused_) {
    without_code_.push_back({region, pc});
    awaits_code_.store(true, std::memory_order_relaxed);
  }
  return first;
}

void Program::make_code() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (without_code_.empty()) return;  // another thread was here
  awaits_code_.store(false, std::memory_order_relaxed);
  if (owned_code_ == nullptr) owned_code_ = MachineCode::of(map_);
  refused_ = owned_code_ == nullptr;
  std::vector<std::pair<BlockKey, Block>> blocks;
  for (const BlockKey& key : without_code_) {
    if (refused_) break;
    const Table* table =
        tables_[ProgramMap::page_of(key.region, key.pc)].load(std::memory_order_relaxed);
    blocks.emplace_back(key, build_block(map_, key.region, key.pc, table->begun));
  }
  without_code_.clear();
  if (refused_) return;
  owned_code_->add(blocks);
  code_.store(owned_code_.get(), std::memory_order_release);
}

}  // namespace pp::atari::vcs::translator
