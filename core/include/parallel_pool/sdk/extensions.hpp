// parallel_pool/sdk/extensions.hpp: which extensions an environment offers follows from the members
// it has: save and load (state.hpp), arrays (arrays.hpp), frame_size and draw (render.hpp),
// reset_options (reset_options.hpp), go_on (overlap.hpp).
#ifndef PARALLEL_POOL_SDK_EXTENSIONS_HPP_
#define PARALLEL_POOL_SDK_EXTENSIONS_HPP_

#include <cstring>

#include "parallel_pool/sdk/arrays.hpp"
#include "parallel_pool/sdk/overlap.hpp"
#include "parallel_pool/sdk/render.hpp"
#include "parallel_pool/sdk/reset_options.hpp"
#include "parallel_pool/sdk/state.hpp"

namespace pp::detail {

template <class E, class Shard>
const void* find_extension(const char* id) noexcept {
  static_assert(HasSave<E>::value == HasLoad<E>::value, "save and load come together");
  if constexpr (HasSave<E>::value) {
    if (std::strcmp(id, PP_EXT_STATE) == 0) return &StateExtension<E, Shard>::value;
  }
  if constexpr (HasArrays<E>::value) {
    if (std::strcmp(id, PP_EXT_ARRAYS) == 0) return &ArraysExtension<Shard>::value;
  }
  if constexpr (HasDraw<E>::value) {
    if (std::strcmp(id, PP_EXT_RENDER) == 0) return &RenderExtension<Shard>::value;
  }
  if constexpr (HasResetOptions<E>::value) {
    if (std::strcmp(id, PP_EXT_RESET_OPTIONS) == 0) {
      return &ResetOptionsExtension<E, Shard>::value;
    }
  }
  if constexpr (Overlaps<E>::value) {
    if (std::strcmp(id, PP_EXT_EARLY_RESETS) == 0) return &EarlyResetsExtension<Shard>::value;
  }
  (void)id;
  return nullptr;
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_EXTENSIONS_HPP_
