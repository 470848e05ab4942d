// SPDX-License-Identifier: GPL-2.0-only
// Puts our machine (vcs/) into ALE's console in place of the one ALE built.
//
// ALE asks its console for frames through the interface MediaSource, and its games read RAM through
// the pages of the system bus; both are public. So everything above the machine stays ALE's own:
// resets, modes, keys, paddles, rewards, lives. ALE's chips remain where they are and idle. They
// are asked for what they draw from random numbers when the power comes on.

#ifndef PARALLEL_POOL_ATARI_FAST_CONSOLE_HPP_
#define PARALLEL_POOL_ATARI_FAST_CONSOLE_HPP_

#include <cstdint>
#include <memory>

#include "ale_private.hpp"
#include "vcs/machine.hpp"

namespace pp::atari {

class FastConsole final : public ale::stella::MediaSource, public ale::stella::Device {
 public:
  // Builds the machine for the ROM that `ale` has loaded and installs it; `ale` owns it from then
  // on and until it loads another ROM. A reset has to follow before the first frame. Throws
  // std::invalid_argument for a cartridge that vcs/ does not have.
  static FastConsole* install(ale::ALEInterface& ale);

  vcs::Machine& machine() { return machine_; }
  ale::stella::System& system() { return console_.system(); }
  // Tells whether the caller of the next frames looks at them.
  void draw(bool drawn) { drawn_ = drawn; }

  // MediaSource
  void update() override;
  uint8_t* currentFrameBuffer() const override;
  uint8_t* previousFrameBuffer() const override;
  uint32_t height() const override { return height_; }
  uint32_t width() const override { return screen_width; }
  uint32_t scanlines() const override;
  void setSound(ale::stella::Sound&) override {}

  // Device
  const char* name() const override { return "FastConsole"; }
  // Power comes on, each time that ALE says so: a display processor (DPC) goes on from where it
  // was, and reading the CPU's first address clocks its random numbers. ALE resets its devices in
  // the order in which they came, so that its RIOT and cartridge have drawn their random numbers.
  void reset() override;
  void install(ale::stella::System& system) override;
  bool save(ale::stella::Serializer&) override { return true; }
  bool load(ale::stella::Deserializer&) override { return true; }
  uint8_t peek(uint16_t) override { return 0; }
  void poke(uint16_t, uint8_t) override {}

 private:
  static constexpr int screen_width = 160;

  FastConsole(ale::stella::Console& console, ale::stella::Cartridge& cartridge, vcs::Scheme scheme);
  void read_pins();
  vcs::PaddleLine paddle(ale::stella::Controller& port, ale::stella::Controller::AnalogPin pin);

  ale::stella::Console& console_;
  const ale::stella::M6532* riot_ = nullptr;
  const uint8_t* cartridge_ram_ = nullptr;  // ALE's
  uint32_t height_;
  vcs::Machine machine_;
  vcs::Pins pins_;
  bool drawn_ = true;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_FAST_CONSOLE_HPP_
