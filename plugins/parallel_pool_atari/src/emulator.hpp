// SPDX-License-Identifier: GPL-2.0-only
// One emulated Atari 2600 with one game in it.
//
// Promises: no type of the emulator behind it appears here, so that another core can take ALE's
// place; nothing in this class ends the process (ALE calls exit for a bad ROM file); `act` does not
// allocate. A trajectory depends on the ROM, the options, the seed and the actions only.
// Does not promise: thread safety of one object. Different objects may be used by different
// threads.

#ifndef PARALLEL_POOL_ATARI_EMULATOR_HPP_
#define PARALLEL_POOL_ATARI_EMULATOR_HPP_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vcs/translation.hpp"

namespace pp::atari {

// The joystick actions, numbered as ALE and Gymnasium number them.
inline constexpr int noop = 0;
inline constexpr int fire = 1;
inline constexpr int action_count = 18;

inline constexpr int screen_width = 160;
inline constexpr int ram_size = 128;

// The emulator. Episodes do not depend on it.
enum class Engine {
  automatic,  // the fast one for games in which it was shown to equal ALE, ALE for the others
  fast,       // our own machine (vcs/) in ALE's console
  ale,
};

struct EmulatorOptions {
  std::string rom_path;
  float repeat_action_probability = 0.0F;  // "sticky actions", drawn for every frame
  int max_frames = 0;                      // frames of an episode before `truncated`; 0: no limit
  int mode = -1;                           // -1: the default of the game
  int difficulty = -1;                     // -1: the default of the game
  Engine engine = Engine::automatic;
  vcs::Translation translation = vcs::Translation::machine_code;  // only for the fast engine
};

// Screens hold palette indices, one byte per pixel. These tables give an index its colour.
struct Palette {
  std::array<uint8_t, 256> gray;
  std::array<std::array<uint8_t, 256>, 3> rgb;
};

class Emulator {
 public:
  // Loads the ROM. Throws std::invalid_argument naming the file, the mode or the difficulty, or the
  // game if it is not one for the engine.
  explicit Emulator(const EmulatorOptions& options);
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  // After reseed(s) and reset() the machine does what a freshly loaded ROM with random_seed s would
  // do. A reset without a reseed goes on with the machine's random numbers, as ALE does.
  void reseed(uint32_t seed);
  // Sticky actions are those of this seed from now on. Nothing else draws while a game goes on.
  void reseed_game(uint32_t seed);
  void reset();

  // Emulates one frame and returns its reward. `action` is in [0, action_count). With `drawn` false
  // the caller does not mean to look at the screen of this frame; everything else is the same. (The
  // fast engine draws it all the same when asked for it, ALE shows an older one.) After
  // the end of an episode nothing moves and the reward is 0.
  int act(int action, bool drawn = true);

  bool game_over() const;  // the game has ended
  bool truncated() const;  // max_frames have passed
  int lives() const;
  int episode_frame_number() const;
  int frame_number() const;

  // Palette indices, screen_height() rows of screen_width. Owned by the emulator and valid until
  // the next reset or restore; the bytes change with each frame. previous_screen() is the screen
  // one frame earlier (meaningful once two frames were drawn in a row).
  const uint8_t* screen() const;
  const uint8_t* previous_screen() const;
  // Remembers both for kept_screens(), which writes them as they were. The fast engine draws them
  // only then.
  void keep_screens();
  void kept_screens(uint8_t* screen, uint8_t* previous) const;
  int screen_height() const;  // 210, and 250 for most PAL games
  const uint8_t* ram() const;
  const Palette& palette() const;
  Engine engine() const;  // Engine::fast or Engine::ale
  // Chooses how the fast engine executes programs, which changes its speed only.
  void translate(vcs::Translation translation);

  const std::vector<int>& minimal_actions() const;
  const std::vector<int>& legal_actions() const;
  const std::vector<int>& modes() const;
  const std::vector<int>& difficulties() const;

  // Everything that decides the future of this emulator, random numbers included, and both screens.
  // restore() takes what save() gave for the same ROM and throws std::invalid_argument otherwise.
  std::string save() const;
  void restore(const std::string& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_EMULATOR_HPP_
