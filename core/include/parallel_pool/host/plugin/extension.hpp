// parallel_pool/host/plugin/extension.hpp: tables of functions that an environment may offer
// (ext/*.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/declared.hpp"

namespace pp::host {

// Returns true if nothing is missing in a table that is long enough.
inline bool complete(const pp_state& of) {
  const char* const* const local = of.local_option;
  return of.size != nullptr && of.save != nullptr && of.load != nullptr &&
         (of.n_local_option == 0 ||
          (local != nullptr && std::all_of(local, local + of.n_local_option, is_name)));
}
inline bool complete(const pp_render& of) {
  return of.size != nullptr && of.draw != nullptr;
}
inline bool complete(const pp_arrays& of) {
  return of.count != nullptr && of.describe != nullptr && of.read != nullptr && of.write != nullptr;
}
inline bool complete(const pp_reset_options& of) {
  return of.set != nullptr;
}
inline bool complete(const pp_early_resets& of) {
  return of.begin != nullptr;
}

// The bytes of a table that every plugin has.
template <class Table>
inline constexpr size_t first_size = sizeof(Table);
template <>
inline constexpr size_t first_size<pp_state> = offsetof(pp_state, load_seeded);

// Returns the extension that an environment offers under that id, or NULL if there is none or it is
// too short. Throws Error (plugin) if something is missing in it.
template <class Table>
const Table* usable(const void* offered, const pp_env& env, const char* id) {
  const auto* table = static_cast<const Table*>(offered);
  if (table == nullptr || table->struct_size < first_size<Table>) return nullptr;
  if (!complete(*table)) {
    throw declared_wrongly(env.id, std::string("a function or name of its ") + id + " is NULL");
  }
  if constexpr (std::is_same_v<Table, pp_reset_options>) {
    check_options(std::string(env.id) + ", " + id, table->option, table->n_option);
  }
  return table;
}

// Finds the extension of an environment in this process.
template <class Table>
const Table* find_extension(const pp_env& env, const char* id) {
  return env.get_extension == nullptr ? nullptr : usable<Table>(env.get_extension(id), env, id);
}

}  // namespace pp::host
