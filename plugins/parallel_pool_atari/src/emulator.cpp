// Emulator on ALE: construction, seeds and play. Saved states are in emulator_state.cpp.

#include "emulator.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "ale/emucore/MD5.hxx"
#include "ale/emucore/Serializer.hxx"
#include "ale/games/Roms.hpp"
#include "emulator_impl.hpp"
#include "proven_games.hpp"

namespace pp::atari {
namespace {

namespace fs = std::filesystem;
using namespace ale_private;  // NOLINT: the tags of this file

// ALE maps an unsupported file to std::exit, so everything it would exit for is refused before.
void check_rom(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw std::invalid_argument("there is no ROM file '" + path + "'");
  }
  // ALE reads at most this much (OSystem.cxx); the largest supported ROM is far below it.
  const auto size = fs::file_size(path, error);
  if (error || size == 0 || size > 512 * 1024) {
    throw std::invalid_argument("'" + path + "' cannot be an Atari 2600 ROM: it has " +
                                std::to_string(size) + " bytes");
  }
  // ALEInterface::isSupportedROM would do, if it did not leak what it finds.
  std::ifstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> rom((std::istreambuf_iterator<char>(file)),
                                      std::istreambuf_iterator<char>());
  const std::string md5 = ale::stella::MD5(rom.data(), static_cast<std::uint32_t>(rom.size()));
  const std::unique_ptr<ale::RomSettings> settings(ale::buildRomRLWrapper(path, md5));
  if (settings == nullptr || settings->md5() != md5) {
    throw std::invalid_argument("'" + path +
                                "' is not a ROM that ALE 0.12.1 supports (unknown MD5); the "
                                "package ale-py carries the supported ones");
  }
}

std::vector<int> to_ints(const std::vector<ale::Action>& actions) {
  std::vector<int> out;
  for (ale::Action action : actions) out.push_back(static_cast<int>(action));
  return out;
}

std::vector<int> to_ints(const std::vector<unsigned>& values) {
  return std::vector<int>(values.begin(), values.end());
}

void check_choice(const char* what, int value, const std::vector<int>& choices,
                  const std::string& rom) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  std::ostringstream text;
  text << what << " " << value << " does not exist for '" << rom << "'; -1 (the default) or one of";
  for (int choice : choices) text << " " << choice;
  throw std::invalid_argument(text.str());
}

// Whether the generator of sticky actions has moved on from its seed. A few games (Berzerk, Double
// Dunk) choose their mode by pressing keys through act() whenever they are reset, and loading a ROM
// resets it once.
bool has_drawn(ale::ALEInterface& ale, std::uint32_t seed) {
  ale::stella::Random fresh;
  fresh.seed(seed);
  ale::stella::Serializer before, now;
  fresh.saveState(before);
  ale.environment->getEnvironmentRNG().saveState(now);
  return before.get_str() != now.get_str();
}

// Games (ALE's names) that vary the number of lines of their frames. Where a frame ends before the
// screen does, the lines below are left over from two frames earlier, so that frame has to be drawn
// too. Found by running every ROM and watching how far each frame is drawn; in four of the ten
// (alien, krull, tic_tac_toe_3d, video_checkers) leaving out drawing did change shown screens.
// tests/test_emulator.py::test_undrawn_frames compares every ROM.
bool always_drawn(const std::string& game) {
  static const std::set<std::string> games{
      "alien", "amidar", "journey_escape", "koolaid",  "krull",
      "qbert", "tetris", "tic_tac_toe_3d", "trondead", "video_checkers"};
  return games.count(game) != 0;
}

}  // namespace

bool Emulator::Impl::unfinished() const {
  return is_fast ? fast->machine().state().tia.unfinished != 0 : tia->*member(PartialFrame{});
}

void Emulator::Impl::load(std::uint32_t seed) {
  // ALE takes -1 for "seed with the clock"; a seed has to stay one.
  const auto value = static_cast<std::int32_t>(seed);
  ale.setInt("random_seed", value == -1 ? 0 : value);
  ale.loadROM(options.rom_path);
  tia = &system().tia();
  fast_update = &(tia->*member(FastUpdate{}));
  fast = is_fast ? FastConsole::install(ale) : nullptr;
}

Emulator::Emulator(const EmulatorOptions& options) {
  check_rom(options.rom_path);
  // The level is a variable of ALE's logger, shared by all instances in this library.
  static std::once_flag quiet;
  std::call_once(quiet, [] { ale::Logger::setMode(ale::Logger::Error); });

  impl_ = std::make_unique<Impl>(options);
  Impl& impl = *impl_;
  ale::ALEInterface& ale = impl.ale;
  ale.setFloat("repeat_action_probability", options.repeat_action_probability);
  ale.setInt("max_num_frames_per_episode", options.max_frames);
  impl.load(0);
  const std::string& game = ale.romSettings->rom();
  if (options.engine == Engine::kFast && !is_proven(game)) {
    throw std::invalid_argument("the fast engine was not shown to equal ALE in '" + game +
                                "'; use engine='ale' or 'auto'");
  }
  impl.is_fast = options.engine != Engine::kAle && is_proven(game);
  if (impl.is_fast) impl.fast = FastConsole::install(ale);
  impl.loading_draws = options.repeat_action_probability > 0 && has_drawn(ale, 0);
  impl.may_skip_drawing = !always_drawn(game);
  impl.screen_height = static_cast<int>(ale.getScreen().height());
  impl.previous.resize(static_cast<std::size_t>(impl.screen_height) * kScreenWidth);
  impl.minimal_actions = to_ints(ale.getMinimalActionSet());
  impl.legal_actions = to_ints(ale.getLegalActionSet());
  impl.modes = to_ints(ale.getAvailableModes());
  impl.difficulties = to_ints(ale.getAvailableDifficulties());

  std::array<std::uint8_t, 256> index;
  for (int i = 0; i < 256; ++i) index[i] = static_cast<std::uint8_t>(i);
  std::array<std::uint8_t, 3 * 256> rgb;
  auto& colours = ale.theOSystem->colourPalette();
  // ALE takes the grey of an index from the entry after it, and so reads one past the table for 255
  // (a white that has lost its colour, on PAL). What follows in ale-py's wheel is another palette,
  // which begins with black; black it is.
  colours.applyPaletteGrayscale(impl.palette.gray.data(), index.data(), 255);
  impl.palette.gray[255] = 0;
  colours.applyPaletteRGB(rgb.data(), index.data(), index.size());
  for (int i = 0; i < 256; ++i) {
    for (int c = 0; c < 3; ++c) impl.palette.rgb[c][i] = rgb[3 * i + c];
  }

  if (options.mode != -1) check_choice("mode", options.mode, impl.modes, options.rom_path);
  if (options.difficulty != -1) {
    check_choice("difficulty", options.difficulty, impl.difficulties, options.rom_path);
  }
  impl.choose();
  impl.loaded = ale.cloneState(true);
  if (impl.is_fast) impl.loaded_machine = impl.fast->machine().state();
}

Emulator::~Emulator() = default;

void Emulator::reseed(std::uint32_t seed) {
  // ALE has two generators. The environment's (sticky actions) is seeded with `random_seed`. The
  // system's (RAM and timer at power-on) always starts from one fixed seed when a ROM is loaded, so
  // going back to the loaded state is what rewinds it. The parts of the machine that ALEState does
  // not keep are set by reset(), which has to follow.
  Impl& impl = *impl_;
  if (impl.loading_draws) {
    impl.load(seed);
    impl.choose();
    return;
  }
  if (!impl.as_loaded) {
    if (impl.is_fast) impl.fast->machine().set_state(impl.loaded_machine);
    impl.ale.restoreState(impl.loaded);
  }
  impl.as_loaded = true;
  impl.ale.environment->getEnvironmentRNG().seed(seed);
}

void Emulator::reset() {
  impl_->as_loaded = false;
  impl_->ale.reset_game();
}

int Emulator::act(int action, bool drawn) {
  Impl& impl = *impl_;
  // A frame that the game did not finish goes on in the same buffer, over what was shown.
  impl.previous_kept = impl.unfinished();
  if (impl.previous_kept) {
    std::memcpy(impl.previous.data(), screen(), impl.previous.size());
  }
  if (impl.is_fast) {
    impl.fast->draw(drawn);
    const int reward = impl.ale.act(static_cast<ale::Action>(action));
    impl.fast->draw(true);
    return reward;
  }
  *impl.fast_update = !drawn && impl.may_skip_drawing;
  const int reward = impl.ale.act(static_cast<ale::Action>(action));
  *impl.fast_update = false;
  return reward;
}

bool Emulator::game_over() const {
  return impl_->ale.game_over(false);
}
bool Emulator::truncated() const {
  return impl_->ale.game_truncated();
}
int Emulator::lives() const {
  return impl_->ale.lives();
}
int Emulator::episode_frame_number() const {
  return impl_->ale.getEpisodeFrameNumber();
}
int Emulator::frame_number() const {
  return impl_->ale.getFrameNumber();
}

// ALE copies this buffer to its screen after each frame, so the two are equal; TIA keeps the frame
// before as well.
const std::uint8_t* Emulator::screen() const {
  if (impl_->is_fast) impl_->fast->machine().draw_screens();
  return impl_->source().currentFrameBuffer();
}
const std::uint8_t* Emulator::previous_screen() const {
  if (impl_->is_fast) impl_->fast->machine().draw_screens();
  return impl_->previous_kept ? impl_->previous.data() : impl_->source().previousFrameBuffer();
}
int Emulator::screen_height() const {
  return impl_->screen_height;
}
const std::uint8_t* Emulator::ram() const {
  return impl_->ale.getRAM().array();
}
const Palette& Emulator::palette() const {
  return impl_->palette;
}
Engine Emulator::engine() const {
  return impl_->is_fast ? Engine::kFast : Engine::kAle;
}

const std::vector<int>& Emulator::minimal_actions() const {
  return impl_->minimal_actions;
}
const std::vector<int>& Emulator::legal_actions() const {
  return impl_->legal_actions;
}
const std::vector<int>& Emulator::modes() const {
  return impl_->modes;
}
const std::vector<int>& Emulator::difficulties() const {
  return impl_->difficulties;
}

}  // namespace pp::atari
