// parallel_pool/host/workers/extensions.hpp: what environments in worker processes can do besides
// stepping: the extensions of the plugin's table, forwarded shard by shard.
//
// A table is offered if the plugin offers it. Environments written in Python have no table of their
// own: all of them can be asked for their state, take arguments of a reset (one text, of which only
// the two ends of the pipe in Python know what it means), and answer questions (RemoteShard::ask).
#ifndef PARALLEL_POOL_HOST_WORKERS_EXTENSIONS_HPP_
#define PARALLEL_POOL_HOST_WORKERS_EXTENSIONS_HPP_

#include <cstdint>
#include <cstring>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/workers/remote_shard.hpp"

namespace pp::host::workers {

// The one argument of a reset of an environment written in Python: its options, pickled, as text.
inline const pp_option* const* python_reset_options() {
  static const pp_option pickled = [] {
    pp_option option{};
    option.struct_size = sizeof option;
    option.name = "pickled";
    option.doc = "the options of reset, pickled, in base64";
    option.value.kind = PP_OPTION_STRING;
    option.value.s = "";
    return option;
  }();
  static const pp_option* const list[] = {&pickled};
  return list;
}

class Extensions {
 public:
  Extensions(const pp_env& env, bool python) {
    if (const auto* own = find_extension<pp_state>(env, PP_EXT_STATE); own != nullptr || python) {
      state_.struct_size = sizeof state_;
      state_.n_local_option = own == nullptr ? 0 : own->n_local_option;
      state_.local_option = own == nullptr ? nullptr : own->local_option;
      state_.size = [](void* self, uint32_t lane) { return shard(self).size(lane); };
      // The pool asks for the size first, with the shard locked; the state came with it.
      state_.save = [](void* self, uint32_t, void* bytes, uint64_t capacity) {
        return shard(self).save(bytes, capacity);
      };
      state_.load = [](void* self, uint32_t lane, const void* bytes, uint64_t size) {
        return shard(self).load(lane, bytes, size);
      };
    }
    if (find_extension<pp_render>(env, PP_EXT_RENDER) != nullptr) {
      render_.struct_size = sizeof render_;
      // As with states: the picture comes with its size.
      render_.size = [](void* self, uint32_t lane, uint32_t* height, uint32_t* width) {
        return shard(self).frame_size(lane, height, width);
      };
      render_.draw = [](void* self, uint32_t, uint8_t* rgb) { return shard(self).draw(rgb); };
    }
    if (find_extension<pp_arrays>(env, PP_EXT_ARRAYS) != nullptr) {
      arrays_.struct_size = sizeof arrays_;
      arrays_.count = [](void* self, uint32_t lane) { return shard(self).count_arrays(lane); };
      arrays_.describe = [](void* self, uint32_t lane, uint32_t array, pp_array* out) {
        return shard(self).describe_array(lane, array, out);
      };
      arrays_.read = [](void* self, uint32_t lane, uint32_t array, void* elements) {
        return shard(self).read_array(lane, array, elements);
      };
      arrays_.write = [](void* self, uint32_t lane, uint32_t array, const void* elements) {
        return shard(self).write_array(lane, array, elements);
      };
    }
    const auto* own = find_extension<pp_reset_options>(env, PP_EXT_RESET_OPTIONS);
    if (own == nullptr && !python) return;
    reset_options_.struct_size = sizeof reset_options_;
    reset_options_.n_option = own == nullptr ? 1 : own->n_option;
    reset_options_.option = own == nullptr ? python_reset_options() : own->option;
    reset_options_.check = own == nullptr ? nullptr : own->check;
    reset_options_.set = [](void* self, uint32_t lane, const pp_value* value) {
      return shard(self).set_reset_options(lane, value);
    };
  }
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  const void* find(const char* id) const {
    if (std::strcmp(id, PP_EXT_STATE) == 0) return offered(state_);
    if (std::strcmp(id, PP_EXT_RENDER) == 0) return offered(render_);
    if (std::strcmp(id, PP_EXT_ARRAYS) == 0) return offered(arrays_);
    return std::strcmp(id, PP_EXT_RESET_OPTIONS) == 0 ? offered(reset_options_) : nullptr;
  }
  // NULL if there are none.
  const pp_reset_options* reset_options() const { return offered(reset_options_); }

 private:
  static RemoteShard& shard(void* self) { return *static_cast<RemoteShard*>(self); }
  template <class Table>
  static const Table* offered(const Table& table) {
    return table.struct_size == 0 ? nullptr : &table;
  }
  pp_state state_{};
  pp_render render_{};
  pp_arrays arrays_{};
  pp_reset_options reset_options_{};
};

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_EXTENSIONS_HPP_
