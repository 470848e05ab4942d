// parallel_pool/host/base/cgroups.hpp: what the control groups of this process (v1 and v2) say.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace pp::host {

// The least of v2(folder), or v1(folder), for all groups that this process is in and have that
// controller: each limits its children. Infinity: there is none.
template <class V2, class V1>
double least_in_cgroups([[maybe_unused]] const std::string& controller, [[maybe_unused]] V2 v2,
                        [[maybe_unused]] V1 v1) {
  double least = INFINITY;
#if defined(__linux__)
  const auto on_the_way = [&least](const std::string& root, std::string group, auto value) {
    least = std::min<double>(least, value(root));
    while (!group.empty() && group != "/") {
      least = std::min<double>(least, value(root + group));
      const size_t slash = group.rfind('/');
      group = slash == std::string::npos ? "" : group.substr(0, slash);
    }
  };
  std::ifstream groups("/proc/self/cgroup");  // lines "id:controllers:path"
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      on_the_way("/sys/fs/cgroup", path, v2);
    } else if ((',' + controllers + ',').find(',' + controller + ',') != std::string::npos) {
      on_the_way("/sys/fs/cgroup/" + controllers, path, v1);
    }
  }
#endif
  return least;
}

}  // namespace pp::host
