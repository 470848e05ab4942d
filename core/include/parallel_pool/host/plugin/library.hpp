// parallel_pool/host/plugin/library.hpp: loads a plugin's library and decides whether this host can
// use it.
//
// A library, once loaded, stays: its code may be anywhere in a thread. Loading runs no plugin code
// but the library's static constructors; every refusal names plugin, both versions and the fix.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/declared.hpp"
#include "parallel_pool/host/plugin/dynamic_library.hpp"
#include "parallel_pool/per_process.hpp"

namespace pp::host {

struct AbiVersion {
  uint32_t major = PP_ABI_MAJOR;
  uint32_t minor = PP_ABI_MINOR;
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
};

// Throws unless a host that speaks `host` can use a plugin with this head. Reads the frozen head
// only.
inline void check_head(const pp_plugin& plugin, const std::string& path,
                       const AbiVersion& host = {}) {
  if (plugin.magic != PP_ABI_MAGIC) {
    throw Error(ErrorKind::plugin, path +
                                       " exports " PP_PLUGIN_SYMBOL
                                       " without ParallelPool's magic number; it is not a plugin");
  }
  if (!is_name(plugin.name) || !is_name(plugin.version)) {
    throw Error(ErrorKind::plugin, path +
                                       ": the plugin's name or version is no text in UTF-8; "
                                       "this is a mistake in the plugin");
  }
  const std::string name = std::string("parallel-pool-") + plugin.name;
  const std::string release = name + " " + plugin.version;
  const std::string speaks = "; this parallel-pool speaks " + host.text() + ". ";
  const AbiVersion built{plugin.abi_major, plugin.abi_minor};
  if (built.major < host.major) {
    throw Error(ErrorKind::plugin, release + " was built for plugin ABI " + built.text() + speaks +
                                       "Upgrade it: pip install -U " + name);
  }
  if (built.major > host.major || plugin.min_host_minor > host.minor) {
    throw Error(ErrorKind::plugin, release + " needs plugin ABI " +
                                       AbiVersion{plugin.abi_major, plugin.min_host_minor}.text() +
                                       " or newer" + speaks +
                                       "Upgrade the core: pip install -U parallel-pool");
  }
}

class Library {
 public:
  // Loads and checks. The object must outlive every shard made from it; keep it for ever.
  explicit Library(const std::string& path) : Library(open(path), path) {}
  // A table of this program's own, which lives as long as the object; `path` is for messages.
  Library(const pp_plugin& plugin, const std::string& path)
      : path_(path), plugin_(&plugin), envs_(plugin.env, plugin.env + plugin.n_env) {
    check_head(*plugin_, path);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::string& path() const { return path_; }
  const pp_plugin& plugin() const { return *plugin_; }
  const std::vector<const pp_env*>& envs() const { return envs_; }

  const pp_env& env(const std::string& id) const {
    for (const pp_env* env : envs_) {
      if (id == env->id) return *env;
    }
    throw Error(ErrorKind::plugin,
                path_ + " (plugin " + plugin_->name + " " + plugin_->version +
                    ") has no environment '" + id +
                    "': its Python part and its library are of different versions. Reinstall it: "
                    "pip install --force-reinstall parallel-pool-" +
                    plugin_->name);
  }

  // Held while a shard of a plugin with global state (PP_ENV_EXCLUSIVE) works.
  std::mutex& exclusive() { return use_.get().exclusive; }

  // The number of environments that do not return from such a plugin (host/run/watchdog.hpp).
  std::atomic<uint32_t>& stuck() { return use_.get().stuck; }

 private:
  static const pp_plugin& open(const std::string& path) {
    const void* symbol = exported_symbol(path, PP_PLUGIN_SYMBOL);
    if (symbol == nullptr) throw not_a_plugin(path);
    const auto& plugin = *static_cast<const pp_plugin*>(symbol);
    check_head(plugin, path);
    check_table(plugin, path);
    return plugin;
  }
  static Error not_a_plugin(const std::string& path) {
    return Error(
        ErrorKind::plugin,
        path + " exports no " PP_PLUGIN_SYMBOL
               "; it is not a ParallelPool plugin. The source of one ends with PP_PLUGIN(...), or "
               "defines that symbol");
  }

  std::string path_;
  const pp_plugin* plugin_;
  std::vector<const pp_env*> envs_;
  struct Use {
    std::mutex exclusive;
    std::atomic<uint32_t> stuck{0};
  };
  PerProcess<Use> use_;
};

}  // namespace pp::host
