// parallel_pool/host/workers/extensions.hpp: what environments in worker processes can do besides
// stepping: the extensions of the plugin's table, forwarded shard by shard.
//
// A table is offered if the plugin offers it. Environments written in Python have no table of their
// own: all of them can be asked for their state, take arguments of a reset (one text, of which only
// the two ends of the pipe in Python know what it means), and answer questions (RemoteShard::ask).
#pragma once

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
      // The pool asks for the size first, with the shard locked; the state came with it.
      state_ = {sizeof state_,
                own == nullptr ? 0 : own->n_local_option,
                own == nullptr ? nullptr : own->local_option,
                on<&RemoteShard::size>,
                on<&RemoteShard::save>,
                on<&RemoteShard::load>,
                nullptr,
                nullptr};
    }
    if (find_extension<pp_render>(env, PP_EXT_RENDER) != nullptr) {
      // A picture comes together with its size, like a state.
      render_ = {sizeof render_, 0u, on<&RemoteShard::frame_size>, on<&RemoteShard::draw>};
    }
    if (find_extension<pp_arrays>(env, PP_EXT_ARRAYS) != nullptr) {
      arrays_ = {sizeof arrays_,
                 0u,
                 on<&RemoteShard::count_arrays>,
                 on<&RemoteShard::describe_array>,
                 on<&RemoteShard::read_array>,
                 on<&RemoteShard::write_array>};
    }
    const auto* own = find_extension<pp_reset_options>(env, PP_EXT_RESET_OPTIONS);
    if (own == nullptr && !python) return;
    reset_options_ = {sizeof reset_options_, own == nullptr ? 1 : own->n_option,
                      own == nullptr ? python_reset_options() : own->option,
                      own == nullptr ? nullptr : own->check, on<&RemoteShard::set_reset_options>};
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
  // The function of a table that calls this method of the shard.
  template <auto Method, class Result, class... Argument>
  static Result on(void* self, Argument... argument) {
    return (static_cast<RemoteShard*>(self)->*Method)(argument...);
  }
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
