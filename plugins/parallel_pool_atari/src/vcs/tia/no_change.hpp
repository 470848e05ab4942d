// SPDX-License-Identifier: GPL-2.0-only
// Writes to the TIA that leave everything as it is, which most writes do.
//
// They would still note how far Stella has drawn (`ahead`). Only a read within eight clocks looks
// at that, and no instruction behind a write reads so soon. Code that is fetched from the TIA does,
// and its interpreter does not ask here.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "../state.hpp"
#include "registers.hpp"

namespace pp::atari::vcs::tia {

// Says when a write changes nothing, as conditions on bytes of TiaState: data, so that the
// translator can make code of it. Fields are offsets.
struct NoChange {
  static constexpr int none = -1;
  // (value & mask) >> shift is the field.
  struct Equal {
    int field = none;
    uint8_t mask = 0xff, shift = 0;
  };
  // Two fields are the same.
  struct Same {
    int field = none, other = none;
  };
  std::array<Equal, 2> equal{};  // the first of them is none: it would take long to find out
  std::array<Same, 2> same{};
  std::array<int, 2> zero{none, none};

  static constexpr NoChange of(int field, uint8_t mask = 0xff, uint8_t shift = 0) {
    NoChange that;
    that.equal[0] = {field, mask, shift};
    return that;
  }
};

constexpr NoChange no_change(uint8_t address) {
#define PP_FIELD(name) static_cast<int>(offsetof(TiaState, name))
  NoChange that;
  switch (address) {
    case VBLANK:
      return NoChange::of(PP_FIELD(vblank));
    case NUSIZ0:
    case NUSIZ1:
      that = NoChange::of(PP_FIELD(nusiz) + address - NUSIZ0);
      that.zero[0] = PP_FIELD(first_hidden) + address - NUSIZ0;
      static_assert(static_cast<int>(MissileShape::plain) == 0);
      if (address == NUSIZ0) that.zero[1] = PP_FIELD(missile0_shape);
      return that;
    case COLUP0:
      return NoChange::of(PP_FIELD(colour) + player0_colour, 0xfe);
    case COLUP1:
      return NoChange::of(PP_FIELD(colour) + player1_colour, 0xfe);
    case COLUPF:
      return NoChange::of(PP_FIELD(colour) + playfield_colour, 0xfe);
    case COLUBK:
      return NoChange::of(PP_FIELD(colour) + background_colour, 0xfe);
    case CTRLPF:
      that = NoChange::of(PP_FIELD(ctrlpf));
      that.equal[1] = {PP_FIELD(reflected), reflected_bit, 0};
      return that;
    case REFP0:
    case REFP1:
      return NoChange::of(PP_FIELD(refp) + address - REFP0, mirrored_bit);
    case PF0:
      return NoChange::of(PP_FIELD(pf), 0xf0, 4);
    case PF1:
    case PF2:
      return NoChange::of(PP_FIELD(pf) + address - PF0);
    case GRP0:
      that = NoChange::of(PP_FIELD(grp));
      that.same[0] = {PP_FIELD(old_grp) + 1, PP_FIELD(grp) + 1};
      return that;
    case GRP1:
      that = NoChange::of(PP_FIELD(grp) + 1);
      that.same[0] = {PP_FIELD(old_grp), PP_FIELD(grp)};
      that.same[1] = {PP_FIELD(old_enabl), PP_FIELD(enabl)};
      return that;
    case ENAM0:
    case ENAM1:
      return NoChange::of(PP_FIELD(enam) + address - ENAM0, on_bit);
    case ENABL:
      return NoChange::of(PP_FIELD(enabl), on_bit);
    case VDELP0:
    case VDELP1:
      return NoChange::of(PP_FIELD(vdelp) + address - VDELP0, delays_bit);
    case VDELBL:
      return NoChange::of(PP_FIELD(vdelbl), delays_bit);
    case RESMP0:
    case RESMP1:
      return NoChange::of(PP_FIELD(resmp) + address - RESMP0, on_bit);
    default:
      return that;
  }
#undef PP_FIELD
}

// False where it would take long to find out.
template <uint8_t Address>
inline bool changes_nothing(const TiaState& s, uint8_t value) {
  constexpr NoChange when = no_change(Address);
  const auto field = [&s](int offset) { return reinterpret_cast<const uint8_t*>(&s)[offset]; };
  if constexpr (when.equal[0].field == NoChange::none) return false;
  bool so = true;
  for (const NoChange::Equal& each : when.equal) {
    if (each.field != NoChange::none) so &= (value & each.mask) >> each.shift == field(each.field);
  }
  for (const NoChange::Same& each : when.same) {
    if (each.field != NoChange::none) so &= field(each.field) == field(each.other);
  }
  for (const int each : when.zero) {
    if (each != NoChange::none) so &= field(each) == 0;
  }
  return so;
}

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_
