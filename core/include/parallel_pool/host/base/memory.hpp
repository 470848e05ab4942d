// parallel_pool/host/base/memory.hpp: how much memory this process has, and may still have. Linux;
// other systems say nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <string>

#include "parallel_pool/host/base/cgroups.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace pp::host {

// All numbers are bytes.
struct MemoryUse {
  double resident = 0;  // in RAM, and of this process alone: no files, nothing shared
  double mapped = 0;    // counted by RLIMIT_AS
  double data = 0;      // counted by RLIMIT_DATA
};

inline MemoryUse memory_use() {
  MemoryUse use;
#if defined(__linux__)
  double pages[6] = {};  // mapped, resident, of files, of code, 0, data
  std::ifstream file("/proc/self/statm");
  for (double& each : pages) file >> each;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  use = {(pages[1] - pages[2]) * page, pages[0] * page, pages[5] * page};
#endif
  return use;
}

struct MemoryLimit {
  double bytes = INFINITY;
  const char* of = "";
};

namespace detail {
// The sum of the lines that begin with one of these words, without their units.
inline double sum_of_lines(const std::string& path, std::initializer_list<const char*> words) {
  double sum = 0;
  std::ifstream file(path);
  std::string word;
  for (double value = 0; file >> word >> value; file.ignore(256, '\n')) {
    for (const char* each : words) sum += word == each ? value : 0;
  }
  return sum;
}
// Returns how many bytes a group may still take. Files that it keeps in memory count as free.
inline double left_in_group(const std::string& folder, const char* limit, const char* used,
                            std::initializer_list<const char*> files) {
  double most = INFINITY;  // stays if the file says "max"
  double now = 0;
  if (!(std::ifstream(folder + limit) >> most) || !(std::ifstream(folder + used) >> now)) {
    return INFINITY;
  }
  return std::max(0.0, most - now + sum_of_lines(folder + "/memory.stat", files));
}
}  // namespace detail

// Returns how much this process can still take, and whose limit that is.
inline MemoryLimit available_memory() {
  MemoryLimit least;
#if defined(__linux__)
  const auto also = [&least](double bytes, const char* of) {
    if (bytes < least.bytes) least = {bytes, of};
  };
  const double ram = 1024 * detail::sum_of_lines("/proc/meminfo", {"MemAvailable:"});
  if (ram > 0) also(ram, "RAM");
  also(least_in_cgroups(
           "memory",
           [](const std::string& folder) {
             return detail::left_in_group(folder, "/memory.max", "/memory.current",
                                          {"inactive_file", "active_file"});
           },
           [](const std::string& folder) {
             return detail::left_in_group(folder, "/memory.limit_in_bytes",
                                          "/memory.usage_in_bytes",
                                          {"total_inactive_file", "total_active_file"});
           }),
       "the limit of its container or cgroup");
  const MemoryUse use = memory_use();
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    also(static_cast<double>(limit.rlim_cur) - use.mapped, "`ulimit -v`");
  }
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    also(static_cast<double>(limit.rlim_cur) - use.data, "`ulimit -d`");
  }
#endif
  return least;
}

// "1.5 GiB"
inline std::string bytes_in_words(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof *units; ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

}  // namespace pp::host
