// SPDX-License-Identifier: GPL-2.0-only
// A loop that loads INTIM and branches back to the load: how games wait for the timer.
//
// Reads before the timer runs out change nothing, so all rounds but the last are taken at once.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_TIMER_WAIT_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_TIMER_WAIT_HPP_

#include <cstdint>

#include "../riot.hpp"

namespace pp::atari::vcs::cpu6507 {

struct TimerWait {
  // The branches that can end the loop.
  static constexpr uint8_t bne = 0xd0, bpl = 0x10, bmi = 0x30;

  uint8_t branch;
  bool crosses;  // a page, on the way back

  // Returns what the last round of a program reads whose first read is in the cycle `now`.
  // `skipped`: the cycles of the rounds in between.
  uint8_t last_read(RiotState& riot, uint32_t now, uint32_t& skipped) const {
    const uint8_t value = riot::read_timer(riot, now);
    skipped = cycles_skipped(riot, value, now);
    if (skipped == 0) return value;
    return static_cast<uint8_t>(riot::ticks_left(riot, now + skipped));
  }
  // Returns the cycles of the load and the branch.
  uint32_t round_cycles() const { return 4 + 3 + (crosses ? 1 : 0); }
  // Cycles of the rounds that are taken at once, of a program that has just read `value` in
  // `cycles`.
  uint32_t cycles_skipped(const RiotState& riot, uint8_t value, uint32_t cycles) const {
    const bool negative = value >= 0x80;
    const bool waits = branch == bne   ? value != 0
                       : branch == bpl ? !negative
                                       : branch == bmi && negative;
    if (!waits) return 0;
    // The program stays in the loop while the timer is at least this.
    const uint32_t least = branch == bne ? 1 : branch == bpl ? 0 : 0x80;
    if (riot::ticks_left(riot, cycles) < static_cast<int32_t>(least)) return 0;
    const uint32_t round = round_cycles();
    const uint32_t elapsed = cycles - 1 - riot.timer_set;
    const uint32_t end = (riot.timer - least) << riot.interval_shift;  // elapsed when it is less
    if (elapsed >= end) return 0;
    return ((end - elapsed + round - 1) / round - 1) * round;
  }
};

}  // namespace pp::atari::vcs::cpu6507

#endif  // PARALLEL_POOL_ATARI_VCS_CPU6507_TIMER_WAIT_HPP_
