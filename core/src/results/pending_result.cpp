#include "results/pending_result.hpp"

#include <algorithm>
#include <string>

#include "parallel_pool/host/base/error.hpp"

namespace pp::python {

void PendingResult::refuse(const host::Layout& layout, const uint32_t* ids, uint32_t n,
                           bool alone) const {
  if (alone) {
    throw host::Error(host::ErrorKind::busy,
                      "results of an earlier send() were not received: call recv() first");
  }
  const host::Batch& batch = *batch_.batch;
  const auto* rows = layout.rows<int32_t>(&batch, host::column_env_id, 0);
  for (uint32_t i = 0; i < n; ++i) {
    const auto env = static_cast<int32_t>(ids == nullptr ? i : ids[i]);
    if (std::find(rows, rows + batch.rows, env) == rows + batch.rows) continue;
    throw host::Error(host::ErrorKind::busy,
                      "environment " + std::to_string(env) +
                          " has a result that a signal kept from arriving: call recv() first");
  }
}

// Asks the batch for its order, because a caller may change the infos of a result.
py::object PendingResult::latest(const host::Layout& layout) const {
  if (!latest_owner_) return latest_;
  const auto* batch =
      static_cast<const host::Batch*>(PyCapsule_GetPointer(latest_owner_.ptr(), nullptr));
  const auto* rows = layout.rows<int32_t>(batch, host::column_env_id, 0);
  for (uint32_t i = 0; i < num_envs_; ++i) {
    if (rows[i] != static_cast<int32_t>(i)) return py::none();
  }
  return latest_;
}

}  // namespace pp::python
