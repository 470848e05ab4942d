// SPDX-License-Identifier: GPL-2.0-only
// Finds the register that a write to the TIA is for. register_write.hpp has what it does there.

#include <utility>

#include "register_write.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {

// Returns how far Stella draws before it looks at a write.
int delay(const TiaState& s, uint8_t address, int32_t clock) {
  switch (address) {
    case VBLANK:
    case REFP0:
    case REFP1:
    case GRP0:
    case GRP1:
      return delayed;
    case NUSIZ0:
    case NUSIZ1:
    case RESM0:
    case RESM1:
      return size_delay;
    case PF0:
    case PF1:
    case PF2:
      return playfield_delay(s, clock);
    default:
      return 0;
  }
}

}  // namespace

void catch_up_to_write(TiaState& s, const Canvas& canvas, uint8_t address, uint32_t cycles) {
  const int32_t clock = clock_of(cycles);
  catch_up(s, canvas, after(clock, delay(s, address & write_lines, clock)));
}

namespace {

// `Address` is a constant, so that of the switch one case is left.
template <uint8_t Address, bool InTime>
void write_to(TiaState& s, const Television& tv, const Canvas& canvas, uint8_t value,
              uint32_t cycles) {
  RegisterWrite<InTime> w{s, tv, canvas, clock_of(cycles)};
  if constexpr (!InTime) {
    // A frame without VSYNC ends somewhere all the same.
    const bool overdue = w.clock >= s.frame_limit;
    if (canvas.eager || overdue) catch_up_to_write(s, canvas, Address, cycles);
    if (overdue) w.end_frame();
  }

  switch (Address) {
    case VSYNC:
      return w.vsync(value);
    case VBLANK:
      return w.vblank(value, cycles);
    case NUSIZ0:
    case NUSIZ1:
      return w.nusiz(Address - NUSIZ0, value);
    case COLUP0:
      return w.colour(player0_colour, value);
    case COLUP1:
      return w.colour(player1_colour, value);
    case COLUPF:
      return w.colour(playfield_colour, value);
    case COLUBK:
      return w.colour(background_colour, value);
    case CTRLPF:
      return w.ctrlpf(value);
    case REFP0:
    case REFP1:
      return w.refp(Address - REFP0, value);
    case PF0:
    case PF1:
    case PF2:
      return w.playfield(Address - PF0, value);
    case RESP0:
    case RESP1:
      return w.resp(Address - RESP0);
    case RESM0:
    case RESM1:
      return w.resm(Address - RESM0);
    case RESBL:
      return w.resbl();
    case GRP0:
    case GRP1:
      return w.grp(Address - GRP0, value);
    case ENAM0:
    case ENAM1:
      s.enam[Address - ENAM0] = value & on_bit;
      return w.show_missile(Address - ENAM0);
    case ENABL:
      s.enabl = value & on_bit;
      return w.show_ball(0);
    case HMP0:
      s.hm[Object::player0] = value >> 4;
      return;
    case HMP1:
      s.hm[Object::player1] = value >> 4;
      return;
    case HMM0:
      return w.hmm0(value);
    case HMM1:
      s.hm[Object::missile1] = value >> 4;
      return;
    case HMBL:
      s.hm[Object::ball] = value >> 4;
      return;
    case VDELP0:
    case VDELP1:
      s.vdelp[Address - VDELP0] = value & delays_bit;
      return w.show_player(Address - VDELP0, 0);
    case VDELBL:
      s.vdelbl = value & delays_bit;
      return w.show_ball(0);
    case RESMP0:
    case RESMP1:
      return w.resmp(Address - RESMP0, value);
    case HMOVE:
      return w.hmove();
    case HMCLR:
      s.hm = {};
      return;
    case CXCLR:
      w.draw_all();
      s.collisions = 0;
      return;
    default:  // sound, and addresses without a register
      return;
  }
}

template <bool InTime, size_t... Addresses>
constexpr std::array<Writer, sizeof...(Addresses)> writers_of(std::index_sequence<Addresses...>) {
  return {write_to<static_cast<uint8_t>(Addresses), InTime>...};
}
constexpr auto addresses = std::make_index_sequence<write_lines + 1>();

}  // namespace

const std::array<Writer, write_lines + 1> writers = writers_of<false>(addresses);
const std::array<Writer, write_lines + 1> writers_in_time = writers_of<true>(addresses);

void write(TiaState& s, const Television& tv, const Canvas& canvas, uint8_t address, uint8_t value,
           uint32_t cycles) {
  writers[address & write_lines](s, tv, canvas, value, cycles);
}

}  // namespace pp::atari::vcs::tia
