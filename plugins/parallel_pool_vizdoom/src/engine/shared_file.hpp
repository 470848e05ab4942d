// Memory that we share with an engine: an open file that is in no folder, so that nothing of it is
// left however and whenever either side ends. The engine is given it as it is started, and
// given_files.hpp is the other side of this.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_FILE_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_FILE_HPP_

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "process.hpp"

namespace doom {

class SharedFile {
 public:
  // Makes an empty file; the engine opens it by `name`. Throws std::runtime_error.
  explicit SharedFile(const std::string& name)
      : number_(moved(memfd_create(name.c_str(), MFD_CLOEXEC))) {
    if (number_ < 0) fail(errno);
  }
  ~SharedFile() { close(); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int number() const { return number_; }
  // Whoever has mapped it keeps it.
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

  [[noreturn]] static void fail(int error) {
    throw std::runtime_error(std::string("no memory to share with the engine could be made: ") +
                             std::strerror(error));
  }

 private:
  int number_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_FILE_HPP_
