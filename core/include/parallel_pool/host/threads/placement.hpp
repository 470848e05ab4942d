// parallel_pool/host/threads/placement.hpp: which CPUs the threads of a pool may run on.
//
// Memory belongs to the NUMA node of the CPU that touches it first. So a placed pool has its
// environments built, and its batches first written, by its threads; what the caller's own thread
// touches (actions, the host's few bytes per environment) stays where the caller is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/threads/cpus.hpp"

namespace pp::host {

struct Placement {
  // Thread i runs on any of cpus[i % size]. Empty: threads run wherever the system likes.
  std::vector<std::vector<int>> cpus;

  bool placed() const { return !cpus.empty(); }
  const std::vector<int>& of(uint32_t thread) const { return cpus[thread % cpus.size()]; }

  // Thread i on the allowed CPU number offset + i, round and round. Below 0: anywhere.
  static Placement from_offset(int32_t offset) {
    Placement placement;
    if (offset < 0) return placement;
    const std::vector<int> allowed = affinity_cpus();
    for (size_t i = 0; i < allowed.size(); ++i) {
      placement.cpus.push_back({allowed[(static_cast<size_t>(offset) + i) % allowed.size()]});
    }
    return placement;
  }

  // Throws if a CPU is not one that this process may use.
  void check() const {
    if (!placed()) return;
    const std::vector<int> allowed = affinity_cpus();
    for (const std::vector<int>& set : cpus) {
      if (set.empty()) throw Error(ErrorKind::value, "a thread is placed on no CPU at all");
      for (const int cpu : set) {
        if (std::binary_search(allowed.begin(), allowed.end(), cpu)) continue;
        throw Error(ErrorKind::value,
                    "CPU " + std::to_string(cpu) + " is not among those that this process may use");
      }
    }
  }
};

}  // namespace pp::host
