// SPDX-License-Identifier: GPL-2.0-only
#include "rom.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "ale/emucore/MD5.hxx"
#include "ale/emucore/Screen.hxx"
#include "ale/games/Roms.hpp"
#include "ale_private.hpp"

namespace pp::atari {
namespace {

namespace fs = std::filesystem;
using namespace ale_private;  // NOLINT: the tags of this file

std::string md5_of(const std::vector<uint8_t>& bytes) {
  return ale::stella::MD5(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

}  // namespace

Rom read_rom(const std::string& path) {
  // A string alone would be in Windows' code page.
  const fs::path rom_path = fs::u8path(path);
  std::error_code error;
  if (!fs::is_regular_file(rom_path, error)) {
    throw std::invalid_argument("there is no ROM file '" + path + "'");
  }
  // ALE reads at most this much (OSystem.cxx); the largest supported ROM is far below it.
  const auto size = fs::file_size(rom_path, error);
  if (error || size == 0 || size > 512 * 1024) {
    throw std::invalid_argument("'" + path + "' cannot be an Atari 2600 ROM: it has " +
                                std::to_string(size) + " bytes");
  }
  std::ifstream file(rom_path, std::ios::binary);
  Rom rom;
  rom.bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  rom.md5 = md5_of(rom.bytes);
  // ALEInterface::isSupportedROM would do, if it did not leak what it finds.
  rom.settings.reset(ale::buildRomRLWrapper(rom_path, rom.md5));
  if (rom.settings == nullptr || rom.settings->md5() != rom.md5) {
    throw std::invalid_argument("'" + path +
                                "' is not a ROM that ALE 0.12.1 supports (unknown MD5); the "
                                "package ale-py carries the supported ones");
  }
  return rom;
}

void insert_cartridge(ale::ALEInterface& ale, const std::vector<uint8_t>& bytes,
                      const ale::stella::Properties* known) {
  namespace stella = ale::stella;
  stella::OSystem& host = *ale.theOSystem;
  host.settings().validate();
  host.create();
  host.deleteConsole();

  const std::string md5 = md5_of(bytes);
  stella::PropertiesSet& roms = *(host.*member(KnownRoms{}));
  if (known != nullptr) roms.insert(*known, false);
  stella::Properties properties;
  roms.getMD5(md5, properties);
  if (properties.get(stella::Cartridge_Name) == "Untitled") {
    properties.set(stella::Cartridge_MD5, md5);
    properties.set(stella::Cartridge_Name, md5);
    roms.insert(properties, false);
  }
  stella::Cartridge* cartridge = nullptr;
  if (!(host.*member(QueryConsole{}))(bytes.data(), static_cast<uint32_t>(bytes.size()), md5,
                                      &cartridge, properties)) {
    throw std::invalid_argument("ALE has no cartridge of " + std::to_string(bytes.size()) +
                                " bytes");
  }
  host.*member(HostConsole{}) = new stella::Console(&host, cartridge, properties);
  host.*member(HostScreen{}) = new stella::Screen(&host);
  host.colourPalette().setPalette("standard", host.console().getFormat());
}

}  // namespace pp::atari
