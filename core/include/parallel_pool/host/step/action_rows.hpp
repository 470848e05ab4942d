// parallel_pool/host/step/action_rows.hpp: where the actions of the next step are put.
#pragma once

#include <cstddef>
#include <vector>

#include "parallel_pool/host/batch/layout.hpp"

namespace pp::host {

// By field, rows by environment; with chunks of actions first a row of each environment, then the
// second of each, and so on. A row is written by the thread that submits, before the step, and read
// by the thread that steps.
class ActionRows {
 public:
  // `layout` outlives it.
  ActionRows(const Layout& layout, size_t count) : layout_(layout), rows_(layout.num_fields()) {
    for (size_t f = 0; f < rows_.size(); ++f) {
      if (layout.is_action(f)) rows_[f].assign(row_bytes(f) * count, 0);
    }
  }

  // Field `f` must be an action.
  char* row(size_t f, size_t number) { return rows_[f].data() + number * row_bytes(f); }

 private:
  size_t row_bytes(size_t f) const { return layout_.spec().fields[f].row_bytes; }

  const Layout& layout_;
  std::vector<std::vector<char>> rows_;
};

}  // namespace pp::host
