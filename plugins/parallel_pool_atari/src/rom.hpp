// SPDX-License-Identifier: GPL-2.0-only
// A ROM file, read once: what was checked is what ALE gets, whatever becomes of the file.

#ifndef PARALLEL_POOL_ATARI_ROM_HPP_
#define PARALLEL_POOL_ATARI_ROM_HPP_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ale/ale_interface.hpp"
#include "ale/emucore/Props.hxx"

namespace pp::atari {

struct Rom {
  std::vector<uint8_t> bytes;
  std::string md5;
  std::unique_ptr<ale::RomSettings> settings;
};

// Throws std::invalid_argument naming the file, which is UTF-8, if ALE does not support the ROM.
Rom read_rom(const std::string& path);

// Puts a cartridge into a new console, as ALEInterface::loadROM does with a file. That function
// ends the process if the file is gone or of a size that ALE does not know; this one throws
// std::invalid_argument. ALE emulates a second to detect the television standard; with `known`
// properties it need not.
void insert_cartridge(ale::ALEInterface& ale, const std::vector<uint8_t>& bytes,
                      const ale::stella::Properties* known = nullptr);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ROM_HPP_
