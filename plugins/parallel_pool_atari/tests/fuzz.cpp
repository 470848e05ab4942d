// SPDX-License-Identifier: GPL-2.0-only
// Random ROMs in every kind of cartridge, with random pins, resets, saved and damaged states.
// A restored machine is compared with the one that was saved; for the rest, the sanitizers that
// test_fuzz.py compiles this with find an error, or there is none.
//
//   fuzz FIRST_SEED LAST_SEED [THREADS]
//
// Threads play the same ROM at the same time, so they share its blocks and its machine code.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "code_at_once.hpp"
#include "saved_machine.hpp"

using namespace pp::atari::vcs;  // NOLINT: a test
using pp::atari::SavedMachine;

namespace {

constexpr Scheme schemes[] = {Scheme::plain_2k, Scheme::plain_4k, Scheme::f8,   Scheme::f8_swapped,
                              Scheme::f6,       Scheme::f8sc,     Scheme::f6sc, Scheme::e0,
                              Scheme::fe,       Scheme::dpc};

// Pure noise jams the CPU soon, so most ROMs favour the TIA's addresses, jam less, and end frames.
std::vector<uint8_t> random_rom(std::mt19937& random, bool pure) {
  std::vector<uint8_t> rom(16384);
  for (auto& byte : rom) {
    byte = static_cast<uint8_t>(random());
    if (pure) continue;
    if (random() % 4 == 0) byte = static_cast<uint8_t>(random() % 0x2d);
    const bool jams = (byte & 0x1f) == 0x12 || (byte & 0x9f) == 0x02;
    if (jams) byte = 0xea;
  }
  constexpr uint8_t frame_end[] = {0xa9, 2, 0x85, 0, 0x85, 2, 0x85, 2, 0xa9, 0, 0x85, 0};
  for (size_t at = 0; !pure && at + sizeof(frame_end) < rom.size(); at += 200 + random() % 300) {
    std::copy(std::begin(frame_end), std::end(frame_end), rom.begin() + static_cast<ptrdiff_t>(at));
  }
  return rom;
}

void play(unsigned seed) {
  std::mt19937 random(seed);
  const auto rom = random_rom(random, seed % 3 == 0);
  Television tv;
  tv.first_line = static_cast<int>(random() % 40);
  tv.height = 200 + static_cast<int>(random() % 60);
  tv.pal = random() % 2 == 0;
  tv.most_lines = tv.pal ? 342 : 290;
  tv.hmove_blank = random() % 2 == 0;
  Machine machine(Cartridge(schemes[seed % std::size(schemes)], rom), tv);
  const auto set = static_cast<tia::InstructionSet>(seed % 3);
  if (tia::available(set)) machine.set_painter(tia::painter(set));
  uint8_t ram[128];
  for (auto& byte : ram) byte = static_cast<uint8_t>(random());
  machine.power_on(25 + random() % 75, ram);

  SavedMachine saved(machine);
  Pins pins;
  for (int frame = 0; frame < 40; ++frame) {
    pins.joysticks = static_cast<uint8_t>(random());
    pins.triggers = {random() % 2 == 0, random() % 2 == 0};
    for (auto& paddle : pins.paddles) {
      paddle.kind = static_cast<PaddleLine::Kind>(random() % 3);
      paddle.cycles = random() % 20000;
    }
    if (random() % 16 == 0) machine.translate(static_cast<Translation>(random() % 3));
    machine.run_frame(pins, random() % 2 == 0);
    if (!machine.is_safe(machine.state())) {
      std::printf("seed %u, frame %d: a state of its own is not safe\n", seed, frame);
      std::exit(1);
    }
    if (random() % 20 == 0) machine.power_on(25 + random() % 75, ram);
    if (random() % 10 == 0) saved = SavedMachine(machine);
    if (random() % 15 == 0) {
      saved.restore(machine);
      const std::string found = random() % 2 == 0 ? saved.difference(machine) : "";
      if (!found.empty()) {
        std::printf("seed %u, frame %d: restored, it differs in %s\n", seed, frame, found.c_str());
        std::exit(1);
      }
    }
    if (random() % 30 == 0) {
      MachineState damaged = machine.state();
      auto* bytes = reinterpret_cast<uint8_t*>(&damaged);
      for (int i = 0; i < 3; ++i) {
        bytes[random() % sizeof(damaged)] = static_cast<uint8_t>(random());
      }
      if (machine.is_safe(damaged)) machine.set_state(damaged);
    }
  }
}

}  // namespace

int main(int count, char** argv) {
  const int last = std::atoi(argv[2]);
  const int more_threads = count > 3 ? std::atoi(argv[3]) - 1 : 0;
  for (int seed = std::atoi(argv[1]); seed < last; ++seed) {
    std::vector<std::thread> others;
    for (int i = 0; i < more_threads; ++i) others.emplace_back(play, static_cast<unsigned>(seed));
    play(static_cast<unsigned>(seed));
    for (std::thread& other : others) other.join();
  }
  std::printf("fine\n");
}
