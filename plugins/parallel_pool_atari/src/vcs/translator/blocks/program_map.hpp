// SPDX-License-Identifier: GPL-2.0-only
// Where a program's bytes are: which of them never change, and which piece of ROM an address is in.
//
// A region is a piece of ROM that is in sight or not as a whole: a bank of 4 KiB, or a slice of
// Parker Brothers' cartridges (E0).

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_PROGRAM_MAP_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_PROGRAM_MAP_HPP_

#include <cstdint>
#include <optional>
#include <vector>

#include "../../bus.hpp"
#include "../../cartridge/cartridge.hpp"

namespace pp::atari::vcs::translator {

class ProgramMap {
 public:
  static constexpr unsigned regions = 8;
  // Each region is seen under eight addresses, odd multiples of $1000. Tables have a page for each.
  static constexpr unsigned pages = regions * 8;
  static constexpr unsigned page_of(unsigned region, uint16_t pc) {
    return region * (pages / regions) + (pc >> 13U);
  }

  explicit ProgramMap(const Cartridge& cartridge);

  // The region that `pc` is in while the cartridge is in the state `s`. `pc` has address line 12
  // set.
  unsigned region(const CartridgeState& s, uint16_t pc) const {
    switch (scheme_) {
      case Scheme::e0:
        return window(pc) == last_window ? last_slice : s.slices[window(pc)] & 7U;
      case Scheme::fe:
        return fe_region(pc);
      default:
        return s.bank;
    }
  }
  // Returns true if that is always the bank that the state names.
  bool regions_are_banks() const { return scheme_ != Scheme::e0 && scheme_ != Scheme::fe; }
  // Finds the region of an address that code at `from` in `region` names: nothing where it depends
  // on the state.
  std::optional<unsigned> region_from(unsigned region, uint16_t from, uint16_t to) const;

  // Returns true if an instruction of up to three bytes at `pc` consists of ROM of one region that
  // is fetched without a side effect.
  bool holds_code(uint16_t pc) const;

  // Called only where holds_code() said so.
  uint8_t byte(unsigned region, uint16_t address) const {
    return scheme_ == Scheme::e0 ? code_[region * slice_bytes + (address & (slice_bytes - 1U))]
                                 : code_[region * Cartridge::view_bytes + (address & 0xfffU)];
  }
  // Returns what code at `from` in `region` reads at an address of the cartridge that is not hot,
  // if that never changes.
  std::optional<uint8_t> constant(unsigned region, uint16_t from, uint16_t address) const;

  // Offset of an address in view().
  uint32_t view_offset(uint16_t address) const {
    const uint32_t bank = scheme_ == Scheme::fe ? fe_region(address) * Cartridge::view_bytes : 0;
    return bank + (address & 0xfffU);
  }
  // Returns where offsets count from, for the region of `pc`.
  const uint8_t* view(const Cartridge& cartridge, const CartridgeState& s, uint16_t pc) const {
    return cartridge.view(s, scheme_ == Scheme::fe ? 0x2000 : pc);
  }

  bool is_hot_read(uint16_t address) const { return hot_reads_.holds(address); }
  bool is_hot_write(uint16_t address) const { return hot_writes_.holds(address); }
  bool switches(uint16_t address) const { return spots_.holds(address); }
  bool ever_switches() const { return spots_.count != 0; }
  // Returns true if one of `count` bytes from an address on is hot, or beyond the view.
  bool reaches_edge(uint16_t address, int count) const;
  HotRange hot_reads() const { return hot_reads_; }
  HotRange hot_writes() const { return hot_writes_; }
  // The bank depends on the address alone (FE).
  bool follows_address() const { return scheme_ == Scheme::fe; }

  bool operator==(const ProgramMap& other) const {
    return scheme_ == other.scheme_ && code_ == other.code_;
  }

 private:
  static constexpr uint16_t slice_bytes = 1024;
  static constexpr unsigned last_window = 3, last_slice = 7;
  static unsigned window(uint16_t address) { return address >> 10 & 3U; }
  static unsigned fe_region(uint16_t address) { return (address & 0x2000U) != 0 ? 0 : 1; }

  Scheme scheme_;
  std::vector<uint8_t> code_;
  HotRange hot_reads_, hot_writes_, spots_;
  bool has_ram_;
  uint16_t begin_, end_;  // offsets of the view in which code is plain
};

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_PROGRAM_MAP_HPP_
