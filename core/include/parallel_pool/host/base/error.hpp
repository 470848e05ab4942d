// parallel_pool/host/base/error.hpp: the errors of the host, told apart by what the caller can do
// about them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pp::host {

enum class ErrorKind {
  plugin,           // a library that is missing, broken or of another ABI
  value,            // an argument out of its range
  index,            // an environment id out of range
  type,             // an argument of the wrong type
  busy,             // an environment already has work in flight
  nothing_pending,  // recv would wait for ever
  reset_needed,     // only possible after a reset
  closed,           // use after close()
  forked,           // use in a forked child
  environment,      // an environment failed to be built
  access,           // an environment could not be drawn, read or written
  not_offered,      // the environment's plugin does not have this ability
  interrupted,      // the caller was called away while it waited
  stuck,            // an environment does not return from a step
  state,            // a state that cannot be saved, or does not fit where it is to be restored
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// One environment that failed, and what it said.
struct EnvFailure {
  uint32_t env;
  std::string message;
};

// A note about one row of an answer; the row itself is valid.
struct RowNote {
  uint32_t row;
  std::string message;
};

}  // namespace pp::host
