// parallel_pool/host/plugin/elf.hpp: whether a library's file is shorter than it says.
//
// The system's loader maps a truncated file all the same and dies of SIGBUS when it reads the part
// that is not there. An interrupted download should be an error message instead.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#if defined(__linux__)
#include <link.h>
#endif

namespace pp::host {

// False for what is no ELF file of this machine's word size: the loader says what is wrong with it.
inline bool truncated_elf(const std::string& path) {
#if defined(__linux__)
  std::ifstream file(path, std::ios::binary);
  file.seekg(0, std::ios::end);
  const std::streamoff end = file.tellg();
  if (!file || end < 0) return false;
  const auto size = static_cast<uint64_t>(end);
  ElfW(Ehdr) head;
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head)) return false;
  const unsigned char word = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != word)
    return false;
  for (uint32_t i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part;
    file.seekg(static_cast<std::streamoff>(head.e_phoff + uint64_t{i} * head.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return true;
    if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > size) return true;
  }
#else
  (void)path;
#endif
  return false;
}

}  // namespace pp::host
