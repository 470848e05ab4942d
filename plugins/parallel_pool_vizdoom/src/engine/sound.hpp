// Tells whether an engine will be heard. It loads OpenAL when it starts, and plays silence without.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_SOUND_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_SOUND_HPP_

#include <dlfcn.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace doom {

// Looks for it where the engine does. Throws std::runtime_error.
inline void check_sound(const std::string& engine) {
  static constexpr const char* library = "libopenal.so.1";
  const std::string beside = engine.substr(0, engine.rfind('/') + 1) + library;
  if (access(beside.c_str(), R_OK) == 0) return;
  void* const found = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (found == nullptr) {
    throw std::runtime_error(
        std::string("audio_buffer needs OpenAL (") + library +
        "), without which the engine plays silence: `apt-get install libopenal1` (Debian, Ubuntu), "
        "`dnf install openal-soft` (Fedora); no sound card is needed. Or go without: "
        "audio_buffer=False");
  }
  dlclose(found);
}

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_SOUND_HPP_
