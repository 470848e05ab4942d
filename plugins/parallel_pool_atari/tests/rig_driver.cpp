// The rig behind C functions, for the tests that load this library with ctypes.

#include <exception>
#include <string>

#include "rig.hpp"

#define API extern "C" __attribute__((visibility("default")))

namespace {
std::string answer;
}  // namespace

// The first difference between the machines in `frames` frames of any ROM; empty if there is none.
API const char* compare_machines(const char* rom, int frames, unsigned seed, int drawn) {
  try {
    pp::atari::Rig rig(rom);
    answer = rig.run(frames, seed, drawn != 0);
  } catch (const std::exception& e) {
    answer = e.what();
  }
  return answer.c_str();
}
