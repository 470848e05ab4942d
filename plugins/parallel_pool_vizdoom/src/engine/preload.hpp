// A library of ours that engines load in front of the C library: an open file, for its path may
// have what LD_PRELOAD takes for a separator.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_PRELOAD_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_PRELOAD_HPP_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "process.hpp"

namespace doom {

class Preload {
 public:
  // Throws std::runtime_error.
  explicit Preload(const std::string& path)
      : file_(moved(open(path.c_str(), O_RDONLY | O_CLOEXEC))) {
    if (file_ >= 0) return;
    throw std::runtime_error("what engines load, " + path +
                             ", cannot be opened: " + std::strerror(errno));
  }
  ~Preload() { ::close(file_); }
  Preload(const Preload&) = delete;
  Preload& operator=(const Preload&) = delete;

  // Adds it, in front of what users have there. Not longer than this object lives.
  void add_to(Inherited& inherited) const {
    const char* users = std::getenv("LD_PRELOAD");
    const auto number = Inherited::first_number + static_cast<int>(inherited.files.size());
    inherited.files.push_back(file_);
    inherited.variables.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(number) +
                                  (users == nullptr ? "" : std::string(":") + users));
  }

 private:
  const int file_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_PRELOAD_HPP_
