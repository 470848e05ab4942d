// Library files that are cut short or damaged, as the reader of their headers sees them. Only cut
// ones are loaded: what a damaged one does is up to the system's loader.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "parallel_pool/host/plugin/elf.hpp"
#include "test_envs.hpp"

namespace pp::test {
namespace {

struct File {
  explicit File(const std::string& bytes) : path(library_path() + ".damaged") {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~File() { std::remove(path.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string path;
};

PP_CASE(damaged_libraries) {
  std::ifstream file(library_path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  PP_CHECK(whole.size() > 100000);
  for (size_t size = 0; size < 50000; size = size * 3 / 2 + 7) {
    const File cut(whole.substr(0, size));
    PP_CHECK(refuses(ErrorKind::plugin, [&] { const host::Library refused(cut.path); }));
  }
  uint64_t random = 1;
  for (uint32_t turn = 0; turn < 2000; ++turn) {
    std::string damaged = whole.substr(0, 1024);
    for (uint32_t k = 0; k < 4; ++k) {
      random = host::hash_bytes(&turn, sizeof turn, random);
      damaged[random % 512] = static_cast<char>(random >> 56);
    }
    const File cut(damaged);
    host::truncated_elf(cut.path);
  }
}

}  // namespace
}  // namespace pp::test
