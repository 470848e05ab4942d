// SPDX-License-Identifier: GPL-2.0-only
// Emulator::save and restore for ALE (emulator_state_fast.cpp has the fast engine's). ALE's own
// saved state leaves out parts of the picture chip, the bus and the action that a sticky action
// repeats; without them a restored game can take another course.

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator_impl.hpp"
#include "score_state.hpp"
#include "vcs/tia/registers.hpp"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file

// A pointer into one of TIA's constant tables, as numbers that mean the same in any process.
struct MaskPosition {
  int32_t table;
  int32_t offset;
};

struct MaskTable {
  const uint8_t* begin;
  size_t size;
};

std::array<MaskTable, 5> mask_tables() {
  const auto table = [](auto* pointer) {
    return MaskTable{reinterpret_cast<const uint8_t*>(pointer), sizeof(*pointer)};
  };
  return {table(member(TableBall{})), table(member(TableDisabled{})), table(member(TableMissile{})),
          table(member(TablePlayer{})), table(member(TablePlayfield{}))};
}

MaskPosition find_mask(const void* pointer) {
  const auto* byte = static_cast<const uint8_t*>(pointer);
  const auto tables = mask_tables();
  for (size_t i = 0; i < tables.size(); ++i) {
    if (byte >= tables[i].begin && byte < tables[i].begin + tables[i].size) {
      return {static_cast<int32_t>(i), static_cast<int32_t>(byte - tables[i].begin)};
    }
  }
  throw std::logic_error("a TIA mask points outside of every table");
}

const uint8_t* mask_at(MaskPosition position) {
  const auto tables = mask_tables();
  if (position.table < 0 || position.table >= static_cast<int>(tables.size()) ||
      position.offset < 0 || static_cast<size_t>(position.offset) >= tables[position.table].size) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  return tables[position.table].begin + position.offset;
}

using vcs::tia::line_clocks;
using vcs::tia::line_pixels;

// TIA's frame buffers (TIA.cxx). All of them is kept: rows below the screen are never shown, but
// the drawing position may point there.
constexpr int frame_buffer_lines = 300;
constexpr size_t frame_buffer_bytes = size_t{frame_buffer_lines} * line_pixels;
// The drawing position may be a line ahead.
constexpr int most_lines = frame_buffer_lines - 2;

// TIA draws, from what it has loaded, into its frame buffer without looking where. frame_offset: of
// the drawing position. Throws std::invalid_argument.
void check_beam(const ale::stella::TIA& tia, int32_t frame_offset) {
  const int64_t start = tia.*member(StartDisplay{});
  const int64_t shown = tia.*member(StopDisplay{}) - start;
  const int64_t drawn = tia.*member(LastUpdate{}) - start;
  const int to_end = tia.*member(ToEndOfLine{});
  const bool is_beam = shown >= 0 && shown <= int64_t{line_clocks} * most_lines && drawn >= 0 &&
                       drawn <= shown && to_end >= 0 && to_end <= line_clocks &&
                       frame_offset <= (drawn / line_clocks + 1) * line_pixels;
  bool are_places = true;
  for (const int16_t place :
       {tia.*member(PlaceBall{}), tia.*member(PlaceMissile0{}), tia.*member(PlaceMissile1{}),
        tia.*member(PlacePlayer0{}), tia.*member(PlacePlayer1{})}) {
    are_places = are_places && place >= 0 && place < line_pixels;
  }
  if (!is_beam || !are_places) {
    throw std::invalid_argument("the saved Atari state is damaged: no picture is drawn so");
  }
}

int32_t number_at(const std::string& state, size_t at) {
  int32_t number = -1;
  if (at + sizeof(number) <= state.size()) std::memcpy(&number, &state[at], sizeof(number));
  return number;
}

// Chips take a bank, or how many numbers follow, as they are told, and read and write there while
// ALE restores them. `own`: such a state of this console, in which every chip is at the same place.
// Throws std::invalid_argument.
void check_chips(const System& system, const std::string& own, const std::string& given) {
  const std::map<std::string, std::vector<size_t>> counts = {
      {"M6532", {0}},
      {"CartridgeE0", {0}},
      {"CartridgeF6SC", {4}},
      {"CartridgeF8SC", {4}},
      {"CartridgeDPC", {4, 40, 76, 112, 148}}};
  auto& cartridge = *find_device<ale::stella::Cartridge>(system);
  const std::string kind = cartridge.name();
  const auto behind = [&own](const std::string& chip) { return own.find(chip) + chip.size(); };
  bool is_sound = true;
  for (const std::string& chip : {std::string("M6532"), kind}) {
    const auto found = counts.find(chip);
    if (found == counts.end()) continue;
    for (const size_t at : found->second) {
      const size_t place = behind(chip) + at;
      is_sound = is_sound && number_at(given, place) == number_at(own, place);
    }
  }
  const auto expect_bank = [&](size_t at, int banks) {
    const int32_t bank = number_at(given, behind(kind) + at);
    is_sound = is_sound && bank >= 0 && bank < banks;
  };
  if (kind == "CartridgeE0") {  // four slices of eight, behind their count
    for (const size_t at : {4, 8, 12, 16}) expect_bank(at, 8);
  } else if (cartridge.bankCount() > 1) {
    expect_bank(0, cartridge.bankCount());
  }
  if (!is_sound) {
    throw std::invalid_argument(
        "the saved Atari state is damaged: a chip has no such bank, or not so much memory");
  }
}

// The state that ALEState leaves out. It is plain data, written to the saved state as it is.
struct Extra {
  uint32_t magic;
  int32_t screen_height;
  int32_t last_action;
  float last_strength;
  int32_t frame_offset;  // offset of the drawing position in the current frame buffer
  uint8_t partial_frame;
  uint8_t frame_greyed;
  uint8_t bus_state;
  uint8_t previous_kept;  // 1: the screen before is at the end
  std::array<MaskPosition, 6> masks;
  std::array<char, 32> rom_md5;
  ScoreState score;
  uint64_t ale_bytes;  // length of ALE's own state, which follows the two screens
};
constexpr uint32_t ale_magic = 0x33415050;  // "PPA3"

}  // namespace

std::string Emulator::save() const {
  const Impl& impl = *impl_;
  if (impl.is_fast) return impl.save_fast();
  const ale::stella::TIA& tia = *impl.tia;
  const std::string machine = impl.ale.environment->cloneState(true).serialize();

  Extra extra{};
  extra.magic = ale_magic;
  extra.screen_height = impl.game->screen_height;
  extra.last_action = (*impl.ale.environment).*member(LastAction{});
  extra.last_strength = (*impl.ale.environment).*member(LastStrength{});
  extra.frame_offset = static_cast<int32_t>(tia.*member(FramePointer{}) - tia.currentFrameBuffer());
  extra.partial_frame = tia.*member(PartialFrame{});
  extra.frame_greyed = tia.*member(FrameGreyed{});
  extra.bus_state = impl.system().*member(BusState{});
  extra.previous_kept = impl.previous_kept;
  extra.masks = {find_mask(tia.*member(MaskBall{})),     find_mask(tia.*member(MaskMissile0{})),
                 find_mask(tia.*member(MaskMissile1{})), find_mask(tia.*member(MaskPlayer0{})),
                 find_mask(tia.*member(MaskPlayer1{})),  find_mask(tia.*member(MaskPlayfield{}))};
  extra.rom_md5 = impl.rom_md5();
  extra.score = save_score(*impl.ale.romSettings);
  extra.ale_bytes = machine.size();

  std::string state;
  state.reserve(sizeof(extra) + 2 * frame_buffer_bytes + machine.size());
  state.append(reinterpret_cast<const char*>(&extra), sizeof(extra));
  state.append(reinterpret_cast<const char*>(tia.currentFrameBuffer()), frame_buffer_bytes);
  state.append(reinterpret_cast<const char*>(tia.previousFrameBuffer()), frame_buffer_bytes);
  state.append(machine);
  if (impl.previous_kept) {
    state.append(reinterpret_cast<const char*>(impl.previous.data()), impl.previous.size());
  }
  return state;
}

void Emulator::restore(const std::string& state) {
  Impl& impl = *impl_;
  if (impl.is_fast) {
    impl.check_play(state);
    impl.restore_fast(state);
    impl.as_loaded = false;
    return;
  }
  ale::stella::TIA& tia = *impl.tia;
  Extra extra;
  constexpr size_t head_bytes = sizeof(Extra) + 2 * frame_buffer_bytes;
  if (state.size() < head_bytes) throw std::invalid_argument("this is not a saved Atari state");
  std::memcpy(&extra, state.data(), sizeof(extra));
  const size_t kept = extra.previous_kept != 0 ? impl.previous.size() : 0;
  if (extra.magic != ale_magic || state.size() != head_bytes + extra.ale_bytes + kept) {
    throw std::invalid_argument("this is not a saved Atari state");
  }
  if (extra.rom_md5 != impl.rom_md5() || extra.screen_height != impl.game->screen_height) {
    throw std::invalid_argument("the saved Atari state is of another game");
  }
  if (extra.last_action < 0 || extra.last_action >= action_count || extra.frame_offset < 0 ||
      static_cast<size_t>(extra.frame_offset) > frame_buffer_bytes) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  std::array<const uint8_t*, 6> masks;
  for (size_t i = 0; i < masks.size(); ++i) masks[i] = mask_at(extra.masks[i]);

  const std::string machine = state.substr(head_bytes, extra.ale_bytes);
  check_chips(impl.system(), impl.ale.environment->cloneState(true).serialize(), machine);

  impl.as_loaded = false;
  impl.previous_kept = kept != 0;
  std::memcpy(impl.previous.data(), state.data() + state.size() - kept, kept);
  impl.ale.environment->restoreState(ale::ALEState(machine));
  check_beam(tia, extra.frame_offset);
  restore_score(*impl.ale.romSettings, extra.score);
  (*impl.ale.environment).*member(LastAction{}) = static_cast<ale::Action>(extra.last_action);
  (*impl.ale.environment).*member(LastStrength{}) = extra.last_strength;
  std::memcpy(tia.currentFrameBuffer(), state.data() + sizeof(extra), frame_buffer_bytes);
  std::memcpy(tia.previousFrameBuffer(), state.data() + sizeof(extra) + frame_buffer_bytes,
              frame_buffer_bytes);
  tia.*member(FramePointer{}) = tia.currentFrameBuffer() + extra.frame_offset;
  tia.*member(PartialFrame{}) = extra.partial_frame != 0;
  tia.*member(FrameGreyed{}) = extra.frame_greyed != 0;
  tia.*member(MaskBall{}) = masks[0];
  tia.*member(MaskMissile0{}) = masks[1];
  tia.*member(MaskMissile1{}) = masks[2];
  tia.*member(MaskPlayer0{}) = masks[3];
  tia.*member(MaskPlayer1{}) = masks[4];
  tia.*member(MaskPlayfield{}) = reinterpret_cast<const uint32_t*>(masks[5]);
  // Last, because reading the RAM back in restoreState went over the bus.
  impl.system().*member(BusState{}) = extra.bus_state;
}

}  // namespace pp::atari
