#include "emulator.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "ale/emucore/Serializer.hxx"
#include "ale_private.hpp"

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
  if (!ale::ALEInterface::isSupportedROM(path)) {
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

// A pointer into one of TIA's constant tables, as numbers that mean the same in any process.
struct MaskPosition {
  std::int32_t table;
  std::int32_t offset;
};

struct MaskTable {
  const std::uint8_t* begin;
  std::size_t size;
};

std::array<MaskTable, 5> mask_tables() {
  const auto table = [](auto* pointer) {
    return MaskTable{reinterpret_cast<const std::uint8_t*>(pointer), sizeof(*pointer)};
  };
  return {table(member(TableBall{})), table(member(TableDisabled{})), table(member(TableMissile{})),
          table(member(TablePlayer{})), table(member(TablePlayfield{}))};
}

MaskPosition find_mask(const void* pointer) {
  const auto* byte = static_cast<const std::uint8_t*>(pointer);
  const auto tables = mask_tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (byte >= tables[i].begin && byte < tables[i].begin + tables[i].size) {
      return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(byte - tables[i].begin)};
    }
  }
  throw std::logic_error("a TIA mask points outside of every table");
}

const std::uint8_t* mask_at(MaskPosition position) {
  const auto tables = mask_tables();
  if (position.table < 0 || position.table >= static_cast<int>(tables.size()) ||
      position.offset < 0 ||
      static_cast<std::size_t>(position.offset) >= tables[position.table].size) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  return tables[position.table].begin + position.offset;
}

// What ALEState leaves out. Plain data, written to the saved state as it is.
struct Extra {
  std::uint32_t magic;
  std::int32_t screen_height;
  std::int32_t last_action;
  float last_strength;
  std::int32_t frame_offset;  // of the drawing position in the current frame buffer
  std::uint8_t partial_frame;
  std::uint8_t frame_greyed;
  std::uint8_t bus_state;
  std::uint8_t pad;
  std::array<MaskPosition, 6> masks;
  std::array<char, 32> rom_md5;
  std::uint64_t ale_bytes;  // length of ALE's own state, which follows the two screens
};
constexpr std::uint32_t kMagic = 0x31415050;  // "PPA1"

// Size of TIA's frame buffers (TIA.cxx). All of it is kept: rows below the screen are never shown,
// but the drawing position may point there.
constexpr std::size_t kFrameBuffer = 160 * 300;

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

struct Emulator::Impl {
  explicit Impl(const EmulatorOptions& from) : options(from) {}

  EmulatorOptions options;
  ale::ALEInterface ale;
  ale::stella::TIA* tia = nullptr;
  bool* fast_update = nullptr;
  // Loading this ROM draws from the environment's generator, and what it draws matters.
  bool loading_draws = false;
  bool may_skip_drawing = true;
  int screen_height = 0;
  Palette palette{};
  std::vector<int> minimal_actions, legal_actions, modes, difficulties;
  // The machine as loadROM left it. reset() from here is the first reset of a loaded ROM.
  ale::ALEState loaded;
  bool as_loaded = true;

  void load(std::uint32_t seed);
  void choose() {
    if (options.mode != -1) ale.setMode(static_cast<unsigned>(options.mode));
    if (options.difficulty != -1) ale.setDifficulty(static_cast<unsigned>(options.difficulty));
  }
  ale::stella::System& system() const { return ale.theOSystem->console().system(); }
  std::array<char, 32> rom_md5() const {
    std::array<char, 32> md5{};
    std::string(ale.romSettings->md5()).copy(md5.data(), md5.size());
    return md5;
  }
};

void Emulator::Impl::load(std::uint32_t seed) {
  // ALE takes -1 for "seed with the clock"; a seed has to stay one.
  const auto value = static_cast<std::int32_t>(seed);
  ale.setInt("random_seed", value == -1 ? 0 : value);
  ale.loadROM(options.rom_path);
  tia = &system().tia();
  fast_update = &(tia->*member(FastUpdate{}));
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
  impl.loading_draws = options.repeat_action_probability > 0 && has_drawn(ale, 0);
  impl.may_skip_drawing = !always_drawn(ale.romSettings->rom());
  impl.screen_height = static_cast<int>(ale.getScreen().height());
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
  if (!impl.as_loaded) impl.ale.restoreState(impl.loaded);
  impl.as_loaded = true;
  impl.ale.environment->getEnvironmentRNG().seed(seed);
}

void Emulator::reset() {
  impl_->as_loaded = false;
  impl_->ale.reset_game();
}

int Emulator::act(int action, bool drawn) {
  if (drawn || !impl_->may_skip_drawing) return impl_->ale.act(static_cast<ale::Action>(action));
  *impl_->fast_update = true;
  const int reward = impl_->ale.act(static_cast<ale::Action>(action));
  *impl_->fast_update = false;
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
  return impl_->tia->currentFrameBuffer();
}
const std::uint8_t* Emulator::previous_screen() const {
  return impl_->tia->previousFrameBuffer();
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

std::string Emulator::save() const {
  const Impl& impl = *impl_;
  const ale::stella::TIA& tia = *impl.tia;
  const std::string machine = impl.ale.environment->cloneState(true).serialize();

  Extra extra{};
  extra.magic = kMagic;
  extra.screen_height = impl.screen_height;
  extra.last_action = (*impl.ale.environment).*member(LastAction{});
  extra.last_strength = (*impl.ale.environment).*member(LastStrength{});
  extra.frame_offset =
      static_cast<std::int32_t>(tia.*member(FramePointer{}) - tia.currentFrameBuffer());
  extra.partial_frame = tia.*member(PartialFrame{});
  extra.frame_greyed = tia.*member(FrameGreyed{});
  extra.bus_state = impl.system().*member(BusState{});
  extra.masks = {find_mask(tia.*member(MaskBall{})),     find_mask(tia.*member(MaskMissile0{})),
                 find_mask(tia.*member(MaskMissile1{})), find_mask(tia.*member(MaskPlayer0{})),
                 find_mask(tia.*member(MaskPlayer1{})),  find_mask(tia.*member(MaskPlayfield{}))};
  extra.rom_md5 = impl.rom_md5();
  extra.ale_bytes = machine.size();

  std::string state;
  state.reserve(sizeof(extra) + 2 * kFrameBuffer + machine.size());
  state.append(reinterpret_cast<const char*>(&extra), sizeof(extra));
  state.append(reinterpret_cast<const char*>(tia.currentFrameBuffer()), kFrameBuffer);
  state.append(reinterpret_cast<const char*>(tia.previousFrameBuffer()), kFrameBuffer);
  state.append(machine);
  return state;
}

void Emulator::restore(const std::string& state) {
  Impl& impl = *impl_;
  ale::stella::TIA& tia = *impl.tia;
  Extra extra;
  constexpr std::size_t kHead = sizeof(Extra) + 2 * kFrameBuffer;
  if (state.size() < kHead) throw std::invalid_argument("this is not a saved Atari state");
  std::memcpy(&extra, state.data(), sizeof(extra));
  if (extra.magic != kMagic || state.size() != kHead + extra.ale_bytes) {
    throw std::invalid_argument("this is not a saved Atari state");
  }
  if (extra.rom_md5 != impl.rom_md5() || extra.screen_height != impl.screen_height) {
    throw std::invalid_argument("the saved Atari state is of another game");
  }
  if (extra.last_action < 0 || extra.last_action >= kActionCount || extra.frame_offset < 0 ||
      static_cast<std::size_t>(extra.frame_offset) > kFrameBuffer) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  std::array<const std::uint8_t*, 6> masks;
  for (std::size_t i = 0; i < masks.size(); ++i) masks[i] = mask_at(extra.masks[i]);

  impl.as_loaded = false;
  impl.ale.environment->restoreState(ale::ALEState(state.substr(kHead)));
  (*impl.ale.environment).*member(LastAction{}) = static_cast<ale::Action>(extra.last_action);
  (*impl.ale.environment).*member(LastStrength{}) = extra.last_strength;
  std::memcpy(tia.currentFrameBuffer(), state.data() + sizeof(extra), kFrameBuffer);
  std::memcpy(tia.previousFrameBuffer(), state.data() + sizeof(extra) + kFrameBuffer, kFrameBuffer);
  tia.*member(FramePointer{}) = tia.currentFrameBuffer() + extra.frame_offset;
  tia.*member(PartialFrame{}) = extra.partial_frame != 0;
  tia.*member(FrameGreyed{}) = extra.frame_greyed != 0;
  tia.*member(MaskBall{}) = masks[0];
  tia.*member(MaskMissile0{}) = masks[1];
  tia.*member(MaskMissile1{}) = masks[2];
  tia.*member(MaskPlayer0{}) = masks[3];
  tia.*member(MaskPlayer1{}) = masks[4];
  tia.*member(MaskPlayfield{}) = reinterpret_cast<const std::uint32_t*>(masks[5]);
  // Last, because reading the RAM back in restoreState went over the bus.
  impl.system().*member(BusState{}) = extra.bus_state;
}

}  // namespace pp::atari
