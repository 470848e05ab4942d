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

}  // namespace pp::python
