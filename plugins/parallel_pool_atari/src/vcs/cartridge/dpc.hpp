// The Display Processor Chip of Pitfall II (U.S. patent 4,644,495): eight data fetchers that walk
// through 2 KiB of graphics, three of which can make music instead, and a random number generator.
//
// As in Stella, the random numbers are clocked by each access that reaches the chip or a hot spot,
// and the music by the cycles between two reads of it.

#ifndef PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_
#define PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_

#include <cstdint>

#include "../state.hpp"

namespace pp::atari::vcs::dpc {

inline constexpr std::size_t kGraphics = 2048;
inline constexpr std::uint16_t kReadRegisters = 0x40;  // below: read; from there to 0x80: written
inline constexpr std::uint16_t kRegisters = 0x80;
inline constexpr int kFetchers = 8;
inline constexpr int kFirstMusic = 5;

// A register's address is its fetcher in the low three bits, and above them what is to be done.
enum Reads : std::uint8_t { kNumbers = 0, kData = 1, kFlaggedData = 2, kFlag = 7 };
enum Writes : std::uint8_t { kTop = 0, kBottom = 1, kLow = 2, kHigh = 3, kNewNumbers = 6 };
constexpr unsigned fetcher_of(std::uint16_t address) {
  return address & 7U;
}
constexpr unsigned function_of(std::uint16_t address) {
  return (address >> 3) & 7U;
}
inline constexpr std::uint8_t kMusicBit = 0x10;  // of a kHigh from the fifth fetcher on

// Shifts in the inverse of the parity of bits 7, 5, 4 and 3.
inline void clock_random(DpcState& s) {
  const unsigned r = s.random;
  const unsigned parity = ((r >> 7) ^ (r >> 5) ^ (r >> 4) ^ (r >> 3)) & 1;
  s.random = static_cast<std::uint8_t>((r << 1) | (parity ^ 1));
}

inline bool plays_music(const DpcState& s, unsigned fetcher) {
  return fetcher >= kFirstMusic && s.music[fetcher - kFirstMusic] != 0;
}

inline void clock_music(DpcState& s, std::uint32_t cycles) {
  const auto passed = static_cast<std::int32_t>(cycles - s.clocked);
  s.clocked = cycles;
  // The chip's own oscillator, against the CPU's clock.
  const double clocks = ((15750.0 * passed) / 1193191.66666667) + s.fractional_clocks;
  const int whole = static_cast<int>(clocks);
  s.fractional_clocks = clocks - static_cast<double>(whole);
  if (whole <= 0) return;
  for (unsigned x = kFirstMusic; x < kFetchers; ++x) {
    if (!plays_music(s, x)) continue;
    int low = s.counter[x] & 0xff;
    if (s.top[x] != 0) {
      const int period = s.top[x] + 1;
      low -= whole % period;
      if (low < 0) low += period;
    } else {
      low = 0;
    }
    if (low <= s.bottom[x]) {
      s.flag[x] = 0x00;
    } else if (low <= s.top[x]) {
      s.flag[x] = 0xff;
    }
    s.counter[x] = static_cast<std::uint16_t>((s.counter[x] & 0x0700) | low);
  }
}

inline std::uint8_t music_amplitude(const DpcState& s) {
  constexpr std::uint8_t kAmplitudes[8] = {0x00, 0x04, 0x05, 0x09, 0x06, 0x0a, 0x0b, 0x0f};
  unsigned voices = 0;
  for (unsigned v = 0; v < 3; ++v) {
    if (s.music[v] != 0 && s.flag[kFirstMusic + v] != 0) voices |= 1U << v;
  }
  return kAmplitudes[voices];
}

// A read of one of the first 64 bytes.
inline std::uint8_t read(DpcState& s, const std::uint8_t* graphics, std::uint16_t address,
                         std::uint32_t cycles) {
  const unsigned x = fetcher_of(address);
  if ((s.counter[x] & 0xff) == s.top[x]) {
    s.flag[x] = 0xff;
  } else if ((s.counter[x] & 0xff) == s.bottom[x]) {
    s.flag[x] = 0x00;
  }
  // Graphics are stored backwards.
  const std::uint8_t data = graphics[(kGraphics - 1 - s.counter[x]) & (kGraphics - 1)];
  std::uint8_t result = 0;
  switch (function_of(address)) {
    case kNumbers:  // random ones of the first four fetchers, what the music sounds like of the
                    // others
      if (x < 4) {
        result = s.random;
      } else {
        clock_music(s, cycles);
        result = music_amplitude(s);
      }
      break;
    case kData:
      result = data;
      break;
    case kFlaggedData:
      result = data & s.flag[x];
      break;
    case kFlag:
      result = s.flag[x];
      break;
    default:
      break;
  }
  if (!plays_music(s, x)) {
    s.counter[x] = static_cast<std::uint16_t>((s.counter[x] - 1) & 0x7ff);
  }
  return result;
}

// A write to one of the second 64 bytes.
inline void write(DpcState& s, std::uint16_t address, std::uint8_t value) {
  const unsigned x = fetcher_of(address);
  switch (function_of(address)) {
    case kTop:
      s.top[x] = value;
      s.flag[x] = 0x00;
      break;
    case kBottom:
      s.bottom[x] = value;
      break;
    case kLow: {
      // A fetcher that makes music is loaded with its period instead.
      const std::uint8_t low = plays_music(s, x) ? s.top[x] : value;
      s.counter[x] = static_cast<std::uint16_t>((s.counter[x] & 0x0700) | low);
      break;
    }
    case kHigh:
      s.counter[x] = static_cast<std::uint16_t>(((value & 7U) << 8) | (s.counter[x] & 0xffU));
      if (x >= kFirstMusic) s.music[x - kFirstMusic] = value & kMusicBit;
      break;
    case kNewNumbers:
      s.random = 1;
      break;
    default:
      break;
  }
}

}  // namespace pp::atari::vcs::dpc

#endif  // PARALLEL_POOL_ATARI_VCS_CARTRIDGE_DPC_HPP_
