// SPDX-License-Identifier: GPL-2.0-only
#include "game.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>

#include "parallel_pool/per_process.hpp"

namespace pp::atari {
namespace {

std::vector<int> to_ints(const std::vector<ale::Action>& actions) {
  std::vector<int> out;
  for (ale::Action action : actions) out.push_back(static_cast<int>(action));
  return out;
}

std::vector<int> to_ints(const std::vector<unsigned>& values) {
  return std::vector<int>(values.begin(), values.end());
}

// Games (ALE's names) that vary the number of lines of their frames. Where a frame ends before the
// screen does, the lines below are left over from two frames earlier, so that frame has to be drawn
// too. Found by running every ROM and watching how far each frame is drawn; in four of the ten
// (alien, krull, tic_tac_toe_3d, video_checkers) leaving out drawing did change shown screens.
// tests/test_engines.py compares every ROM.
bool always_drawn(const std::string& game) {
  constexpr std::string_view games[] = {
      "alien", "amidar", "journey_escape", "koolaid",  "krull",
      "qbert", "tetris", "tic_tac_toe_3d", "trondead", "video_checkers"};
  return std::find(std::begin(games), std::end(games), game) != std::end(games);
}

Palette palette_of(ale::ALEInterface& ale) {
  Palette palette;
  std::array<uint8_t, 256> index;
  for (int i = 0; i < 256; ++i) index[i] = static_cast<uint8_t>(i);
  std::array<uint8_t, 3 * 256> rgb;
  auto& colours = ale.theOSystem->colourPalette();
  // ALE takes the grey of an index from the entry after it, and so reads one past the table for 255
  // (a white that has lost its colour, on PAL). What follows in ale-py's wheel is another palette,
  // which begins with black; black it is.
  colours.applyPaletteGrayscale(palette.gray.data(), index.data(), 255);
  palette.gray[255] = 0;
  colours.applyPaletteRGB(rgb.data(), index.data(), index.size());
  for (int i = 0; i < 256; ++i) {
    for (int c = 0; c < 3; ++c) palette.rgb[c][i] = rgb[3 * i + c];
  }
  return palette;
}

}  // namespace

void find_facts(ale::ALEInterface& ale, Game& game) {
  game.screen_height = static_cast<int>(ale.getScreen().height());
  game.may_skip_drawing = !always_drawn(ale.romSettings->rom());
  game.palette = palette_of(ale);
  game.minimal_actions = to_ints(ale.getMinimalActionSet());
  game.legal_actions = to_ints(ale.getLegalActionSet());
  game.modes = to_ints(ale.getAvailableModes());
  game.difficulties = to_ints(ale.getAvailableDifficulties());
}

std::shared_ptr<const Game> shared_game(const std::string& key,
                                        const std::function<std::shared_ptr<const Game>()>& make) {
  struct Slot {
    std::mutex making;
    std::weak_ptr<const Game> game;
  };
  struct Known {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Slot>> slots;
    // A pool asks for its actions through an emulator that is gone when its environments are made.
    std::shared_ptr<const Game> last;
  };
  static PerProcess<Known> here;
  auto& [mutex, slots, last] = here.get();

  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    auto& found = slots[key];
    if (found == nullptr) found = std::make_shared<Slot>();
    slot = found;
  }
  std::shared_ptr<const Game> game;
  {
    const std::lock_guard<std::mutex> lock(slot->making);
    game = slot->game.lock();
    if (game == nullptr) slot->game = game = make();
  }
  const std::lock_guard<std::mutex> lock(mutex);
  last = game;
  return game;
}

std::string game_key(const EmulatorOptions& options, const std::string& md5) {
  std::ostringstream key;
  key << options.rom_path << '\n'
      << md5 << ' ' << options.repeat_action_probability << ' ' << options.max_frames << ' '
      << options.mode << ' ' << options.difficulty;
  return key.str();
}

}  // namespace pp::atari
