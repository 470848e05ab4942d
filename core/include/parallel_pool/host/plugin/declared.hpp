// parallel_pool/host/plugin/declared.hpp: whether a library's table can be used at all.
//
// Looked at once, when the library is loaded: what comes later calls its functions and reads its
// options without asking again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host {

// Up to the last member of ABI 0.1: structs may have grown since, and old plugins have not.
#define PP_FIRST_SIZE(type, last) (offsetof(type, last) + sizeof(type::last))

inline Error declared_wrongly(const std::string& owner, const std::string& what) {
  return Error(ErrorKind::plugin, owner + ": " + what + "; this is a mistake in the plugin");
}

inline void check_option(const std::string& owner, uint32_t number, const pp_option* option) {
  std::string label = "option " + std::to_string(number);
  const auto refuse = [&](const std::string& what) {
    throw declared_wrongly(owner, label + " " + what);
  };
  if (option == nullptr) refuse("is NULL");
  if (option->struct_size < PP_FIRST_SIZE(pp_option, reserved)) refuse("has a wrong struct_size");
  if (!is_name(option->name)) refuse("has no name in UTF-8");
  label = "option '" + std::string(option->name) + "'";
  if (option->doc != nullptr && !is_utf8(option->doc)) refuse("has a doc that is not UTF-8");
  const pp_value& value = option->value;
  if (value.kind < PP_OPTION_INT || value.kind > PP_OPTION_ARRAY) refuse("has an unknown kind");
  if (value.kind == PP_OPTION_STRING && value.s != nullptr && !is_utf8(value.s)) {
    refuse("has a default that is not UTF-8");
  }
  if (value.kind == PP_OPTION_ARRAY) {
    if (dtypes::item_size(value.dtype) == 0) refuse("has a default of an unknown dtype");
    if (value.count < 0) refuse("has a default with a negative count");
    if (value.count > 0 && value.data == nullptr) refuse("counts elements that are not there");
  }
  const auto is_nan = [](double bound) { return bound != bound; };
  const bool low = (option->flags & PP_OPTION_HAS_LOW) != 0u;
  const bool high = (option->flags & PP_OPTION_HAS_HIGH) != 0u;
  if ((low && is_nan(option->low)) || (high && is_nan(option->high)) ||
      (low && high && option->low > option->high)) {
    refuse("has a range without any number");
  }
  if (option->n_choices > 0 && option->choices == nullptr)
    refuse("counts choices that are not there");
  for (uint32_t c = 0; c < option->n_choices; ++c) {
    if (option->choices[c] == nullptr || !is_utf8(option->choices[c])) {
      refuse("has a choice that is no text in UTF-8");
    }
  }
}

inline void check_options(const std::string& owner, const pp_option* const* option,
                          uint32_t count) {
  if (count > 0 && option == nullptr)
    throw declared_wrongly(owner, "it counts options that are not there");
  for (uint32_t i = 0; i < count; ++i) {
    check_option(owner, i, option[i]);
    for (uint32_t before = 0; before < i; ++before) {
      if (std::strcmp(option[before]->name, option[i]->name) != 0) continue;
      throw declared_wrongly(owner, "it has two options '" + std::string(option[i]->name) + "'");
    }
  }
}

inline void check_env(const std::string& owner, uint32_t number, const pp_env* env) {
  const std::string label = "environment " + std::to_string(number);
  if (env == nullptr) throw declared_wrongly(owner, label + " is NULL");
  // The members that the first minor of this major had are always there.
  if (env->struct_size < PP_FIRST_SIZE(pp_env, get_extension)) {
    throw declared_wrongly(owner, label + "'s table is shorter than any of this ABI");
  }
  if (!is_name(env->id)) throw declared_wrongly(owner, label + " has no id in UTF-8");
  const std::string id = env->id;
  if (env->summary != nullptr && !is_utf8(env->summary)) {
    throw declared_wrongly(id, "its summary is not UTF-8");
  }
  const struct {
    const char* name;
    bool there;
  } functions[] = {
      {"describe", env->describe != nullptr}, {"release_spec", env->release_spec != nullptr},
      {"create", env->create != nullptr},     {"destroy", env->destroy != nullptr},
      {"reset", env->reset != nullptr},       {"step", env->step != nullptr}};
  for (const auto& function : functions) {
    if (!function.there)
      throw declared_wrongly(id, "its function " + std::string(function.name) + " is NULL");
  }
  check_options(id, env->option, env->n_option);
}

// Throws Error (plugin) that names the plugin, or the environment. The head was checked.
inline void check_table(const pp_plugin& plugin, const std::string& path) {
  const std::string owner = path + " (plugin " + plugin.name + " " + plugin.version + ")";
  if (plugin.struct_size < PP_FIRST_SIZE(pp_plugin, env)) {
    throw declared_wrongly(owner, "its table is shorter than any of this ABI");
  }
  if (plugin.n_env > 0 && plugin.env == nullptr) {
    throw declared_wrongly(owner, "it counts environments that are not there");
  }
  for (uint32_t i = 0; i < plugin.n_env; ++i) {
    check_env(owner, i, plugin.env[i]);
    for (uint32_t before = 0; before < i; ++before) {
      if (std::strcmp(plugin.env[before]->id, plugin.env[i]->id) != 0) continue;
      throw declared_wrongly(owner,
                             "it has two environments '" + std::string(plugin.env[i]->id) + "'");
    }
  }
}

#undef PP_FIRST_SIZE

}  // namespace pp::host
