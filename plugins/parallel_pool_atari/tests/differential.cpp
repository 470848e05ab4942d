// Plays the fast engine against ALE in one process and reports the first difference.
//
//   differential ROM [FRAMES [SEED [MODE [DIFFICULTY [STICKY]]]]]
//
// Three machines get the same random actions: ALE, the fast engine with all frames drawn, and the
// fast engine with frames left out. Compared after each frame: RAM, reward, lives, end; the screen
// where it was drawn. Episodes end as they do, and now and then by an early reset.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "emulator.hpp"

using namespace pp::atari;  // NOLINT: a test

int main(int argc, char** argv) {
  const std::string rom = argv[1];
  const int frames = argc > 2 ? std::atoi(argv[2]) : 1000;
  const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
  EmulatorOptions options;
  options.rom_path = rom;
  if (argc > 4) options.mode = std::atoi(argv[4]);
  if (argc > 5) options.difficulty = std::atoi(argv[5]);
  if (argc > 6) options.repeat_action_probability = static_cast<float>(std::atof(argv[6]));
  EmulatorOptions ale_options = options, fast_options = options;
  ale_options.engine = Engine::kAle;
  fast_options.engine = Engine::kFast;
  try {
    Emulator ale(ale_options), fast(fast_options), some(fast_options);
    Emulator* all[] = {&ale, &fast, &some};
    std::mt19937 random(seed);
    const std::size_t size = static_cast<std::size_t>(ale.screen_height()) * kScreenWidth;
    int bad_ram = 0, bad_screen = 0, bad_play = 0, bad_undrawn = 0, first = -1, resets = 0;
    const auto compare = [&](int frame, bool drawn, int r0, int r1, int r2) {
      const bool ram = std::memcmp(ale.ram(), fast.ram(), kRamSize) == 0;
      const bool screen = std::memcmp(ale.screen(), fast.screen(), size) == 0 &&
                          std::memcmp(ale.previous_screen(), fast.previous_screen(), size) == 0;
      const bool play = r0 == r1 && ale.lives() == fast.lives() &&
                        ale.game_over() == fast.game_over() &&
                        ale.frame_number() == fast.frame_number();
      const bool undrawn = std::memcmp(ale.ram(), some.ram(), kRamSize) == 0 && r0 == r2 &&
                           (!drawn || std::memcmp(ale.screen(), some.screen(), size) == 0);
      bad_ram += !ram;
      bad_screen += !screen;
      bad_play += !play;
      bad_undrawn += !undrawn;
      if ((!ram || !screen || !play || !undrawn) && first < 0) {
        first = frame;
        if (std::getenv("VERBOSE") != nullptr) {
          for (int i = 0; i < kRamSize; ++i) {
            if (ale.ram()[i] != fast.ram()[i]) {
              std::printf("  ram[%02x] ale %02x fast %02x\n", i, ale.ram()[i], fast.ram()[i]);
            }
          }
          int shown = 0;
          for (std::size_t i = 0; i < size && shown < 10; ++i) {
            if (ale.screen()[i] != fast.screen()[i]) {
              ++shown;
              std::printf("  y %zu x %zu ale %02x fast %02x\n", i / 160, i % 160, ale.screen()[i],
                          fast.screen()[i]);
            }
          }
        }
      }
    };
    for (Emulator* e : all) {
      e->reseed(seed);
      e->reset();
    }
    compare(-1, true, 0, 0, 0);
    const auto& actions = ale.legal_actions();
    const auto& minimal = ale.minimal_actions();
    int action = 0;
    for (int frame = 0; frame < frames; ++frame) {
      if (frame % 4 == 0) {
        const auto& from = random() % 8 == 0 ? actions : minimal;
        action = from[random() % from.size()];
      }
      const bool drawn = frame % 4 >= 2;
      const int r0 = ale.act(action), r1 = fast.act(action), r2 = some.act(action, drawn);
      compare(frame, drawn, r0, r1, r2);
      if (ale.game_over() || random() % 4000 == 0) {
        ++resets;
        const bool again = random() % 2 == 0;
        for (Emulator* e : all) {
          if (again) e->reseed(seed + static_cast<unsigned>(resets));
          e->reset();
        }
        compare(frame, true, 0, 0, 0);
      }
      if (first >= 0 && frame > first + 200) break;
    }
    const std::string name = rom.substr(rom.find_last_of('/') + 1);
    std::printf("%s %-24s frames %d resets %d ram %d screen %d play %d undrawn %d first %d\n",
                first < 0 ? "ok " : "BAD", name.c_str(), frames, resets, bad_ram, bad_screen,
                bad_play, bad_undrawn, first);
    return first < 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("BAD %s: %s\n", rom.c_str(), e.what());
    return 2;
  }
}
