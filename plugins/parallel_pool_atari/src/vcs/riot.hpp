// SPDX-License-Identifier: GPL-2.0-only
// The 6532 RIOT: timer and ports. Its RAM is reached directly (bus.hpp).
//
// Reading INTIM before the timer has run out changes nothing, which the CPU's wait-loop shortcut
// relies on. What happens after is Stella's model, which ALE has: the first read latches a moment,
// and the count goes on from there at one per tick, not one per cycle.

#ifndef PARALLEL_POOL_ATARI_VCS_RIOT_HPP_
#define PARALLEL_POOL_ATARI_VCS_RIOT_HPP_

#include <cstdint>

#include "pins.hpp"
#include "state.hpp"

namespace pp::atari::vcs::riot {

// Read, by three address lines; SWACNT is written, too. NOLINTBEGIN(readability-identifier-naming)
enum Register : uint8_t {
  SWCHA = 0,   // joysticks
  SWACNT = 1,  // the lines of SWCHA that are outputs
  SWCHB = 2,   // the console's switches
  SWBCNT = 3,
  INTIM = 4,
  TIMINT = 5,  // D7: the timer has run out
  INTIM_AGAIN = 6,
};  // NOLINTEND(readability-identifier-naming)
inline constexpr uint16_t read_lines = 7;
// A write with these two lines high starts the timer; two more choose its interval.
inline constexpr uint16_t timer_lines = 0x14;
inline constexpr uint8_t interval_shifts[4] = {0, 3, 6, 10};  // TIM1T, TIM8T, TIM64T, T1024T

// The timer's register `cycles` into the frame, negative once it has run out.
inline int32_t ticks_left(const RiotState& s, uint32_t cycles) {
  const uint32_t elapsed = cycles - 1 - s.timer_set;
  return static_cast<int32_t>(s.timer - (elapsed >> s.interval_shift) - 1);
}

inline uint8_t read_timer(RiotState& s, uint32_t cycles) {
  const int32_t left = ticks_left(s, cycles);
  if (left >= 0) return static_cast<uint8_t>(left);
  const uint32_t elapsed = cycles - 1 - s.timer_set;
  const uint32_t duration = s.timer << s.interval_shift;
  const auto past = static_cast<int32_t>(duration - elapsed - 1);
  if (past <= -2 && s.read_after_interrupt == 0) {
    s.read_after_interrupt = 1;
    s.interrupt_read = cycles;
  }
  if (s.read_after_interrupt == 0) return static_cast<uint8_t>(past);
  const uint32_t offset = s.interrupt_read - (s.timer_set + duration);
  return static_cast<uint8_t>(s.timer - (elapsed >> s.interval_shift) - offset);
}

inline uint8_t read(RiotState& s, const Pins& pins, uint16_t address, uint32_t cycles) {
  switch (address & read_lines) {
    case SWCHA:
      return pins.joysticks;
    case SWACNT:
      return s.ddra;
    case SWCHB:
      return pins.switches;
    case SWBCNT:  // not kept by Stella
      return 0;
    case INTIM:
    case INTIM_AGAIN:
      return read_timer(s, cycles);
    default:
      return ticks_left(s, cycles) >= 0 || s.read_after_interrupt != 0 ? 0x00 : 0x80;
  }
}

inline void write(RiotState& s, uint16_t address, uint8_t value, uint32_t cycles) {
  // Joysticks and paddles ignore what is written to their port, and SWBCNT is fixed.
  if ((address & read_lines) == SWACNT) {
    s.ddra = value;
  } else if ((address & timer_lines) == timer_lines) {
    s.timer = value;
    s.interval_shift = interval_shifts[address & 3];
    s.timer_set = cycles;
    s.read_after_interrupt = 0;
  }
}

}  // namespace pp::atari::vcs::riot

#endif  // PARALLEL_POOL_ATARI_VCS_RIOT_HPP_
