// SPDX-License-Identifier: GPL-2.0-only
// Memory that holds code. It is written, then sealed: never both writable and executable.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_PAGES_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_PAGES_HPP_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pp::atari::vcs::translator::x86_64 {

class CodePages {
 public:
  // A copy of `code`. Where the kernel lets no program make code, nothing: begin() is null.
  explicit CodePages(const std::vector<uint8_t>& code);
  CodePages(CodePages&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), size_(other.size_) {}
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;
  ~CodePages();

  const uint8_t* begin() const { return begin_; }

 private:
  uint8_t* begin_ = nullptr;
  size_t size_;
};

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_CODE_PAGES_HPP_
