// parallel_pool/host/plugin/error_sink.hpp: what plugins say through the host's table: errors,
// notes about rows, and log lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/notes.h"
#include "parallel_pool/ext/patience.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/patience.hpp"

#ifndef PP_VERSION
#define PP_VERSION "0.0.0"
#endif

namespace pp::host {

// The messages of a plugin about lanes.
struct PluginMessages {
  std::vector<EnvFailure> failures;  // `env` is the lane
  std::vector<RowNote> notes;        // `row` is the lane
  bool forgot = false;               // there was no memory for one of the failures
};

// Collects what a plugin says through set_error and set_note during one call. One per call, on its
// thread's stack.
class ErrorSink {
 public:
  ErrorSink() : outer_(current()) { current() = this; }
  ~ErrorSink() { current() = outer_; }
  ErrorSink(const ErrorSink&) = delete;
  ErrorSink& operator=(const ErrorSink&) = delete;

  const std::vector<EnvFailure>& failures() const { return said_.failures; }
  const std::vector<RowNote>& notes() const { return said_.notes; }
  bool empty() const { return said_.failures.empty() && !said_.forgot; }  // refers to failures only
  // True if not all lanes that failed are among the failures.
  bool forgot() const { return said_.forgot; }
  // These hand what was said over to a call that goes on with this one.
  PluginMessages take() { return std::exchange(said_, {}); }
  void recall(PluginMessages&& said) { said_ = std::move(said); }
  // Everything said, in one line; what is said again and again, once.
  std::string text() const {
    if (said_.forgot) return "out of memory";
    std::string all;
    const std::string* before = nullptr;
    for (const EnvFailure& failure : said_.failures) {
      if (before != nullptr && *before == failure.message) continue;
      if (all.size() > longest_text) return all + "; ... (the rest is left out)";
      all += (all.empty() ? "" : "; ") + failure.message;
      before = &failure.message;
    }
    return all.empty() ? "the plugin gave no reason" : all;
  }
  // Nothing was said, or only empty texts.
  bool silent() const {
    return !said_.forgot &&
           std::all_of(said_.failures.begin(), said_.failures.end(),
                       [](const EnvFailure& failure) { return failure.message.empty(); });
  }

  // Plugins call these while they handle an exception, where another one would end the process.
  static void set_error(const pp_host*, uint32_t lane, const char* message) noexcept {
    ErrorSink* sink = current();
    try {
      std::string text = readable(message);
      if (sink == nullptr) {
        std::fprintf(stderr, "parallel_pool: a plugin reported outside of a call: %s\n",
                     text.c_str());
      } else {
        sink->said_.failures.push_back({lane, std::move(text)});
      }
    } catch (const std::bad_alloc&) {
      if (sink != nullptr) sink->said_.forgot = true;
    }
  }
  static void set_note(const pp_host*, uint32_t lane, const char* message) noexcept {
    try {
      if (current() != nullptr) current()->said_.notes.push_back({lane, readable(message)});
    } catch (const std::bad_alloc&) {  // a remark less
    }
  }

 private:
  static ErrorSink*& current() {
    static thread_local ErrorSink* sink = nullptr;
    return sink;
  }
  ErrorSink* outer_;
  PluginMessages said_;
};

// Returns the result of `call`, or `failed` after set_error if a C++ exception leaves the plugin.
// Such an exception breaks the rules of the ABI, and would otherwise end the process. Exceptions of
// the host's own tables pass.
template <class Call>
auto without_exceptions(Call&& call, decltype(call()) failed) -> decltype(call()) {
  const auto report = [&](const char* said) {
    char text[256];  // no memory may be what the exception is about
    std::snprintf(text, sizeof text, "the plugin let a C++ exception out: %s", said);
    ErrorSink::set_error(nullptr, PP_ALL_LANES, text);
    return failed;
  };
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    return report(error.what());
  } catch (...) {
    return report("of an unknown type");
  }
}

// The host as plugins see it. Log lines of level warning and above go to standard error.
inline const pp_host& host_table() {
  static const pp_notes notes = {sizeof(pp_notes), 0u, &ErrorSink::set_note};
  static const pp_patience patience = {sizeof(pp_patience), 0u, &Patience::is_wanted};
  static const pp_host table = {
      sizeof(pp_host),
      PP_ABI_MAJOR,
      PP_ABI_MINOR,
      0u,
      PP_VERSION,
      &ErrorSink::set_error,
      [](const pp_host*, uint32_t level, const char* message) {
        if (level < PP_LOG_WARNING) return;
        std::fprintf(stderr, "parallel_pool: %s\n", readable(message).c_str());
      },
      [](const pp_host*, const char* id) -> const void* {
        if (id == nullptr) return nullptr;
        if (std::strcmp(id, PP_EXT_PATIENCE) == 0) return &patience;
        return std::strcmp(id, PP_EXT_NOTES) == 0 ? &notes : nullptr;
      },
  };
  return table;
}

}  // namespace pp::host
