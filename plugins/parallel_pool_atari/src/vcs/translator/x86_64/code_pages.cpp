// SPDX-License-Identifier: GPL-2.0-only
#include "code_pages.hpp"

#include "../machine_code.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

#include <sys/mman.h>

#include <cstring>

namespace pp::atari::vcs::translator::x86_64 {

CodePages::CodePages(const std::vector<uint8_t>& code) : size_(code.size()) {
  void* pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  begin_ = static_cast<uint8_t*>(pages);
  std::memcpy(begin_, code.data(), size_);
  if (mprotect(begin_, size_, PROT_READ | PROT_EXEC) == 0) return;
  munmap(begin_, size_);
  begin_ = nullptr;
}

CodePages::~CodePages() {
  if (begin_ != nullptr) munmap(begin_, size_);
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
