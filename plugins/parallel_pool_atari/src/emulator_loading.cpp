// SPDX-License-Identifier: GPL-2.0-only
// Brings an Emulator to its first reset: ROM, console, mode, difficulty.

#include <algorithm>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "ale_random.hpp"
#include "emulator_impl.hpp"
#include "parallel_pool/per_process.hpp"
#include "proven_games.hpp"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file

void check_choice(const char* what, int value, const std::vector<int>& choices,
                  const std::string& rom) {
  if (value == -1 || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  std::ostringstream text;
  text << what << " " << value << " does not exist for '" << rom << "'; -1 (the default) or one of";
  for (int choice : choices) text << " " << choice;
  throw std::invalid_argument(text.str());
}

void check_choices(const EmulatorOptions& options, const Game& game) {
  check_choice("mode", options.mode, game.modes, options.rom_path);
  check_choice("difficulty", options.difficulty, game.difficulties, options.rom_path);
}

// Returns true if the generator of sticky actions has moved on from its seed. A few games (Berzerk,
// Double Dunk) choose their mode by pressing keys through act() whenever they are reset, and
// loading a ROM resets it once.
bool has_drawn(ale::ALEInterface& ale, uint32_t seed) {
  Mt19937 fresh;
  fresh.seed(seed);
  return !(state_of(ale.environment->getEnvironmentRNG()) == fresh);
}

}  // namespace

Emulator::Emulator(const EmulatorOptions& options) {
  // The level is a variable of ALE's logger, shared by all instances in this library.
  static PerProcess<std::once_flag> quiet;
  std::call_once(quiet.get(), [] { ale::Logger::setMode(ale::Logger::Error); });

  Rom rom = read_rom(options.rom_path);
  const std::string name = rom.settings->rom();
  if (options.engine == Engine::fast && !is_proven(name)) {
    throw std::invalid_argument("the fast engine was not shown to equal ALE in '" + name +
                                "'; use engine='ale' or 'auto'");
  }
  impl_ = std::make_unique<Impl>(options, std::move(rom),
                                 options.engine != Engine::ale && is_proven(name));
  Impl& impl = *impl_;
  impl.ale.setFloat("repeat_action_probability", options.repeat_action_probability);
  impl.ale.setInt("max_num_frames_per_episode", options.max_frames);
  if (!impl.is_fast) {
    impl.load_on_ale(0);
    auto game = std::make_shared<Game>();
    find_facts(impl.ale, *game);
    game->loading_draws = options.repeat_action_probability > 0 && has_drawn(impl.ale, 0);
    check_choices(options, *game);
    impl.game = game;
    impl.choose();
    impl.loaded = impl.ale.cloneState(true);
  } else {
    impl.game =
        shared_game(game_key(options, impl.rom.md5), [&impl] { return impl.load_on_fast(); });
    if (impl.fast == nullptr) impl.build_on_fast(&impl.game->properties);
    impl.restore_fast(impl.game->loaded);
    impl.rom.bytes = {};
  }
  if (options.translation != vcs::Translation::machine_code) translate(options.translation);
  impl.as_loaded = true;
  impl.previous.resize(impl.screen_bytes());
}

Emulator::~Emulator() = default;

void Emulator::Impl::load_on_ale(uint32_t seed) {
  // ALE takes -1 for "seed with the clock"; a seed has to stay one.
  const auto value = static_cast<int32_t>(seed);
  ale.setInt("random_seed", value == -1 ? 0 : value);
  build_console(nullptr);
  ale.environment->reset();
  tia = &system().tia();
  fast_update = &(tia->*member(FastUpdate{}));
}

// Does what ALEInterface::loadROM does up to its reset.
void Emulator::Impl::build_console(const ale::stella::Properties* known) {
  insert_cartridge(ale, rom.bytes, known);
  ale::stella::OSystem& host = *ale.theOSystem;
  ale.romSettings.reset(rom.settings->clone());
  ale.romSettings->modifyEnvironmentSettings(host.settings());
  ale.environment = std::make_unique<ale::StellaEnvironment>(&host, ale.romSettings.get());
  // ALE leaves these unset until the first action; a state saved before it holds nothing else.
  (*ale.environment).*member(LastStrength{}) = 1;
  (*ale.environment).*member(OtherStrength{}) = 1;
  ale.max_num_frames = options.max_frames;
}

// Does the same with our machine in the console.
void Emulator::Impl::build_on_fast(const ale::stella::Properties* known) {
  ale.setInt("random_seed", 0);
  build_console(known);
  fast = FastConsole::install(ale);
}

// The first emulator of a game: everything that the others start from.
std::shared_ptr<const Game> Emulator::Impl::load_on_fast() {
  auto found = std::make_shared<Game>();
  build_on_fast(nullptr);
  fast->draw(false);
  const ale::stella::Console& console = ale.theOSystem->console();
  found->properties = console.properties();
  found->properties.set(ale::stella::Display_Format, console.getFormat());
  find_facts(ale, *found);
  check_choices(options, *found);

  found->built = save_fast();
  ale.environment->reset();
  found->loading_draws = options.repeat_action_probability > 0 && has_drawn(ale, 0);
  choose();
  found->loaded = save_fast();

  const Mt19937 before = state_of(ale.environment->getEnvironmentRNG());
  ale.environment->reset();
  const Mt19937& after = state_of(ale.environment->getEnvironmentRNG());
  if (before == after) found->fresh = save_fast();
  fast->draw(true);
  return found;
}

void Emulator::Impl::choose() {
  if (options.mode != -1) ale.setMode(static_cast<unsigned>(options.mode));
  if (options.difficulty != -1) ale.setDifficulty(static_cast<unsigned>(options.difficulty));
}

void Emulator::reseed(uint32_t seed) {
  // ALE has two generators. The environment's (sticky actions) is seeded with `random_seed`. The
  // system's (RAM and timer at power-on) always starts from one fixed seed when a ROM is loaded, so
  // going back to the loaded state is what rewinds it. The parts of the machine that ALEState does
  // not keep are set by reset(), which has to follow.
  Impl& impl = *impl_;
  if (impl.game->loading_draws) {
    if (impl.is_fast) {
      impl.restore_fast(impl.game->built);
      impl.ale.environment->getEnvironmentRNG().seed(seed == 0xffffffffU ? 0 : seed);
      impl.ale.environment->reset();
    } else {
      impl.load_on_ale(seed);
    }
    impl.choose();
    return;
  }
  if (!impl.as_loaded) {
    if (impl.is_fast) {
      impl.restore_fast(impl.game->loaded);
    } else {
      impl.ale.restoreState(impl.loaded);
    }
  }
  impl.as_loaded = true;
  impl.ale.environment->getEnvironmentRNG().seed(seed);
}

void Emulator::reseed_game(uint32_t seed) {
  impl_->ale.environment->getEnvironmentRNG().seed(seed);
}

void Emulator::reset() {
  Impl& impl = *impl_;
  const bool first = impl.as_loaded;
  impl.as_loaded = false;
  impl.previous_kept = false;
  if (!impl.is_fast) return impl.ale.reset_game();
  if (first && !impl.game->fresh.empty()) {
    // The seed is all in which this reset would differ.
    Mt19937& random = state_of(impl.ale.environment->getEnvironmentRNG());
    const Mt19937 seeded = random;
    impl.restore_fast(impl.game->fresh);
    random = seeded;
    return;
  }
  impl.fast->draw(false);
  impl.ale.reset_game();
  impl.fast->draw(true);
}

}  // namespace pp::atari
