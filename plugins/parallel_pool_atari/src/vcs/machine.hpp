// SPDX-License-Identifier: GPL-2.0-only
// An Atari 2600 with a cartridge in it, one frame at a time, exactly as ALE emulates it.
//
// A frame that is not drawn costs no pixels, and is drawn after all should it turn out that they
// are seen: a frame that ends before the bottom of the picture leaves the lines below as the frame
// before the last one had them. So every screen that was asked for has ALE's bytes, whichever
// others were.
//
// Any ROM is safe: memory outside of the machine is never touched, and a call ends after at most
// most_instructions.

#ifndef PARALLEL_POOL_ATARI_VCS_MACHINE_HPP_
#define PARALLEL_POOL_ATARI_VCS_MACHINE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bus.hpp"
#include "cartridge/cartridge.hpp"
#include "pins.hpp"
#include "state.hpp"
#include "tia/tia.hpp"
#include "translation.hpp"
#include "translator/portable/program.hpp"

namespace pp::atari::vcs {

// A screen as the frame that draws all of it: where the machine stood, and what the player did.
// Much smaller than its pixels.
struct Picture {
  MachineState before;
  Pins pins;
};

class Machine {
 public:
  // The most instructions of one call before it shows an unfinished frame; ALE's number.
  static constexpr int most_instructions = 25000;

  // Throws std::invalid_argument for a picture that is too high.
  Machine(Cartridge cartridge, const Television& tv);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Power comes on. RAM keeps what it held; the timer starts anywhere, and so does a cartridge's
  // RAM: the caller has the random numbers. Both screens turn black.
  void power_on(uint32_t timer, const uint8_t* cartridge_ram);

  // Emulates until the program ends a frame. `drawn` false: the caller does not mean to look at
  // screen() after this frame; draw_screens() draws it all the same.
  void run_frame(const Pins& pins, bool drawn);

  // Rows of 160 palette indices, Television::height of them: screen_bytes().
  const uint8_t* screen() const { return buffer(state_.tia.buffer); }
  // Returns the frame before, or the one before that while a frame is unfinished.
  const uint8_t* previous_screen() const { return buffer(state_.tia.buffer ^ 1); }

  // Draws what was left out of the two screens.
  void draw_screens();

  size_t screen_bytes() const { return static_cast<size_t>(tv_.height) * size_t{tia::line_pixels}; }

  const MachineState& state() const { return state_; }
  // RAM, to peek and poke between frames. Its address does not change.
  uint8_t* ram() { return state_.riot.ram.data(); }
  uint8_t* cartridge_ram() { return state_.cartridge.ram.data(); }

  // A state that power_on and run_frame gave, for the same cartridge; anything else has to pass
  // is_safe() first. Screens are not part of it: the caller sets both of them next.
  void set_state(const MachineState& state);
  bool is_safe(const MachineState& state) const;

  // The two screens, to save and restore them.
  enum class Shown : uint8_t {
    picture,  // picture() draws it
    pixels,   // pixels of several frames: one ended early, or goes on
    black,
  };
  enum class Which : uint8_t { screen, previous_screen };
  Shown shown(Which which) const { return origins_[index(which)].shown; }
  const Picture& picture(Which which) const { return origins_[index(which)].picture; }
  const uint8_t* pixels(Which which) { return draw_screens(), buffer(index(which)); }
  // `picture` has to have a safe state.
  void set_picture(Which which, const Picture& picture);
  void set_pixels(Which which, const uint8_t* pixels);  // screen_bytes()
  void set_black(Which which) { blacken(index(which)); }
  // Writes screen_bytes(); allocates. Nothing else changes.
  void draw(const Picture& picture, uint8_t* out);

  // Chooses how programs are executed, which changes their speed only.
  void translate(Translation translation);

  // For tests: another instruction set.
  void set_painter(tia::Painter painter) { painter_ = painter; }

 private:
  // A buffer goes on below the screen, and keeps what is drawn there: the end of the last line,
  // and, of a frame that a reset began anew in its middle, as many lines as are above the picture.
  // They are never seen, and no later frame draws over them but another one like that. So they are
  // no part of a screen, and must not get into a saved state.
  static constexpr size_t buffer_bytes = size_t{tia::buffer_rows} * tia::line_pixels;

  // Tells how a buffer came to hold what it holds.
  struct Origin {
    Shown shown = Shown::black;
    bool waits = false;  // the picture was not drawn so far
    Picture picture;     // if shown as one
  };

  unsigned index(Which which) const {
    return state_.tia.buffer ^ (which == Which::screen ? 0U : 1U);
  }
  uint8_t* buffer(unsigned which) { return screens_.data() + which * buffer_bytes; }
  const uint8_t* buffer(unsigned which) const { return screens_.data() + which * buffer_bytes; }
  Bus bus(const Pins& pins, bool draw, bool eager);
  void begin();
  bool run(const Pins& pins, bool draw);
  void run_eagerly(const Pins& pins);
  bool shows_leftovers() const;
  void draw_waiting(unsigned which);
  void blacken(unsigned which);
  void grey_out();

  Cartridge cartridge_;
  std::shared_ptr<translator::Program> program_;  // none: interpreted
  bool machine_code_ = false;
  Television tv_;
  tia::Painter painter_;
  tia::Line line_;
  alignas(64) MachineState state_{};
  std::vector<uint8_t> screens_;
  std::array<Origin, 2> origins_;  // per buffer
  int draw_all_for_ = 0;           // frames for which everything is drawn, to save doing it twice
};

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_MACHINE_HPP_
