// SPDX-License-Identifier: GPL-2.0-only
// Saved states of the fast engine: our machine as it lies in memory, what draws its two screens (or
// their pixels, in the rare case that no single frame does), and what ALE keeps of the play: random
// numbers, score, lives, paddles, frame counts. ALE's idle chips are no part of it: the next reset
// sets them.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "ale_random.hpp"
#include "emulator_impl.hpp"
#include "score_state.hpp"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file
using vcs::Machine;

constexpr uint32_t fast_magic = 0x32465050;  // "PPF2"
constexpr Machine::Which screens[] = {Machine::Which::screen, Machine::Which::previous_screen};

struct Head {
  uint32_t magic;
  uint32_t game_bytes;  // bytes that ALE's game keeps, at the end
  std::array<char, 32> rom_md5;
  int32_t last_action, other_action;
  float last_strength, other_strength;
  int32_t left_paddle, right_paddle, frame_number, episode_frame_number;
  uint32_t mode, difficulty;
  ScoreState score;
  uint8_t previous_kept;
  std::array<Machine::Shown, 2> shown;
  Mt19937 random, system_random;
  vcs::MachineState machine;
};
static_assert(std::is_trivially_copyable_v<Head>);
static_assert(std::is_trivially_copyable_v<vcs::Pins>);

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(why);
}

Head read_head(const std::string& state) {
  Head head;
  if (state.size() < sizeof(head)) refuse("this is not a saved Atari state of the fast engine");
  std::memcpy(&head, state.data(), sizeof(head));
  if (head.magic != fast_magic) refuse("this is not a saved Atari state of the fast engine");
  return head;
}

// The bytes that follow the head, taken in order.
class Rest {
 public:
  explicit Rest(const std::string& state) : at_(sizeof(Head)), state_(state) {}
  const char* take(size_t size) {
    if (size > state_.size() - at_) refuse_length();
    return state_.data() + (at_ += size) - size;
  }
  void end() const {
    if (at_ != state_.size()) refuse_length();
  }

 private:
  [[noreturn]] static void refuse_length() {
    refuse("this is not a saved Atari state: its length is wrong");
  }

  size_t at_;
  const std::string& state_;
};

// Bytes that are no bool and no PaddleLine::Kind must not become one.
bool is_safe(const vcs::Pins& pins) {
  for (const bool& trigger : pins.triggers) {
    uint8_t byte;
    std::memcpy(&byte, &trigger, 1);
    if (byte > 1) return false;
  }
  for (const vcs::PaddleLine& paddle : pins.paddles) {
    if (paddle.kind > vcs::PaddleLine::charging) return false;
  }
  return true;
}

template <class T>
void append(std::string& state, const T* data, size_t size) {
  state.append(reinterpret_cast<const char*>(data), size);
}

}  // namespace

std::string Emulator::Impl::save_fast() const {
  const ale::StellaEnvironment& environment = *ale.environment;
  const ale::ALEState& play = environment.*member(PlayState{});
  Machine& machine = fast->machine();
  ale::stella::Serializer game_state;
  ale.romSettings->saveState(game_state);
  const std::string kept_by_game = game_state.get_str();

  Head head;
  std::memset(&head, 0, sizeof(head));
  head.magic = fast_magic;
  head.game_bytes = static_cast<uint32_t>(kept_by_game.size());
  head.rom_md5 = rom_md5();
  head.last_action = environment.*member(LastAction{});
  head.other_action = environment.*member(OtherAction{});
  head.last_strength = environment.*member(LastStrength{});
  head.other_strength = environment.*member(OtherStrength{});
  head.left_paddle = play.*member(LeftPaddle{});
  head.right_paddle = play.*member(RightPaddle{});
  head.frame_number = play.*member(FrameNumber{});
  head.episode_frame_number = play.*member(EpisodeFrameNumber{});
  head.mode = play.*member(Mode{});
  head.difficulty = play.*member(Difficulty{});
  head.score = save_score(*ale.romSettings);
  head.previous_kept = previous_kept;
  head.random = state_of(ale.environment->getEnvironmentRNG());
  head.system_random = state_of(system().rng());
  for (int i = 0; i < 2; ++i) head.shown[i] = machine.shown(screens[i]);
  std::memcpy(&head.machine, &machine.state(), sizeof(head.machine));

  std::string state;
  state.reserve(sizeof(head) + 2 * sizeof(vcs::Picture) + kept_by_game.size());
  append(state, &head, sizeof(head));
  for (const Machine::Which which : screens) {
    if (machine.shown(which) == Machine::Shown::picture) {
      append(state, &machine.picture(which).before, sizeof(vcs::MachineState));
      append(state, &machine.picture(which).pins, sizeof(vcs::Pins));
    } else if (machine.shown(which) == Machine::Shown::pixels) {
      append(state, machine.pixels(which), machine.screen_bytes());
    }
  }
  if (previous_kept) append(state, previous.data(), previous.size());
  return state += kept_by_game;
}

void Emulator::Impl::check_play(const std::string& state) const {
  const Head head = read_head(state);
  const ale::ALEState& play = (*ale.environment).*member(PlayState{});
  const auto within = [](const char* name, double value, double low, double high) {
    if (value >= low && value <= high) return;
    refuse("the saved Atari state is damaged: " + std::string(name) + " is " +
           std::to_string(value) + ", expected " + std::to_string(low) + " .. " +
           std::to_string(high));
  };
  // The next reset plays in this mode, and an unknown one stops it.
  const double mode = play.*member(Mode{});
  const double difficulty = play.*member(Difficulty{});
  within("mode", head.mode, mode, mode);
  within("difficulty", head.difficulty, difficulty, difficulty);
  for (const float strength : {head.last_strength, head.other_strength}) {
    within("strength", static_cast<double>(strength), 0, 1);
  }
  // Sums of these and of a move, or of some frames, are numbers too.
  constexpr double most = INT32_MAX - (1 << 20);
  for (const int32_t paddle : {head.left_paddle, head.right_paddle}) {
    within("paddle", paddle, 0, most);
  }
  within("frame_number", head.frame_number, 0, most);
  within("episode_frame_number", head.episode_frame_number, 0, most);
  for (const Mt19937& random : {head.random, head.system_random}) {
    if (!random.is_sound()) refuse("the saved Atari state is damaged: its random numbers");
  }
}

void Emulator::Impl::restore_fast(const std::string& state) {
  const Head head = read_head(state);
  if (head.rom_md5 != rom_md5()) refuse("the saved Atari state is of another game");
  const auto valid = [](int32_t action, int first) {
    return action >= first && action < first + action_count;
  };
  Machine& machine = fast->machine();
  if (!valid(head.last_action, ale::PLAYER_A_NOOP) ||
      !valid(head.other_action, ale::PLAYER_B_NOOP) || !machine.is_safe(head.machine)) {
    refuse("the saved Atari state is damaged");
  }

  Rest rest(state);
  std::array<vcs::Picture, 2> pictures;
  std::array<const char*, 2> pixels{};
  for (int i = 0; i < 2; ++i) {
    if (head.shown[i] == Machine::Shown::picture) {
      const char* before = rest.take(sizeof(vcs::MachineState));
      std::memcpy(&pictures[i].before, before, sizeof(vcs::MachineState));
      std::memcpy(&pictures[i].pins, rest.take(sizeof(vcs::Pins)), sizeof(vcs::Pins));
      if (!machine.is_safe(pictures[i].before) || !is_safe(pictures[i].pins)) {
        refuse("the saved Atari state is damaged");
      }
    } else if (head.shown[i] == Machine::Shown::pixels) {
      pixels[i] = rest.take(machine.screen_bytes());
    }
  }
  const char* shown_before = head.previous_kept != 0 ? rest.take(previous.size()) : nullptr;
  const std::string kept_by_game(rest.take(head.game_bytes), head.game_bytes);
  rest.end();

  machine.set_state(head.machine);
  for (int i = 0; i < 2; ++i) {
    if (head.shown[i] == Machine::Shown::picture) {
      machine.set_picture(screens[i], pictures[i]);
    } else if (pixels[i] != nullptr) {
      machine.set_pixels(screens[i], reinterpret_cast<const uint8_t*>(pixels[i]));
    } else {
      machine.set_black(screens[i]);
    }
  }
  previous_kept = shown_before != nullptr;
  if (previous_kept) std::memcpy(previous.data(), shown_before, previous.size());

  ale::stella::Deserializer game_state(kept_by_game);
  ale.romSettings->loadState(game_state);
  restore_score(*ale.romSettings, head.score);
  ale::StellaEnvironment& environment = *ale.environment;
  state_of(environment.getEnvironmentRNG()) = head.random;
  state_of(system().rng()) = head.system_random;
  environment.*member(LastAction{}) = static_cast<ale::Action>(head.last_action);
  environment.*member(OtherAction{}) = static_cast<ale::Action>(head.other_action);
  environment.*member(LastStrength{}) = head.last_strength;
  environment.*member(OtherStrength{}) = head.other_strength;
  ale::ALEState& play = environment.*member(PlayState{});
  play.*member(LeftPaddle{}) = head.left_paddle;
  play.*member(RightPaddle{}) = head.right_paddle;
  play.*member(FrameNumber{}) = head.frame_number;
  play.*member(EpisodeFrameNumber{}) = head.episode_frame_number;
  play.*member(Mode{}) = head.mode;
  play.*member(Difficulty{}) = head.difficulty;
}

}  // namespace pp::atari
