#include "xla/signature.hpp"

#include <algorithm>
#include <vector>

#include "parallel_pool/host/base/error.hpp"

namespace pp::xla {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The first line that the others lack; empty: none.
std::string first_without(const Lines& lines, const Lines& others) {
  for (const std::string_view line : lines) {
    if (std::find(others.begin(), others.end(), line) == others.end()) return std::string(line);
  }
  return {};
}

std::string difference(std::string_view program, std::string_view pool) {
  const std::string expected = first_without(lines_of(program), lines_of(pool));
  const std::string found = first_without(lines_of(pool), lines_of(program));
  if (program.empty()) return "the program was made by another version of parallel-pool";
  if (expected.empty() && found.empty()) {
    return "the program was made for a pool that has the same in another order";
  }
  if (expected.empty()) {
    return "the handle is of a pool in which " + found +
           ", and the program was made for one without that";
  }
  return "the program was made for a pool in which " + expected + ", and the handle is of one " +
         (found.empty() ? "without that" : "in which " + found);
}

}  // namespace

void expect_same_signature(std::string_view program, const std::string& pool) {
  if (program == pool) return;
  throw host::Error(host::ErrorKind::value,
                    difference(program, pool) +
                        ". Nothing was stepped: give it the handle of a pool like its own, or make "
                        "another program with the functions of the handle's pool");
}

}  // namespace pp::xla
