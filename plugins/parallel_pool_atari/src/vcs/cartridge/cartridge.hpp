// SPDX-License-Identifier: GPL-2.0-only
// A game cartridge: ROM, the circuit that switches its banks, and what RAM it brings.
//
// The CPU reads 4 KiB of cartridge through `view()`, without a call per byte. Accesses that do more
// than read those bytes are `hot`, and go through read() and write(). A scheme is described by
// where its hot addresses begin and how many there are, counted around the end of the 4 KiB, so
// that the test is one subtraction and one comparison.
//
// ROM bytes are untrusted: any byte sequence of an accepted size gives a cartridge that cannot read
// outside of its own memory.

#ifndef PARALLEL_POOL_ATARI_VCS_CARTRIDGE_CARTRIDGE_HPP_
#define PARALLEL_POOL_ATARI_VCS_CARTRIDGE_CARTRIDGE_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../state.hpp"

namespace pp::atari::vcs {

// The bank-switching schemes, by their customary names (Kevin Horton's "Bankswitching" list).
enum class Scheme : uint8_t {
  plain_2k,
  plain_4k,
  f8,          // 2 banks of 4 KiB, switched by touching $1FF8 and $1FF9
  f8_swapped,  // F8, dumped with its banks in the other order
  f6,          // 4 banks, $1FF6 to $1FF9
  f8sc,        // F8 with 128 bytes of RAM ("Superchip")
  f6sc,        // F6 with the same
  e0,          // Parker Brothers: three windows of 1 KiB, each with 8 slices; $1FE0 to $1FF7
  fe,          // Activision: the bank is address line 13, which the 6507 does not even bring out
  dpc,         // Pitfall II: F8 with a display processor in $1000 to $107F
};

const char* name(Scheme scheme);

struct HotRange {
  uint16_t first = 0;
  uint16_t count = 0;
  bool holds(uint16_t address) const { return ((address - first) & 0xfffU) < count; }
};

class Cartridge {
 public:
  static constexpr size_t view_bytes = 4096;

  // Throws std::invalid_argument if `rom` has not a size of the scheme.
  Cartridge(Scheme scheme, const std::vector<uint8_t>& rom);

  Scheme scheme() const { return scheme_; }
  bool view_by_address() const { return scheme_ == Scheme::fe; }
  HotRange hot_reads() const { return hot_reads_; }
  HotRange hot_writes() const { return hot_writes_; }

  // Offsets in the view at which an instruction of up to three bytes can be fetched from the view
  // alone: [begin, end).
  uint16_t fetch_begin() const { return fetch_begin_; }
  uint16_t fetch_end() const { return fetch_end_; }

  // The addresses whose access changes what is in sight.
  HotRange spots() const { return spots_; }
  bool has_ram() const { return scheme_ == Scheme::f8sc || scheme_ == Scheme::f6sc; }
  // All that can come into sight: banks of 4 KiB, or of E0 slices of 1 KiB. Of a cartridge with RAM
  // the first 256 bytes of a bank are not part of the program.
  const std::vector<uint8_t>& code() const { return scheme_ == Scheme::e0 ? rom_ : bytes_; }

  // The 4 KiB that are in sight. `address` matters for FE only.
  const uint8_t* view(const CartridgeState& s, uint16_t address) const {
    if (view_by_address()) return bytes_.data() + ((address & 0x2000U) != 0 ? 0 : view_bytes);
    return bytes_.data() + view_bytes * s.bank;
  }

  // The banks of a console that was just switched on. `ram` is what is left of RAM then.
  void power_on(CartridgeState& s, const uint8_t* ram);

  // One access at an address with line 12 set. Both may switch banks: take a new view() after.
  uint8_t read(CartridgeState& s, uint16_t address, uint32_t cycles);
  void write(CartridgeState& s, uint16_t address, uint8_t value);

  // Cycles are about to be counted from zero.
  static void rebase(CartridgeState& s, uint32_t cycles) { s.dpc.clocked -= cycles; }

  // Has to be called after a CartridgeState was replaced: some views are put together from it.
  void follow(const CartridgeState& s);
  // Returns true if a state of unknown origin can be followed without reaching outside of the
  // cartridge.
  bool is_safe(const CartridgeState& s) const;

 private:
  void touch(CartridgeState& s, uint16_t address);
  void select_slice(CartridgeState& s, int window, int slice);

  Scheme scheme_;
  int banks_ = 1;
  HotRange spots_, hot_reads_, hot_writes_;
  uint16_t fetch_begin_ = 0, fetch_end_ = 0;
  std::vector<uint8_t> bytes_;  // banks of 4 KiB; the view of E0 is the first of them
  std::vector<uint8_t> rom_;    // the parts of views: E0's slices, DPC's graphics
};

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_CARTRIDGE_CARTRIDGE_HPP_
