// The derivation of derived.hpp for an MjModel of Python: parallel_pool_mujoco.sdk calls it by
// ctypes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "parallel_pool/abi.h"
#include "parallel_pool_mujoco/derived.hpp"

using namespace pp::mujoco;

// Names of members, separated by blanks.
extern "C" PP_EXPORT const char* parallel_pool_call_derived_members() {
  return derived_members;
}

// Brings `model` up to date, of which the members `changed`, separated by blanks, are not as in
// `compiled`. Writes an error's text to `message`, of `size` bytes: empty if there is none.
extern "C" PP_EXPORT void parallel_pool_call_derive(const pp_mujoco* mujoco, void* model,
                                                    const void* compiled, const char* changed,
                                                    char* message, uint64_t size) {
  std::string wrong;
  try {
    const Engine& engine = Engine::of(*mujoco);
    auto* const edited = static_cast<RawModel*>(model);
    std::unique_ptr<RawData, void (*)(RawData*)> data(nullptr, engine.delete_data);
    trapped(engine, [&] {
      RawData* const made = engine.make_data(edited);
      data.reset(made);
    });
    Members names;
    for (const char* each = changed; *each != '\0';) {
      const size_t length = std::strcspn(each, " ");
      names.emplace(each, length);
      each += length + (each[length] == ' ' ? 1 : 0);
    }
    Derivation(engine, static_cast<const RawModel*>(compiled)).update(edited, data.get(), names);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  const size_t length = std::min<size_t>(wrong.size(), size - 1);
  std::memcpy(message, wrong.data(), length);
  message[length] = '\0';
}
