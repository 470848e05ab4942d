// parallel_pool/sdk/library_copy.hpp: a copy of a shared library for each environment, for engines
// that keep their game in global variables. Linux. Include it beside <parallel_pool/env.hpp>.
//
//   pp::LibraryCopy engine_{"/path/libgame.so"};
//   auto* step = engine_.symbol<int(int)>("game_step");
//
// Each copy has its own variables; the pages of code are those of the file, shared by all copies.
// The library may not need others that keep state, nor find others by $ORIGIN, and no name of it
// may be unique in the process (inline variables of C++ libraries built by GCC without
// -fno-gnu-unique are). A copy keeps a file open, of which a process may have 1,024 (`ulimit -n`).
#ifndef PARALLEL_POOL_SDK_LIBRARY_COPY_HPP_
#define PARALLEL_POOL_SDK_LIBRARY_COPY_HPP_

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace pp {

class LibraryCopy {
 public:
  // Throws std::runtime_error that names the file, if it cannot be read, copied or loaded.
  [[gnu::cold]] explicit LibraryCopy(const std::string& path) : path_(path) {
    const File original(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about{};
    if (original.fd < 0 || fstat(original.fd, &about) != 0) fail(std::strerror(errno));
    copy_.fd = memfd_create("library copy", MFD_CLOEXEC);
    if (copy_.fd < 0) fail(std::strerror(errno));
    for (off_t at = 0; at < about.st_size;) {
      const auto left = static_cast<size_t>(about.st_size - at);
      if (sendfile(copy_.fd, original.fd, &at, left) <= 0) fail(std::strerror(errno));
    }
    // The loader knows libraries by this name, so the file stays open as long as the copy.
    name_ = "/proc/self/fd/" + std::to_string(copy_.fd);
    library_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) fail(dlerror());
    share_code(original.fd);
  }
  ~LibraryCopy() {
    dlclose(library_);
    // Some libraries stay loaded. Then the name is taken for good, and so is the file.
    if (dlopen(name_.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr) copy_.fd = -1;
  }
  LibraryCopy(const LibraryCopy&) = delete;
  LibraryCopy& operator=(const LibraryCopy&) = delete;

  // A function or variable of this copy, valid as long as it. Throws if there is none.
  template <class T>
  T* symbol(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) fail(std::string("it has no ") + name);
    return reinterpret_cast<T*>(found);
  }

 private:
  struct File {
    explicit File(int number) : fd(number) {}
    ~File() {
      if (fd >= 0) close(fd);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int fd;
  };

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("cannot load a copy of " + path_ + ": " + why);
  }

  // Maps the code from the file that was copied, and gives the copy's pages back. Where that fails,
  // the copy has pages of its own.
  void share_code(int original) const {
    link_map* map = nullptr;
    if (dlinfo(library_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
      const bool flagged = entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0;
      if (flagged || entry->d_tag == DT_TEXTREL) return;  // its code was changed when it was loaded
    }
    struct Place {
      ElfW(Addr) base;
      int file;
      int copy;
    } place{map->l_addr, original, copy_.fd};
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          const auto& mine = *static_cast<const Place*>(data);
          if (info->dlpi_addr != mine.base) return 0;
          const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr) & part = info->dlpi_phdr[i];
            const bool code = part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0;
            if (!code || (part.p_flags & PF_W) != 0) continue;
            const ElfW(Addr) before = part.p_vaddr % page;
            auto* const place = reinterpret_cast<void*>(mine.base + part.p_vaddr - before);
            const size_t size = part.p_filesz + before;
            const auto offset = static_cast<off_t>(part.p_offset - before);
            const int flags = MAP_PRIVATE | MAP_FIXED;
            if (mmap(place, size, PROT_READ | PROT_EXEC, flags, mine.file, offset) == MAP_FAILED) {
              return 1;
            }
            // Other parts of the file may share the first page, and the last.
            const auto first = static_cast<off_t>((part.p_offset + page - 1) / page * page);
            const auto last = static_cast<off_t>((part.p_offset + part.p_filesz) / page * page);
            constexpr int hole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
            if (first < last && fallocate(mine.copy, hole, first, last - first) != 0) return 1;
          }
          return 1;
        },
        &place);
  }

  std::string path_;
  std::string name_;
  File copy_{-1};
  void* library_ = nullptr;
};

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_LIBRARY_COPY_HPP_
