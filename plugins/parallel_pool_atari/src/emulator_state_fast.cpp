// Saved states of the fast engine: our machine as it lies in memory, both screens, and what ALE
// keeps of the play (random numbers, score, lives, paddles, frame counts).

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "emulator_impl.hpp"
#include "score_state.hpp"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file

struct Head {
  std::uint32_t magic;
  std::int32_t last_action, other_action;
  float last_strength, other_strength;
  std::array<char, 32> rom_md5;
  ScoreState score;
  std::uint64_t ale_bytes;  // length of ALE's own state, at the end
  vcs::MachineState machine;
};
static_assert(std::is_trivially_copyable_v<Head>);

constexpr std::uint32_t kMagic = 0x31465050;  // "PPF1"
constexpr std::size_t kScreens = 2 * vcs::Machine::kScreenBytes;
constexpr std::size_t kFixed = sizeof(Head) + kScreens;

}  // namespace

std::string Emulator::Impl::save_fast() const {
  ale::StellaEnvironment& environment = *ale.environment;
  const std::string play = environment.cloneState(true).serialize();
  vcs::Machine& machine = fast->machine();

  std::string state(kFixed + play.size(), '\0');
  // First, because it may draw, which leaves the machine as it is but for the marks of what is
  // drawn.
  machine.copy_screens(reinterpret_cast<std::uint8_t*>(&state[sizeof(Head)]));
  Head head;
  std::memset(&head, 0, sizeof(head));
  head.magic = kMagic;
  head.last_action = environment.*member(LastAction{});
  head.other_action = environment.*member(OtherAction{});
  head.last_strength = environment.*member(LastStrength{});
  head.other_strength = environment.*member(OtherStrength{});
  head.rom_md5 = rom_md5();
  head.score = save_score(*ale.romSettings);
  head.ale_bytes = play.size();
  std::memcpy(&head.machine, &machine.state(), sizeof(head.machine));
  std::memcpy(&state[0], &head, sizeof(head));
  std::memcpy(&state[kFixed], play.data(), play.size());
  return state;
}

void Emulator::Impl::restore_fast(const std::string& state) {
  Head head;
  if (state.size() < kFixed) throw std::invalid_argument("this is not a saved Atari state");
  std::memcpy(&head, state.data(), sizeof(head));
  if (head.magic != kMagic || state.size() != kFixed + head.ale_bytes) {
    throw std::invalid_argument("this is not a saved Atari state of the fast engine");
  }
  if (head.rom_md5 != rom_md5()) {
    throw std::invalid_argument("the saved Atari state is of another game");
  }
  const auto valid = [](std::int32_t action, int first) {
    return action >= first && action < first + kActionCount;
  };
  if (!valid(head.last_action, ale::PLAYER_A_NOOP) ||
      !valid(head.other_action, ale::PLAYER_B_NOOP) || !fast->machine().is_safe(head.machine)) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  vcs::Machine& machine = fast->machine();
  machine.set_state(head.machine);
  machine.set_screens(reinterpret_cast<const std::uint8_t*>(&state[sizeof(Head)]));
  ale::StellaEnvironment& environment = *ale.environment;
  environment.restoreState(ale::ALEState(state.substr(kFixed)));
  restore_score(*ale.romSettings, head.score);
  environment.*member(LastAction{}) = static_cast<ale::Action>(head.last_action);
  environment.*member(OtherAction{}) = static_cast<ale::Action>(head.other_action);
  environment.*member(LastStrength{}) = head.last_strength;
  environment.*member(OtherStrength{}) = head.other_strength;
}

}  // namespace pp::atari
