// SPDX-License-Identifier: GPL-2.0-only
#include "x86_64_code.hpp"

#include "code_pages.hpp"
#include "code_table.hpp"
#include "emitter.hpp"
#include "frame.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64 {
namespace {

class Code final : public MachineCode {
 public:
  explicit Code(const ProgramMap& map) : map_(map) {
    const Emitter shared(map_, table_, {});
    if (!seal(shared)) return;
    table_.set_unknown(chunks_[0].begin() + shared.leave());
    // The conversion of an address to a function is the host's to define.
    enter_ =
        reinterpret_cast<Enter>(reinterpret_cast<uintptr_t>(chunks_[0].begin() + shared.enter()));
  }
  bool works() const { return enter_ != nullptr; }

  const void* find(unsigned region, uint16_t pc) const override { return table_.find(region, pc); }

  void add(const std::vector<std::pair<BlockKey, Block>>& blocks) override {
    if (bytes_ >= most_bytes) return;
    std::vector<BlockKey> keys;
    for (const auto& [key, block] : blocks) keys.push_back(key);
    Emitter emitter(map_, table_, keys);
    for (const auto& [key, block] : blocks) emitter.emit(key, block);
    if (!seal(emitter)) return;
    const uint8_t* begin = chunks_.back().begin();
    for (const BlockKey& key : keys) {
      table_.entry(key).store(begin + emitter.offset(key), std::memory_order_release);
    }
  }

  void run(Bus& bus, const void* code, uint32_t limit) const override {
    MachineState& s = bus.s;
    const Frame frame{&bus,
                      &s,
                      map_.view(bus.cartridge, s.cartridge, s.cpu.pc),
                      &bus.tv,
                      &bus.canvas,
                      &bus.pins,
                      limit,
                      tia::line_start(s.tia)};
    enter_(&frame, code);
  }

 private:
  using Enter = void (*)(const Frame* frame, const void* code);

  bool seal(const Emitter& emitter) {
    CodePages pages(emitter.code());
    if (pages.begin() == nullptr) return false;
    chunks_.push_back(std::move(pages));
    bytes_ += emitter.code().size();
    return true;
  }

  const ProgramMap& map_;
  CodeTable table_;
  std::vector<CodePages> chunks_;
  size_t bytes_ = 0;
  Enter enter_ = nullptr;
};

}  // namespace

std::unique_ptr<MachineCode> make_code(const ProgramMap& map) {
  auto code = std::make_unique<Code>(map);
  if (!code->works()) return nullptr;
  return code;
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
