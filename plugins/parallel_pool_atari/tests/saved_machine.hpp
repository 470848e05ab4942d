// SPDX-License-Identifier: GPL-2.0-only
// A machine and its two screens, as a saved game keeps them (emulator_state_fast.cpp).

#ifndef PARALLEL_POOL_ATARI_TESTS_SAVED_MACHINE_HPP_
#define PARALLEL_POOL_ATARI_TESTS_SAVED_MACHINE_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vcs/machine.hpp"

namespace pp::atari {

class SavedMachine {
 public:
  using Machine = vcs::Machine;

  explicit SavedMachine(Machine& machine) : state_(machine.state()) {
    for (const Machine::Which which : which_screens) {
      const uint8_t* pixels = machine.pixels(which);
      screens_.push_back({machine.shown(which),
                          machine.picture(which),
                          {pixels, pixels + machine.screen_bytes()}});
    }
  }

  void restore(Machine& machine) const {
    machine.set_state(state_);
    for (size_t i = 0; i < 2; ++i) {
      const Screen& screen = screens_[i];
      if (screen.shown == Machine::Shown::picture)
        machine.set_picture(which_screens[i], screen.picture);
      if (screen.shown == Machine::Shown::pixels) {
        machine.set_pixels(which_screens[i], screen.pixels.data());
      }
      if (screen.shown == Machine::Shown::black) machine.set_black(which_screens[i]);
    }
  }

  // The first thing that `machine` does not have as it was saved, in words; empty if there is none.
  std::string difference(Machine& machine) const {
    if (machine.state().cpu.cycles != state_.cpu.cycles) return "cycles";
    if (machine.state().riot.ram != state_.riot.ram) return "ram";
    for (size_t i = 0; i < 2; ++i) {
      std::string name = i == 0 ? "screen" : "previous screen";
      const auto& wanted = screens_[i].pixels;
      if (machine.shown(which_screens[i]) != screens_[i].shown) return "what shows the " + name;
      if (screens_[i].shown == Machine::Shown::picture) {
        std::vector<uint8_t> drawn(wanted.size());
        machine.draw(machine.picture(which_screens[i]), drawn.data());
        if (drawn != wanted) return name + ", drawn apart";
      }
      const uint8_t* pixels = machine.pixels(which_screens[i]);
      if (!std::equal(wanted.begin(), wanted.end(), pixels)) return name;
    }
    return "";
  }

 private:
  static constexpr Machine::Which which_screens[] = {Machine::Which::screen,
                                                     Machine::Which::previous_screen};
  struct Screen {
    Machine::Shown shown;
    vcs::Picture picture;
    std::vector<uint8_t> pixels;
  };

  vcs::MachineState state_;
  std::vector<Screen> screens_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_SAVED_MACHINE_HPP_
