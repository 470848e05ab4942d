// SPDX-License-Identifier: GPL-2.0-only
#include "program_map.hpp"

#include <algorithm>

namespace pp::atari::vcs::translator {
namespace {

constexpr int longest_instruction = 3;
// A cartridge with RAM has it at these addresses, to write and to read.
constexpr uint16_t ram_ports = 256;

}  // namespace

ProgramMap::ProgramMap(const Cartridge& cartridge)
    : scheme_(cartridge.scheme()),
      code_(cartridge.code()),
      hot_reads_(cartridge.hot_reads()),
      hot_writes_(cartridge.hot_writes()),
      spots_(cartridge.spots()),
      has_ram_(cartridge.has_ram()),
      begin_(has_ram_ ? ram_ports : cartridge.fetch_begin()),
      end_(cartridge.fetch_end()) {}

std::optional<unsigned> ProgramMap::region_from(unsigned region, uint16_t from, uint16_t to) const {
  if (scheme_ == Scheme::fe) return fe_region(to);
  if (scheme_ != Scheme::e0 || window(from) == window(to)) return region;
  if (window(to) == last_window) return last_slice;
  return std::nullopt;
}

bool ProgramMap::holds_code(uint16_t pc) const {
  const unsigned at = pc & 0xfffU;
  if (!Bus::is_cartridge(pc) || at < begin_ || at >= end_) return false;
  if (scheme_ != Scheme::e0) return true;
  return at % slice_bytes + longest_instruction <= slice_bytes;
}

std::optional<uint8_t> ProgramMap::constant(unsigned region, uint16_t from,
                                            uint16_t address) const {
  if (has_ram_ && (address & 0xfffU) < ram_ports) return std::nullopt;
  const auto in = region_from(region, from, address);
  if (!in) return std::nullopt;
  return byte(*in, address);
}

bool ProgramMap::reaches_edge(uint16_t address, int count) const {
  const int at = address & 0xfff;
  if (at + count > static_cast<int>(Cartridge::view_bytes)) return true;
  if (hot_reads_.count == 0) return false;
  for (int i = 0; i < count; ++i) {
    if (hot_reads_.holds(static_cast<uint16_t>(at + i))) return true;
  }
  return false;
}

}  // namespace pp::atari::vcs::translator
