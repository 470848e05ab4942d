// parallel_pool/host/plugin/extension.hpp: tables of functions that an environment may offer
// (ext/*.h).
#ifndef PARALLEL_POOL_HOST_PLUGIN_EXTENSION_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_EXTENSION_HPP_

#include "parallel_pool/abi.h"

namespace pp::host {

// What was offered, or NULL if that is nothing or shorter than what this host calls.
template <class Table>
const Table* usable(const void* offered) {
  const auto* table = static_cast<const Table*>(offered);
  return table == nullptr || table->struct_size < sizeof(Table) ? nullptr : table;
}

// The same of an environment in this process.
template <class Table>
const Table* find_extension(const pp_env& env, const char* id) {
  return env.get_extension == nullptr ? nullptr : usable<Table>(env.get_extension(id));
}

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_EXTENSION_HPP_
