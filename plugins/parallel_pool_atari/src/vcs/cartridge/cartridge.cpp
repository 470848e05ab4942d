// SPDX-License-Identifier: GPL-2.0-only
#include "cartridge.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "dpc.hpp"

namespace pp::atari::vcs {
namespace {

constexpr size_t slice_bytes = 1024;       // bytes of a slice of E0
constexpr uint16_t superchip_bytes = 128;  // bytes of RAM; written at $1000, read at $1080

struct Layout {
  size_t rom;      // bytes needed; a longer file's rest is not part of the game
  int banks;       // banks of 4 KiB, of which one is in sight
  int first_bank;  // after power-on
  HotRange spots;  // whose touch switches banks, or E0's slices
  HotRange reads, writes;
};

Layout layout(Scheme scheme) {
  const HotRange f8{0xff8, 2}, f6{0xff6, 4}, e0{0xfe0, 24};
  const auto with_ram = [](HotRange banks) {
    // Up to the end of the 4 KiB and on through the RAM's write port at its beginning.
    return HotRange{banks.first, static_cast<uint16_t>(0x1000 - banks.first + superchip_bytes)};
  };
  switch (scheme) {
    case Scheme::plain_2k:
      return {2048, 1, 0, {}, {}, {}};
    case Scheme::plain_4k:
      return {4096, 1, 0, {}, {}, {}};
    case Scheme::f8:
      return {8192, 2, 1, f8, f8, f8};
    case Scheme::f8_swapped:
      return {8192, 2, 0, f8, f8, f8};
    case Scheme::f6:
      return {16384, 4, 0, f6, f6, f6};
    case Scheme::f8sc:
      return {8192, 2, 1, f8, f8, with_ram(f8)};
    case Scheme::f6sc:
      return {16384, 4, 0, f6, f6, with_ram(f6)};
    case Scheme::e0:
      return {8192, 1, 0, e0, e0, e0};
    case Scheme::fe:
      return {8192, 2, 0, {}, {}, {}};
    case Scheme::dpc:
      // Every write clocks the random numbers; so do reads of the registers and of the last 64
      // bytes, where the hot spots are (System.hxx's pages are as long).
      return {8192 + dpc::graphics_bytes, 2, 1, f8, {0xfc0, 0x40 + dpc::registers}, {0, 0x1000}};
  }
  throw std::invalid_argument("there is no such bank-switching scheme");
}

}  // namespace

const char* name(Scheme scheme) {
  constexpr const char* names[] = {"2K",   "4K",   "F8", "F8 swapped", "F6",
                                   "F8SC", "F6SC", "E0", "FE",         "DPC"};
  return names[static_cast<size_t>(scheme)];
}

Cartridge::Cartridge(Scheme scheme, const std::vector<uint8_t>& rom) : scheme_(scheme) {
  const Layout plan = layout(scheme);
  if (rom.size() < plan.rom) {
    throw std::invalid_argument("a cartridge of the scheme " + std::string(name(scheme)) + " has " +
                                std::to_string(plan.rom) + " bytes, not " +
                                std::to_string(rom.size()));
  }
  banks_ = plan.banks;
  spots_ = plan.spots;
  hot_reads_ = plan.reads;
  hot_writes_ = plan.writes;
  // Three bytes, the last of which is before the first hot address. What lies between the hot
  // addresses and the end of the view is left to the slow way too: it is short.
  fetch_end_ = hot_reads_.count != 0 ? hot_reads_.first - 2 : view_bytes - 2;
  const unsigned around = hot_reads_.first + hot_reads_.count;
  fetch_begin_ = around > view_bytes ? static_cast<uint16_t>(around - view_bytes) : 0;

  bytes_.assign(view_bytes * static_cast<size_t>(banks_), 0);
  if (scheme == Scheme::e0) {
    rom_.assign(rom.begin(), rom.begin() + static_cast<ptrdiff_t>(plan.rom));
    std::memcpy(&bytes_[3 * slice_bytes], &rom_[7 * slice_bytes],
                slice_bytes);  // the last window never moves
    return;
  }
  const size_t size = std::min(plan.rom, bytes_.size());
  std::memcpy(bytes_.data(), rom.data(), size);
  if (scheme == Scheme::plain_2k) std::memcpy(&bytes_[size], rom.data(), size);
  if (scheme == Scheme::dpc) {
    rom_.assign(rom.begin() + static_cast<ptrdiff_t>(size),
                rom.begin() + static_cast<ptrdiff_t>(size + dpc::graphics_bytes));
  }
}

void Cartridge::power_on(CartridgeState& s, const uint8_t* ram) {
  s.bank = static_cast<uint8_t>(layout(scheme_).first_bank);
  s.slices = {4, 5, 6};
  s.dpc.clocked = 0;
  s.dpc.fractional_clocks = 0;
  if (ram != nullptr) std::memcpy(s.ram.data(), ram, s.ram.size());
  follow(s);
}

void Cartridge::follow(const CartridgeState& s) {
  if (scheme_ == Scheme::e0) {
    for (size_t w = 0; w < s.slices.size(); ++w) {
      std::memcpy(&bytes_[w * slice_bytes], &rom_[(s.slices[w] & 7U) * slice_bytes], slice_bytes);
    }
  } else if (has_ram()) {
    for (int b = 0; b < banks_; ++b) {
      std::memcpy(&bytes_[view_bytes * static_cast<size_t>(b) + superchip_bytes], s.ram.data(),
                  superchip_bytes);
    }
  }
}

bool Cartridge::is_safe(const CartridgeState& s) const {
  const double fraction = s.dpc.fractional_clocks;
  // Below 0 behind more than 2^31 cycles without a read, which are negative in Stella.
  return s.bank < banks_ && fraction > -1 && fraction < 1 &&
         std::all_of(s.slices.begin(), s.slices.end(), [](int slice) { return slice < 8; });
}

void Cartridge::select_slice(CartridgeState& s, int window, int slice) {
  auto& current = s.slices[static_cast<size_t>(window)];
  if (current == slice) return;
  current = static_cast<uint8_t>(slice);
  std::memcpy(&bytes_[static_cast<size_t>(window) * slice_bytes],
              &rom_[static_cast<size_t>(slice) * slice_bytes], slice_bytes);
}

// Any access to a hot spot switches, whether it reads or writes.
void Cartridge::touch(CartridgeState& s, uint16_t address) {
  if (!spots_.holds(address)) return;
  const int spot = (address & 0xfff) - spots_.first;
  if (scheme_ == Scheme::e0) {
    select_slice(s, spot >> 3, spot & 7);
  } else {
    s.bank = static_cast<uint8_t>(spot);
  }
}

uint8_t Cartridge::read(CartridgeState& s, uint16_t address, uint32_t cycles) {
  const uint16_t at = address & 0xfff;
  if (scheme_ == Scheme::dpc && hot_reads_.holds(at)) {
    dpc::clock_random(s.dpc);
    if (at < dpc::read_registers) return dpc::read(s.dpc, rom_.data(), at, cycles);
  }
  touch(s, address);
  return view(s, address)[at];
}

void Cartridge::write(CartridgeState& s, uint16_t address, uint8_t value) {
  const uint16_t at = address & 0xfff;
  if (scheme_ == Scheme::dpc) {
    dpc::clock_random(s.dpc);
    if (at >= dpc::read_registers && at < dpc::registers) dpc::write(s.dpc, at, value);
  } else if (has_ram() && at < superchip_bytes) {
    s.ram[at] = value;
    for (int b = 0; b < banks_; ++b) {
      bytes_[view_bytes * static_cast<size_t>(b) + superchip_bytes + at] = value;
    }
  }
  touch(s, address);
}

}  // namespace pp::atari::vcs
