// parallel_pool/host/workers/array_list.hpp: the arrays of an environment in a worker, as it
// described them last.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/host/workers/wire_format.hpp"

namespace pp::host::workers {

class ArrayList {
 public:
  // `list`: as wire_format.hpp has it.
  void read(uint32_t lane, std::string_view list) {
    arrays_.clear();
    lane_ = lane;
    for (ByteReader in(list); !in.done();) {
      auto array = in.read<pp_array>();
      // The pointer says in the worker only whether there is a name. Names live as long as the
      // shard.
      if (array.name != nullptr) array.name = names_.emplace(in.text_to_zero()).first->c_str();
      arrays_.push_back(array);
    }
  }

  // Returns true if the list is this lane's.
  bool of(uint32_t lane) const { return lane_ == lane; }
  uint32_t size() const { return static_cast<uint32_t>(arrays_.size()); }
  const pp_array& operator[](uint32_t array) const { return arrays_[array]; }

 private:
  std::vector<pp_array> arrays_;
  uint32_t lane_ = UINT32_MAX;
  std::set<std::string> names_;
};

}  // namespace pp::host::workers
