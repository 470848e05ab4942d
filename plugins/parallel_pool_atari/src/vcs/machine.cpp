// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cpu6507/fast_cpu.hpp"
#include "cpu6507/instructions.hpp"
#include "translator/run_frame.hpp"

namespace pp::atari::vcs {
namespace {

// The instructions that a call may execute take more than this many cycles.
constexpr uint32_t budget = Machine::most_instructions * cpu6507::fewest_cycles - 100;
// A game that shortens a frame seldom does so again within the next ones, and if it does, the frame
// is emulated twice.
constexpr int draw_all_for = 8;

}  // namespace

Machine::Machine(Cartridge cartridge, const Television& tv)
    : cartridge_(std::move(cartridge)),
      tv_(tv),
      painter_(tia::painter(tia::best_instruction_set())),
      screens_(2 * buffer_bytes) {
  // One row more than the picture, because the end of its last line belongs to the next one.
  if (tv.first_line < 0 || tv.height < 1 || tv.first_line + tv.height >= tia::buffer_rows) {
    throw std::invalid_argument("a picture of so many lines does not fit");
  }
  tia::power_on(state_.tia, tv_);  // a state that can be saved before the first reset
  translate(Translation::machine_code);
}

void Machine::translate(Translation translation) {
  if (translation == Translation::none) {
    program_ = nullptr;
  } else if (program_ == nullptr) {
    program_ = translator::Program::of(cartridge_);
  }
  machine_code_ = translation == Translation::machine_code;
}

void Machine::power_on(uint32_t timer, const uint8_t* cartridge_ram) {
  RiotState& riot = state_.riot;
  const auto ram = riot.ram;
  riot = RiotState{};
  riot.ram = ram;
  riot.timer = timer;
  riot.interval_shift = 6;
  tia::power_on(state_.tia, tv_);
  cartridge_.power_on(state_.cartridge, cartridge_ram);
  CpuState& cpu = state_.cpu;
  cpu = CpuState{};
  cpu.sp = 0xff;
  cpu.nonzero = 1;
  const unsigned low = cartridge_.read(state_.cartridge, 0xfffc, 0);
  cpu.on_bus = cartridge_.read(state_.cartridge, 0xfffd, 0);
  cpu.pc = static_cast<uint16_t>(low | unsigned{cpu.on_bus} << 8);
  blacken(0);
  blacken(1);
}

void Machine::blacken(unsigned which) {
  Origin& origin = origins_[which];
  if (origin.shown != Shown::black) std::fill_n(buffer(which), buffer_bytes, uint8_t{0});
  origin.shown = Shown::black;
  origin.waits = false;
}

Bus Machine::bus(const Pins& pins, bool draw, bool eager) {
  tia::begin_line(state_.tia, line_);
  return {
      state_, cartridge_, tv_, pins, {buffer(state_.tia.buffer), painter_, draw, eager, &line_}};
}

// A frame begins, unless one is going on.
void Machine::begin() {
  TiaState& tia = state_.tia;
  if (tia.unfinished == 0) {
    const uint32_t cycles = state_.cpu.cycles;
    tia::start_frame(tia, tv_, cycles);
    state_.riot.timer_set -= cycles;
    state_.riot.interrupt_read -= cycles;
    Cartridge::rebase(state_.cartridge, cycles);
    state_.cpu.cycles = 0;
  }
  tia.unfinished = 1;
  tia.frame_done = 0;
}

// ALE's way in all details: drawn at each access, and instructions counted.
void Machine::run_eagerly(const Pins& pins) {
  begin();
  Bus slow = bus(pins, true, true);
  if (state_.cpu.jammed == 0) cpu6507::run_frame(slow, UINT32_MAX, most_instructions);
}

// Returns true if ALE would leave pixels beyond the end of the frame that only run_eagerly draws:
// it ended in mid-picture, between two pixels that Stella draws at once, or where an HMOVE blanks
// the line.
bool Machine::shows_leftovers() const {
  const TiaState& tia = state_.tia;
  if (tia::picture_complete(tia) || tia.drawn_until <= tia.display_start) return false;
  const int clocks = tia::line_clocks - tia.line_left;
  // Each write in the blank of such a line leaves black pixels, up to this far.
  const bool blanked_late = between(tia.last_hmove, tia.drawn_until) < 2 * tia::line_clocks;
  constexpr int furthest = 2 * tia::blank_clocks + tia::hmove_blank_pixels;
  if (blanked_late && clocks < furthest) return true;
  return clocks > tia::blank_clocks && clocks % 4 != 0;
}

// Returns true if what it emulated is drawn.
bool Machine::run(const Pins& pins, bool draw) {
  // A program that has not finished a frame within a call seldom finishes it within the next.
  if (state_.cpu.jammed == 0 && state_.tia.unfinished == 0) {
    const MachineState before = state_;
    begin();
    Bus fast = bus(pins, draw, false);
    const bool done = program_ != nullptr
                          ? translator::run_frame(fast, *program_, machine_code_, budget)
                          : cpu6507::run_frame(fast, budget);
    if (done && !(draw && shows_leftovers())) {
      tia::draw_line(state_.tia, fast.canvas);
      return draw;
    }
    // Not within what a call may execute, or with an end that has to be drawn with care.
    state_ = before;
    cartridge_.follow(state_.cartridge);
  }
  run_eagerly(pins);
  return true;
}

void Machine::run_frame(const Pins& pins, bool drawn) {
  if (draw_all_for_ > 0) --draw_all_for_;
  const MachineState before = state_;
  const bool drew = run(pins, drawn || draw_all_for_ > 0);
  TiaState& tia = state_.tia;
  const bool complete = tia.unfinished == 0 && tia::picture_complete(tia);
  Origin& origin = origins_[tia.buffer];
  if (complete) {
    origin.waits = !drew;
    // Only a frame that one call began and ended can be drawn again.
    origin.shown = before.tia.unfinished == 0 ? Shown::picture : Shown::pixels;
    origin.picture.before = before;
    origin.picture.pins = pins;
  } else {
    // Below the end of this frame, the buffer's older contents stay visible.
    draw_all_for_ = draw_all_for;
    if (!drew || origin.waits) {
      if (origin.waits) draw_waiting(tia.buffer);
      state_ = before;
      cartridge_.follow(state_.cartridge);
      run(pins, true);
    }
    origin.shown = Shown::pixels;
    if (state_.tia.unfinished != 0) grey_out();
  }
  // ALE looks through RAM between frames.
  state_.cpu.on_bus = state_.riot.ram.back();
  if (state_.tia.unfinished == 0) {
    TiaState& ended = state_.tia;
    const uint32_t clocks =
        static_cast<uint32_t>(between(ended.frame_start, clock_of(state_.cpu.cycles)));
    ended.lines = static_cast<int32_t>(clocks / uint32_t{tia::line_clocks});
    ended.greyed = 0;
  }
}

// Draws the frame that was not drawn into its buffer. Leaves any state.
void Machine::draw_waiting(unsigned which) {
  Origin& origin = origins_[which];
  origin.waits = false;
  state_ = origin.picture.before;
  cartridge_.follow(state_.cartridge);
  run(origin.picture.pins, true);
}

void Machine::draw(const Picture& picture, uint8_t* out) {
  const MachineState now = state_;
  std::vector<uint8_t> kept(screens_.size());
  kept.swap(screens_);
  state_ = picture.before;
  cartridge_.follow(state_.cartridge);
  run(picture.pins, true);
  std::memcpy(out, screen(), screen_bytes());
  kept.swap(screens_);
  state_ = now;
  cartridge_.follow(state_.cartridge);
}

// An unfinished frame is shown dark from the line on that it has come to.
void Machine::grey_out() {
  TiaState& tia = state_.tia;
  if (tia.greyed != 0) return;
  tia.greyed = 1;
  const auto clocks = static_cast<uint32_t>(between(tia.frame_start, clock_of(state_.cpu.cycles)));
  const auto first = std::max<int64_t>(clocks / tia::line_clocks, tv_.first_line);
  uint8_t* pixels = buffer(tia.buffer);
  for (int64_t line = first; line < tv_.first_line + tv_.height; ++line) {
    uint8_t* row = pixels + (line - tv_.first_line) * tia::line_pixels;
    for (int x = 0; x < tia::line_pixels; ++x) row[x] = (row[x] & 0x0f) >> 1;
  }
}

bool Machine::is_safe(const MachineState& state) const {
  const TiaState& t = state.tia;
  const auto& objects = t.position;
  const bool placed = std::all_of(objects.begin(), objects.end(),
                                  [](int x) { return x >= 0 && x < tia::line_pixels; });
  const bool moved = std::all_of(t.hm.begin(), t.hm.end(), [](int hm) { return hm < 16; });
  const bool timed = t.frame_start > -tia::line_clocks && t.frame_start <= 0 &&
                     t.display_start == t.frame_start + tia::line_clocks * tv_.first_line &&
                     t.display_stop == t.display_start + tia::line_clocks * tv_.height &&
                     t.drawn_until >= t.frame_start && t.drawn_until <= t.display_stop &&
                     t.line_left >= 0 && t.line_left <= tia::line_clocks;
  if (!placed || !moved || !timed) return false;
  const int lines_left = (t.display_stop - t.drawn_until) / tia::line_clocks + 2;
  const bool inside = t.row >= 0 && t.row % tia::line_pixels == 0 &&
                      t.row / tia::line_pixels + lines_left <= tia::buffer_rows;
  return inside && t.buffer < 2 && t.cosmic_phase < 4 && t.enabled < (1 << object_count) &&
         t.missile0_shape <= MissileShape::hidden && state.riot.timer < 256 &&
         state.riot.interval_shift <= 10 && cartridge_.is_safe(state.cartridge);
}

void Machine::set_state(const MachineState& state) {
  state_ = state;
  cartridge_.follow(state_.cartridge);
}

void Machine::set_picture(Which which, const Picture& picture) {
  Origin& origin = origins_[index(which)];
  origin.shown = Shown::picture;
  origin.waits = true;
  origin.picture = picture;
  // The frame is drawn there, and a damaged state may tell otherwise.
  origin.picture.before.tia.buffer = static_cast<uint8_t>(index(which) ^ 1U);
}

void Machine::set_pixels(Which which, const uint8_t* pixels) {
  Origin& origin = origins_[index(which)];
  origin.shown = Shown::pixels;
  origin.waits = false;
  std::memcpy(buffer(index(which)), pixels, screen_bytes());
}

void Machine::draw_screens() {
  if (!origins_[0].waits && !origins_[1].waits) return;
  const MachineState now = state_;
  for (unsigned which = 0; which < 2; ++which) {
    if (origins_[which].waits) draw_waiting(which);
  }
  state_ = now;
  cartridge_.follow(state_.cartridge);
}

}  // namespace pp::atari::vcs
