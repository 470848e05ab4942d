// SPDX-License-Identifier: GPL-2.0-only
#include "run_frame.hpp"

#include <algorithm>

#include "../cpu6507/exact_cpu.hpp"
#include "../cpu6507/fast_cpu.hpp"
#include "portable/run_blocks.hpp"

namespace pp::atari::vcs::translator {
namespace {

// More than the cycles of a block, waits included: no block begins so near to what ends a frame, so
// that its writes are in time (tia::writers_in_time).
constexpr int64_t margin = 76 * 20;

}  // namespace

bool run_frame(Bus& bus, Program& program, bool machine_code, uint32_t budget) {
  MachineState& s = bus.s;
  const int64_t end = std::min<int64_t>(budget, s.tia.frame_limit / 3) - margin;
  const auto limit = static_cast<uint32_t>(std::max<int64_t>(end, 0));
  if (machine_code) program.begin_frame();
  const MachineCode* code = machine_code ? program.machine_code() : nullptr;
  for (;;) {
    if (s.tia.frame_done != 0) return s.cpu.cycles <= budget;
    if (s.cpu.jammed != 0) return false;
    if (s.cpu.cycles > limit) return cpu6507::run_frame(bus, budget);
    const uint16_t pc = s.cpu.pc;
    if (!Bus::is_cartridge(pc)) {
      cpu6507::steps_elsewhere(bus, limit);
      continue;
    }
    const unsigned region = program.map().region(s.cartridge, pc);
    const void* compiled = code == nullptr ? nullptr : code->find(region, pc);
    if (compiled != nullptr) {
      code->run(bus, compiled, limit);
    } else if (const Op* op = program.block(region, pc)) {
      run_blocks(bus, program, op, limit);
    } else {
      cpu6507::step(bus);
    }
  }
}

}  // namespace pp::atari::vcs::translator
