// parallel_pool/host/workers/array_list.hpp: the arrays of an environment in a worker, as it
// described them last.
#ifndef PARALLEL_POOL_HOST_WORKERS_ARRAY_LIST_HPP_
#define PARALLEL_POOL_HOST_WORKERS_ARRAY_LIST_HPP_

#include <algorithm>
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
      const auto head = in.read<ArrayHead>();
      pp_array array{};
      array.struct_size = sizeof array;
      array.flags = head.flags;
      array.dtype = head.dtype;
      array.ndim = head.ndim;
      std::copy(std::begin(head.shape), std::end(head.shape), array.shape);
      const std::string_view name = in.text(head.name_bytes);
      // Names live as long as the shard.
      if (!name.empty())
        array.name = names_.emplace(name.substr(0, name.size() - 1)).first->c_str();
      arrays_.push_back(array);
    }
  }

  // Whether it is this lane's.
  bool of(uint32_t lane) const { return lane_ == lane; }
  uint32_t size() const { return static_cast<uint32_t>(arrays_.size()); }
  const pp_array& operator[](uint32_t array) const { return arrays_[array]; }

 private:
  std::vector<pp_array> arrays_;
  uint32_t lane_ = UINT32_MAX;
  std::set<std::string> names_;
};

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_ARRAY_LIST_HPP_
