// Writes to the TIA that leave everything as it is, which most writes do.
//
// What they would still note is how far Stella has drawn (`ahead`). Only a read within eight clocks
// looks at that, and no instruction behind a write reads so soon. Code that is fetched from the TIA
// does, and its interpreter does not ask here.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_

#include <cstdint>

#include "../state.hpp"
#include "registers.hpp"

namespace pp::atari::vcs::tia {

// False where it would take long to find out.
template <uint8_t Address>
inline bool changes_nothing(const TiaState& s, uint8_t value) {
  switch (Address) {
    case VBLANK:
      return value == s.vblank;
    case NUSIZ0:
      return value == s.nusiz[0] && s.first_hidden[0] == 0 &&
             s.missile0_shape == MissileShape::plain;
    case NUSIZ1:
      return value == s.nusiz[1] && s.first_hidden[1] == 0;
    case COLUP0:
      return (value & 0xfe) == s.colour[player0_colour];
    case COLUP1:
      return (value & 0xfe) == s.colour[player1_colour];
    case COLUPF:
      return (value & 0xfe) == s.colour[playfield_colour];
    case COLUBK:
      return (value & 0xfe) == s.colour[background_colour];
    case CTRLPF:
      return value == s.ctrlpf && (value & reflected_bit) == s.reflected;
    case REFP0:
    case REFP1:
      return (value & mirrored_bit) == s.refp[Address - REFP0];
    case PF0:
      return value >> 4 == s.pf[0];
    case PF1:
    case PF2:
      return value == s.pf[Address - PF0];
    case GRP0:
      return value == s.grp[0] && s.old_grp[1] == s.grp[1];
    case GRP1:
      return value == s.grp[1] && s.old_grp[0] == s.grp[0] && s.old_enabl == s.enabl;
    case ENAM0:
    case ENAM1:
      return (value & on_bit) == s.enam[Address - ENAM0];
    case ENABL:
      return (value & on_bit) == s.enabl;
    case VDELP0:
    case VDELP1:
      return (value & delays_bit) == s.vdelp[Address - VDELP0];
    case VDELBL:
      return (value & delays_bit) == s.vdelbl;
    case RESMP0:
    case RESMP1:
      return (value & on_bit) == s.resmp[Address - RESMP0];
    default:
      return false;
  }
}

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_NO_CHANGE_HPP_
