// parallel_pool/host/workers/lane_reports.hpp: errors and notes of environments in a worker, passed
// on to the pool.
#ifndef PARALLEL_POOL_HOST_WORKERS_LANE_REPORTS_HPP_
#define PARALLEL_POOL_HOST_WORKERS_LANE_REPORTS_HPP_

#include <cstddef>
#include <cstdint>
#include <string>

#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"

namespace pp::host::workers {

// Passes on an error of an environment, or a note.
inline void tell(Record kind, uint32_t lane, const char* text) {
  if (kind == Record::note) ErrorSink::set_note(nullptr, lane, text);
  if (kind == Record::error) ErrorSink::set_error(nullptr, lane, text);
}

// Passes on the errors and notes in the answer of a worker.
inline void report(const std::string& text) {
  each_record(text, [](Record kind, uint32_t lane, const char* bytes, size_t size) {
    tell(kind, lane, std::string(bytes, size).c_str());
  });
}

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_LANE_REPORTS_HPP_
