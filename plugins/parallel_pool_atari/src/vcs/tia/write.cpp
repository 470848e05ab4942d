// Which register a write to the TIA is for. What it does there: register_write.hpp.

#include "register_write.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {

// How far Stella draws before a write, before it looks at it.
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

void write(TiaState& s, const Television& tv, const Canvas& canvas, uint8_t address, uint8_t value,
           uint32_t cycles) {
  address &= write_lines;
  RegisterWrite w{s, tv, canvas, clock_of(cycles)};
  // A frame without VSYNC ends somewhere all the same.
  const bool overdue = w.clock >= s.frame_limit;
  if (canvas.eager || overdue) catch_up_to_write(s, canvas, address, cycles);
  if (overdue) w.end_frame();

  switch (address) {
    case VSYNC:
      return w.vsync(value);
    case VBLANK:
      return w.vblank(value, cycles);
    case NUSIZ0:
    case NUSIZ1:
      return w.nusiz(address - NUSIZ0, value);
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
      return w.refp(address - REFP0, value);
    case PF0:
    case PF1:
    case PF2:
      return w.playfield(address - PF0, value);
    case RESP0:
    case RESP1:
      return w.resp(address - RESP0);
    case RESM0:
    case RESM1:
      return w.resm(address - RESM0);
    case RESBL:
      return w.resbl();
    case GRP0:
    case GRP1:
      return w.grp(address - GRP0, value);
    case ENAM0:
    case ENAM1:
      s.enam[address - ENAM0] = value & on_bit;
      return w.show_missile(address - ENAM0);
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
      s.vdelp[address - VDELP0] = value & delays_bit;
      return w.show_player(address - VDELP0, 0);
    case VDELBL:
      s.vdelbl = value & delays_bit;
      return w.show_ball(0);
    case RESMP0:
    case RESMP1:
      return w.resmp(address - RESMP0, value);
    case HMOVE:
      return w.hmove();
    case HMCLR:
      s.hm = {};
      return;
    case CXCLR:
      w.draw();
      s.collisions = 0;
      return;
    default:  // sound, and addresses without a register
      return;
  }
}

}  // namespace pp::atari::vcs::tia
