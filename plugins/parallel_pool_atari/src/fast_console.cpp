// SPDX-License-Identifier: GPL-2.0-only
#include "fast_console.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "ale/emucore/Cart.hxx"
#include "ale/emucore/CartDPC.hxx"
#include "ale/emucore/Console.hxx"
#include "ale/emucore/Control.hxx"
#include "ale/emucore/M6532.hxx"
#include "ale/emucore/Switches.hxx"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file
namespace stella = ale::stella;

// ALE tells what it found in the ROM in the text that describes the cartridge.
vcs::Scheme scheme_of(const stella::Cartridge& cartridge) {
  const std::string& about = cartridge.about();
  const auto type = [&about] {
    size_t begin = about.find("==> ");
    constexpr const char* label = "Bankswitch Type: ";
    begin = begin != std::string::npos ? begin + 4
                                       : about.find(label) + std::char_traits<char>::length(label);
    return about.substr(begin, about.find_first_of(" \n", begin) - begin);
  }();
  // "F8 swapped" is one word less than its name, and is told by its other text.
  if (about.find("F8 swapped") != std::string::npos) return vcs::Scheme::f8_swapped;
  for (const vcs::Scheme scheme :
       {vcs::Scheme::plain_2k, vcs::Scheme::plain_4k, vcs::Scheme::f8, vcs::Scheme::f6,
        vcs::Scheme::f8sc, vcs::Scheme::f6sc, vcs::Scheme::e0, vcs::Scheme::fe, vcs::Scheme::dpc}) {
    if (type == vcs::name(scheme)) return scheme;
  }
  throw std::invalid_argument("the fast engine has no cartridge of the type '" + type + "'");
}

std::vector<uint8_t> image_of(stella::Cartridge& cartridge) {
  int size = 0;
  const uint8_t* image = cartridge.getImage(size);
  return {image, image + size};
}

vcs::Television television_of(const stella::Console& console) {
  const stella::Properties& properties = console.properties();
  vcs::Television tv;
  tv.first_line = std::atoi(properties.get(stella::Display_YStart).c_str());
  tv.height = std::atoi(properties.get(stella::Display_Height).c_str());
  tv.pal = console.getFormat().compare(0, 3, "PAL") == 0;
  tv.most_lines = tv.pal ? 342 : 290;
  tv.hmove_blank = properties.get(stella::Emulation_HmoveBlanks) == "YES";
  return tv;
}

// Reads the environment variable PARALLEL_POOL_ATARI_TRANSLATE.
vcs::Translation translation_asked_for() {
  const char* asked = std::getenv("PARALLEL_POOL_ATARI_TRANSLATE");
  const std::string what = asked == nullptr ? "" : asked;
  if (what == "0" || what == "none") return vcs::Translation::none;
  if (what == "blocks") return vcs::Translation::blocks;
  return vcs::Translation::machine_code;
}

}  // namespace

FastConsole* FastConsole::install(ale::ALEInterface& ale) {
  stella::Console& console = ale.theOSystem->console();
  stella::System& system = console.system();
  auto& cartridge = *find_device<stella::Cartridge>(system);
  auto fast =
      std::unique_ptr<FastConsole>(new FastConsole(console, cartridge, scheme_of(cartridge)));
  fast->machine().translate(translation_asked_for());
  console.*member(Source{}) = fast.get();
  system.attach(fast.get());
  return fast.release();
}

FastConsole::FastConsole(stella::Console& console, stella::Cartridge& cartridge, vcs::Scheme scheme)
    : console_(console),
      height_(console.mediaSource().height()),
      machine_(vcs::Cartridge(scheme, image_of(cartridge)), television_of(console)) {
  stella::System& system = console.system();
  riot_ = find_device<stella::M6532>(system);
  // A power cycle leaves RAM, a frame that was not finished, the display processor.
  vcs::MachineState state = machine_.state();
  for (uint16_t i = 0; i < vcs::ram_bytes; ++i) state.riot.ram[i] = system.peek(0x80 + i);
  const stella::TIA& tia = system.tia();
  state.tia.unfinished = tia.*member(PartialFrame{});
  state.tia.greyed = tia.*member(FrameGreyed{});
  if (const auto* dpc = dynamic_cast<const stella::CartridgeDPC*>(&cartridge)) {
    vcs::DpcState& to = state.cartridge.dpc;
    for (size_t x = 0; x < 8; ++x) {
      to.top[x] = (dpc->*member(DpcTops{}))[x];
      to.bottom[x] = (dpc->*member(DpcBottoms{}))[x];
      to.counter[x] = (dpc->*member(DpcCounters{}))[x];
      to.flag[x] = (dpc->*member(DpcFlags{}))[x];
    }
    for (size_t v = 0; v < 3; ++v) to.music[v] = (dpc->*member(DpcMusic{}))[v];
    to.random = dpc->*member(DpcRandom{});
  }
  machine_.set_state(state);
  if (scheme == vcs::Scheme::f8sc || scheme == vcs::Scheme::f6sc) {
    cartridge_ram_ = system.getPageAccess(0x1080 >> system.pageShift()).directPeekBase;
  }
}

// Games' rewards and lives are read through these pages.
void FastConsole::install(stella::System& system) {
  const int shift = system.pageShift();
  const auto map = [&](int address, uint8_t* memory, bool writable) {
    stella::System::PageAccess access = system.getPageAccess(address >> shift);
    access.directPeekBase = memory;
    if (writable) access.directPokeBase = memory;
    system.setPageAccess(address >> shift, access);
  };
  for (int address = 0; address < 0x2000; address += 1 << shift) {
    if ((address & 0x1280) == 0x0080) map(address, machine_.ram() + (address & 0x7f), true);
    if (cartridge_ram_ != nullptr && (address & 0x1f80) == 0x1080) {
      map(address, machine_.cartridge_ram() + (address & 0x7f), false);
    }
  }
}

void FastConsole::reset() {
  machine_.power_on(riot_->*member(RiotTimer{}), cartridge_ram_);
}

vcs::PaddleLine FastConsole::paddle(stella::Controller& port, stella::Controller::AnalogPin pin) {
  const int resistance = port.read(pin);
  if (resistance == stella::Controller::minimumResistance) return {vcs::PaddleLine::shorted, 0};
  if (resistance == stella::Controller::maximumResistance) return {vcs::PaddleLine::open, 0};
  // Stella's time until a capacitor of 0.01 uF is charged through the paddle.
  const double seconds = 1.6 * resistance * 0.01E-6;
  return {vcs::PaddleLine::charging, static_cast<uint32_t>(seconds * 1.19E6)};
}

void FastConsole::read_pins() {
  using Controller = stella::Controller;
  Controller& left = console_.controller(Controller::Left);
  Controller& right = console_.controller(Controller::Right);
  const auto stick = [](Controller& port) {
    unsigned lines = 0;
    if (port.read(Controller::One)) lines |= 1;
    if (port.read(Controller::Two)) lines |= 2;
    if (port.read(Controller::Three)) lines |= 4;
    if (port.read(Controller::Four)) lines |= 8;
    return lines;
  };
  pins_.joysticks = static_cast<uint8_t>(stick(left) << 4 | stick(right));
  pins_.switches = console_.switches().read();
  pins_.triggers = {left.read(Controller::Six), right.read(Controller::Six)};
  pins_.paddles = {paddle(left, Controller::Nine), paddle(left, Controller::Five),
                   paddle(right, Controller::Nine), paddle(right, Controller::Five)};
}

void FastConsole::update() {
  read_pins();
  machine_.run_frame(pins_, drawn_);
}

uint8_t* FastConsole::currentFrameBuffer() const {
  return const_cast<uint8_t*>(machine_.screen());  // ALE's interface; ALE only reads
}
uint8_t* FastConsole::previousFrameBuffer() const {
  return const_cast<uint8_t*>(machine_.previous_screen());
}
uint32_t FastConsole::scanlines() const {
  return static_cast<uint32_t>(machine_.state().tia.lines);
}

}  // namespace pp::atari
