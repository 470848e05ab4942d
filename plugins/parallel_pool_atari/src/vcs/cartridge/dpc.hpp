// SPDX-License-Identifier: GPL-2.0-only
// The Display Processor Chip of Pitfall II (U.S. patent 4,644,495): eight data fetchers that walk
// through 2 KiB of graphics, three of which can make music instead, and a random number generator.
//
// The random numbers are, as in Stella, clocked by each access that reaches the chip or a hot spot,
// and the music by the cycles between two reads of it.

#ifndef PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_
#define PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "../state.hpp"

namespace pp::atari::vcs::dpc {

inline constexpr size_t graphics_bytes = 2048;
inline constexpr uint16_t read_registers = 0x40;  // below: read; from there to 0x80: written
inline constexpr uint16_t registers = 0x80;
inline constexpr int fetchers = 8;
inline constexpr int first_music = 5;

// A register's address is its fetcher in the low three bits, and above them what is to be done.
enum Reads : uint8_t { numbers = 0, data = 1, flagged_data = 2, flag = 7 };
enum Writes : uint8_t { top = 0, bottom = 1, low = 2, high = 3, new_numbers = 6 };
constexpr unsigned fetcher_of(uint16_t address) {
  return address & 7U;
}
constexpr unsigned function_of(uint16_t address) {
  return (address >> 3) & 7U;
}
inline constexpr uint8_t music_bit = 0x10;  // a bit of Writes::high from the fifth fetcher on

// Shifts in the inverse of the parity of bits 7, 5, 4 and 3.
inline void clock_random(DpcState& s) {
  const unsigned r = s.random;
  const unsigned parity = ((r >> 7) ^ (r >> 5) ^ (r >> 4) ^ (r >> 3)) & 1;
  s.random = static_cast<uint8_t>((r << 1) | (parity ^ 1));
}

inline bool plays_music(const DpcState& s, unsigned fetcher) {
  return fetcher >= first_music && s.music[fetcher - first_music] != 0;
}

// Returns the oscillations of the chip's own oscillator in `cycles` of the CPU's clock.
constexpr double oscillations(int32_t cycles) {
  return (15750.0 * cycles) / 1193191.66666667;
}
// Programs read again within a few lines, and a division takes long.
constexpr std::array<double, 256> oscillations_table() {
  std::array<double, 256> table{};
  for (size_t cycles = 0; cycles < table.size(); ++cycles) {
    table[cycles] = oscillations(static_cast<int32_t>(cycles));
  }
  return table;
}
inline constexpr std::array<double, 256> few_oscillations = oscillations_table();

inline void clock_music(DpcState& s, uint32_t cycles) {
  const uint32_t passed = cycles - s.clocked;
  s.clocked = cycles;
  const double clocks =
      (passed < few_oscillations.size() ? few_oscillations[passed]
                                        : oscillations(static_cast<int32_t>(passed))) +
      s.fractional_clocks;
  const int whole = static_cast<int>(clocks);
  s.fractional_clocks = clocks - static_cast<double>(whole);
  if (whole <= 0) return;
  for (unsigned x = first_music; x < fetchers; ++x) {
    if (!plays_music(s, x)) continue;
    int low = s.counter[x] & 0xff;
    if (s.top[x] != 0) {
      const int period = s.top[x] + 1;
      low -= whole < period ? whole : whole % period;
      if (low < 0) low += period;
    } else {
      low = 0;
    }
    if (low <= s.bottom[x]) {
      s.flag[x] = 0x00;
    } else if (low <= s.top[x]) {
      s.flag[x] = 0xff;
    }
    s.counter[x] = static_cast<uint16_t>((s.counter[x] & 0x0700) | low);
  }
}

inline uint8_t music_amplitude(const DpcState& s) {
  constexpr uint8_t amplitudes[8] = {0x00, 0x04, 0x05, 0x09, 0x06, 0x0a, 0x0b, 0x0f};
  unsigned voices = 0;
  for (unsigned v = 0; v < 3; ++v) {
    if (s.music[v] != 0 && s.flag[first_music + v] != 0) voices |= 1U << v;
  }
  return amplitudes[voices];
}

// A read of one of the first 64 bytes.
inline uint8_t read(DpcState& s, const uint8_t* graphics, uint16_t address, uint32_t cycles) {
  const unsigned x = fetcher_of(address);
  if ((s.counter[x] & 0xff) == s.top[x]) {
    s.flag[x] = 0xff;
  } else if ((s.counter[x] & 0xff) == s.bottom[x]) {
    s.flag[x] = 0x00;
  }
  // Graphics are stored backwards.
  const uint8_t data = graphics[(graphics_bytes - 1 - s.counter[x]) & (graphics_bytes - 1)];
  uint8_t result = 0;
  switch (function_of(address)) {
    case Reads::numbers:  // random ones of the first four fetchers, what the music sounds like of
                          // the others
      if (x < 4) {
        result = s.random;
      } else {
        clock_music(s, cycles);
        result = music_amplitude(s);
      }
      break;
    case Reads::data:
      result = data;
      break;
    case Reads::flagged_data:
      result = data & s.flag[x];
      break;
    case Reads::flag:
      result = s.flag[x];
      break;
    default:
      break;
  }
  if (!plays_music(s, x)) {
    s.counter[x] = static_cast<uint16_t>((s.counter[x] - 1) & 0x7ff);
  }
  return result;
}

// A write to one of the second 64 bytes.
inline void write(DpcState& s, uint16_t address, uint8_t value) {
  const unsigned x = fetcher_of(address);
  switch (function_of(address)) {
    case Writes::top:
      s.top[x] = value;
      s.flag[x] = 0x00;
      break;
    case Writes::bottom:
      s.bottom[x] = value;
      break;
    case Writes::low: {
      // A fetcher that makes music is loaded with its period instead.
      const uint8_t low = plays_music(s, x) ? s.top[x] : value;
      s.counter[x] = static_cast<uint16_t>((s.counter[x] & 0x0700) | low);
      break;
    }
    case Writes::high:
      s.counter[x] = static_cast<uint16_t>(((value & 7U) << 8) | (s.counter[x] & 0xffU));
      if (x >= first_music) s.music[x - first_music] = value & music_bit;
      break;
    case Writes::new_numbers:
      s.random = 1;
      break;
    default:
      break;
  }
}

}  // namespace pp::atari::vcs::dpc

#endif  // PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_
