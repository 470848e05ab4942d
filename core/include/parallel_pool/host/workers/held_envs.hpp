// parallel_pool/host/workers/held_envs.hpp: the environments that a worker holds, for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pp::host::workers {

class HeldEnvs {
 public:
  // Ranges come in ascending order.
  void add(uint32_t env0, uint32_t count) { ranges_.emplace_back(env0, count); }

  // "0-3, 8-11"
  std::string text() const {
    std::string text;
    for (size_t i = 0; i < ranges_.size();) {
      const uint32_t from = ranges_[i].first;
      uint32_t end = from;
      for (; i < ranges_.size() && ranges_[i].first == end; ++i) end += ranges_[i].second;
      text += (text.empty() ? "" : ", ") + std::to_string(from);
      if (end - from > 1) text += "-" + std::to_string(end - 1);
    }
    return text;
  }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> ranges_;  // first, count
};

}  // namespace pp::host::workers
