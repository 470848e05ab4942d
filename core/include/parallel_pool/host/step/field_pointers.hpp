// parallel_pool/host/step/field_pointers.hpp: which memory the fields of a plugin's call point to.
//
// Outputs point to the rows of a batch, or nowhere until rows are claimed; actions to the rows that
// the caller filled, for steps only.
#pragma once

#include <cstddef>
#include <vector>

#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/step/action_rows.hpp"

namespace pp::host {

// They are the shard's own scratch, so the caller holds it.
class FieldPointers {
 public:
  // Both outlive it.
  FieldPointers(const Layout& layout, ActionRows& actions) : layout_(layout), actions_(actions) {
    for (size_t f = 0; f < layout.num_fields(); ++f) {
      (layout.is_action(f) ? inputs_ : outputs_).push_back(f);
    }
  }

  void point_at_outputs(const Rows& rows) const {
    if (rows.batch == nullptr) return forget_outputs(*rows.shard);
    for (const size_t f : outputs_) {
      rows.shard->fields[f] = layout_.bytes(rows.batch, layout_.column_of_field(f), rows.row);
    }
  }
  void point_at_actions(const Rows& rows) const {
    for (const size_t f : inputs_) {
      rows.shard->fields[f] = actions_.row(f, rows.env0() + rows.actions);
    }
  }
  void forget_actions(Shard& shard) const {
    for (const size_t f : inputs_) shard.fields[f] = nullptr;
  }
  void forget_outputs(Shard& shard) const {
    for (const size_t f : outputs_) shard.fields[f] = nullptr;
  }

 private:
  const Layout& layout_;
  ActionRows& actions_;
  std::vector<size_t> inputs_;  // fields
  std::vector<size_t> outputs_;
};

}  // namespace pp::host
