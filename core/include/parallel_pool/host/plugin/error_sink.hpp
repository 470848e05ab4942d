// parallel_pool/host/plugin/error_sink.hpp: what plugins say through the host's table: errors,
// notes about rows, and log lines.
#ifndef PARALLEL_POOL_HOST_PLUGIN_ERROR_SINK_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_ERROR_SINK_HPP_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/notes.h"
#include "parallel_pool/ext/patience.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/patience.hpp"

#ifndef PP_VERSION
#define PP_VERSION "0.0.0"
#endif

namespace pp::host {

// What a plugin says of lanes.
struct Said {
  std::vector<EnvFailure> failures;  // `env` is the lane
  std::vector<RowNote> notes;        // `row` is the lane
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
  bool empty() const { return said_.failures.empty(); }  // of failures
  // For a call that another one goes on with.
  Said take() { return std::exchange(said_, {}); }
  void recall(Said&& said) { said_ = std::move(said); }
  // Everything said, in one line; what is said again and again, once.
  std::string text() const {
    std::string all;
    const std::string* before = nullptr;
    for (const EnvFailure& failure : said_.failures) {
      if (before != nullptr && *before == failure.message) continue;
      all += (all.empty() ? "" : "; ") + failure.message;
      before = &failure.message;
    }
    return all.empty() ? "the plugin gave no reason" : all;
  }
  // Nothing was said, or only empty texts.
  bool silent() const {
    return std::all_of(said_.failures.begin(), said_.failures.end(),
                       [](const EnvFailure& failure) { return failure.message.empty(); });
  }

  static void set_error(const pp_host*, uint32_t lane, const char* message) {
    if (current() == nullptr) {
      std::fprintf(stderr, "parallel_pool: a plugin reported outside of a call: %s\n", message);
      return;
    }
    current()->said_.failures.push_back({lane, message == nullptr ? "" : message});
  }
  static void set_note(const pp_host*, uint32_t lane, const char* message) {
    if (current() != nullptr) current()->said_.notes.push_back({lane, message});
  }

 private:
  static ErrorSink*& current() {
    static thread_local ErrorSink* sink = nullptr;
    return sink;
  }
  ErrorSink* outer_;
  Said said_;
};

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
        if (level >= PP_LOG_WARNING) std::fprintf(stderr, "parallel_pool: %s\n", message);
      },
      [](const pp_host*, const char* id) -> const void* {
        if (std::strcmp(id, PP_EXT_PATIENCE) == 0) return &patience;
        return std::strcmp(id, PP_EXT_NOTES) == 0 ? &notes : nullptr;
      },
  };
  return table;
}

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_ERROR_SINK_HPP_
