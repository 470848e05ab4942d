#include "conformance/stack.hpp"

#include "parallel_pool/host/plugin/error_sink.hpp"

namespace pp::python {

void fill_stack(uint8_t byte) {
  volatile uint64_t below[1 << 11];
  for (volatile uint64_t& each : below) each = byte * 0x0101010101010101u;
}

void* create_below(const pp_env& env, const pp_shard& shard) {
  [[maybe_unused]] volatile unsigned char above[1 << 12];
  above[0] = 0;
  void* made = env.create(&host::host_table(), &shard);
  above[1] = 0;
  return made;
}

}  // namespace pp::python
