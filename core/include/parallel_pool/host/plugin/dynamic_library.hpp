// parallel_pool/host/plugin/dynamic_library.hpp: what the system's loader finds in a library's
// file.
#pragma once

#include <string>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// Words of 16-bit memory models, which are names here.
#undef near
#undef far
#else
#include <dlfcn.h>
#endif

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/elf.hpp"

namespace pp::host {

inline Error cannot_load(const std::string& path, const std::string& reason) {
  const auto says = [&reason](const char* part) { return reason.find(part) != std::string::npos; };
  // glibc names the missing memory in one of the two, and cannot map a file for this reason alone
  // once it has read its header.
  const bool without_memory =
      says("Cannot allocate memory") || says("failed to map segment from shared object");
  return Error(ErrorKind::plugin,
               "cannot load " + path + ": " + reason +
                   (without_memory ? ". Give the process more memory (ulimit -v)"
                                   : ". Reinstall the package that it belongs to"));
}

#if defined(_WIN32)
inline const void* exported_symbol(const std::string& path, const char* symbol) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, wide.data(), size);
  HMODULE handle = LoadLibraryW(wide.c_str());
  if (handle == nullptr) {
    throw cannot_load(path, "Windows' error " + std::to_string(GetLastError()));
  }
  return reinterpret_cast<const void*>(GetProcAddress(handle, symbol));
}
#else
// The data symbol of a library that is loaded for good; NULL if it exports none of that name. path:
// UTF-8. Throws Error (plugin).
inline const void* exported_symbol(const std::string& path, const char* symbol) {
  if (truncated_elf(path)) throw cannot_load(path, "the file is truncated");
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw cannot_load(path, reason == nullptr ? "no reason given" : reason);
  }
  return dlsym(handle, symbol);
}
#endif

}  // namespace pp::host
