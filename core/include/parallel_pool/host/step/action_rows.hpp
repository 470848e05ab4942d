// parallel_pool/host/step/action_rows.hpp: where the actions of the next step are put.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_pool/host/batch/layout.hpp"

namespace pp::host {

// By field, rows by environment. A row is written by the thread that submits, before the step, and
// read by the thread that steps.
class ActionRows {
 public:
  // `layout` outlives it.
  ActionRows(const Layout& layout, uint32_t num_envs)
      : layout_(layout), rows_(layout.num_fields()) {
    for (size_t f = 0; f < rows_.size(); ++f) {
      if (layout.is_action(f)) rows_[f].assign(row_bytes(f) * num_envs, 0);
    }
  }

  // Field `f` must be an action.
  char* row(size_t f, uint32_t env) { return rows_[f].data() + env * row_bytes(f); }

 private:
  size_t row_bytes(size_t f) const { return layout_.spec().fields[f].row_bytes; }

  const Layout& layout_;
  std::vector<std::vector<char>> rows_;
};

}  // namespace pp::host
