// parallel_pool/host/workers/info_store.hpp: pickled infos of Python environments, on their way to
// Python.
//
// Rows are numbers, so a row with such an info carries a handle, and the code that makes the result
// of the rows hands the handles in. Rows that were computed together have one handle together, and
// are in one result. Handle 0 means no info.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pp::host::workers {

class InfoStore {
 public:
  int64_t keep(const char* bytes, size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept_.emplace(++last_, std::string(bytes, size));
    return last_;
  }

  // One text per handle, empty where there is none; each handle is good once.
  std::vector<std::string> take(const std::vector<int64_t>& handles) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> texts(handles.size());
    for (size_t i = 0; i < handles.size(); ++i) {
      const auto found = handles[i] == 0 ? kept_.end() : kept_.find(handles[i]);
      if (found == kept_.end()) continue;
      texts[i] = std::move(found->second);
      kept_.erase(found);
    }
    return texts;
  }

 private:
  std::mutex mutex_;
  int64_t last_ = 0;
  std::unordered_map<int64_t, std::string> kept_;
};

}  // namespace pp::host::workers
