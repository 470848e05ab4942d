// parallel_pool/host/threads/cpus.hpp: how many CPUs this process may use, and which.
//
// std::thread::hardware_concurrency() follows the affinity mask at best; a container's CPU quota
// (cgroup v1 and v2) limits a process just as much, and more threads than the quota only get
// throttled.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/cgroups.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace pp::host {

// The CPUs in the affinity mask, ascending. Empty where the system has no such mask.
inline std::vector<int> affinity_cpus() {
  std::vector<int> cpus;
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    }
  }
#endif
  return cpus;
}

namespace detail {
// A quota in CPUs, or infinity.
inline double quota_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (file >> quota >> period && quota != "max" && period > 0) return std::stod(quota) / period;
  return INFINITY;
}
inline double quota_v1(const std::string& folder) {
  double quota = -1;
  double period = 0;
  if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota &&
      std::ifstream(folder + "/cpu.cfs_period_us") >> period && quota > 0 && period > 0) {
    return quota / period;
  }
  return INFINITY;
}
}  // namespace detail

// The cgroup's CPU quota, or infinity.
inline double cgroup_cpus() {
  return least_in_cgroups("cpu", detail::quota_v2, detail::quota_v1);
}

// The number of threads that can really run at once: affinity and quota, at least 1.
inline uint32_t usable_cpus() {
  double cpus = static_cast<double>(affinity_cpus().size());
  if (cpus == 0) cpus = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<uint32_t>(std::max(1.0, std::min(cpus, std::ceil(cgroup_cpus()))));
}

// The system's number of the calling thread; -1 where it says nothing of threads by number.
inline int this_thread_id() {
#if defined(__linux__)
  return static_cast<int>(syscall(SYS_gettid));
#else
  return -1;
#endif
}

// Lets the calling thread run on these CPUs only. Does nothing where the system has no such masks.
inline void place_this_thread(const std::vector<int>& cpus) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<size_t>(cpu), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#else
  (void)cpus;
#endif
}

}  // namespace pp::host
