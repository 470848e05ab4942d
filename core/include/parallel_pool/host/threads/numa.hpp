// parallel_pool/host/threads/numa.hpp: the machine's NUMA nodes, as Linux shows them in /sys.
//
// Nothing but files is read: no library is needed, and a machine without the files has no nodes.
#ifndef PARALLEL_POOL_HOST_THREADS_NUMA_HPP_
#define PARALLEL_POOL_HOST_THREADS_NUMA_HPP_

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"

namespace pp::host {

inline constexpr const char* numa_root = "/sys/devices/system/node";

// The kernel's notation of sets, "0-3,8,10-11", as ascending numbers; nothing for an empty text.
// Throws Error for anything else.
inline std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.find_last_not_of(" \t\r\n") + 1;  // npos + 1 is 0
  const auto number = [&] {
    int value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0) {
      throw Error(ErrorKind::value, "'" + text + "' is not a list of CPUs such as 0-3,8");
    }
    at = rest;
    return value;
  };
  while (at < end) {
    const int first = number();
    int last = first;
    if (at < end && *at == '-') {
      ++at;
      last = number();
    }
    if (last < first || last - first > (1 << 20) || (at < end && *at != ',')) {
      throw Error(ErrorKind::value, "'" + text + "' is not a list of CPUs such as 0-3,8");
    }
    for (int each = first; each <= last; ++each) numbers.push_back(each);
    if (at < end) ++at;
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

namespace detail {
inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}
}  // namespace detail

// The nodes of this machine; none where the system does not say.
inline std::vector<int> numa_nodes(const std::string& root = numa_root) {
  return parse_cpu_list(detail::text_of(root + "/online"));
}

// The CPUs of a node; none if there is no such node, or if it has memory only.
inline std::vector<int> numa_cpus(int node, const std::string& root = numa_root) {
  return parse_cpu_list(detail::text_of(root + "/node" + std::to_string(node) + "/cpulist"));
}

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_THREADS_NUMA_HPP_
