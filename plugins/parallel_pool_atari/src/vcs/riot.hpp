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

// The timer's register `cycles` into the frame, negative once it has run out.
inline std::int32_t ticks_left(const RiotState& s, std::uint32_t cycles) {
  const std::uint32_t elapsed = cycles - 1 - s.timer_set;
  return static_cast<std::int32_t>(s.timer - (elapsed >> s.interval_shift) - 1);
}

inline std::uint8_t read_timer(RiotState& s, std::uint32_t cycles) {
  const std::int32_t left = ticks_left(s, cycles);
  if (left >= 0) return static_cast<std::uint8_t>(left);
  const std::uint32_t elapsed = cycles - 1 - s.timer_set;
  const std::uint32_t duration = s.timer << s.interval_shift;
  const auto past = static_cast<std::int32_t>(duration - elapsed - 1);
  if (past <= -2 && s.read_after_interrupt == 0) {
    s.read_after_interrupt = 1;
    s.interrupt_read = cycles;
  }
  if (s.read_after_interrupt == 0) return static_cast<std::uint8_t>(past);
  const std::uint32_t offset = s.interrupt_read - (s.timer_set + duration);
  return static_cast<std::uint8_t>(s.timer - (elapsed >> s.interval_shift) - offset);
}

inline std::uint8_t read(RiotState& s, const Pins& pins, std::uint16_t address,
                         std::uint32_t cycles) {
  switch (address & 7) {
    case 0:  // SWCHA
      return pins.joysticks;
    case 1:  // SWACNT
      return s.ddra;
    case 2:  // SWCHB
      return pins.switches;
    case 3:  // SWBCNT, which Stella does not keep
      return 0;
    case 4:
    case 6:  // INTIM
      return read_timer(s, cycles);
    default:  // TIMINT
      return ticks_left(s, cycles) >= 0 || s.read_after_interrupt != 0 ? 0x00 : 0x80;
  }
}

inline void write(RiotState& s, std::uint16_t address, std::uint8_t value, std::uint32_t cycles) {
  constexpr std::uint8_t kShifts[4] = {0, 3, 6, 10};  // TIM1T, TIM8T, TIM64T, T1024T
  // Joysticks and paddles ignore what is written to their port, and SWBCNT is fixed.
  if ((address & 7) == 1) {
    s.ddra = value;
  } else if ((address & 0x14) == 0x14) {
    s.timer = value;
    s.interval_shift = kShifts[address & 3];
    s.timer_set = cycles;
    s.read_after_interrupt = 0;
  }
}

}  // namespace pp::atari::vcs::riot

#endif  // PARALLEL_POOL_ATARI_VCS_RIOT_HPP_
