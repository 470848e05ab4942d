// Calls on a GPU, whose frames are copied to host memory and whose results are copied back. The
// memory belongs to a pool, which has one call at a time.
#pragma once

#include <vector>

#include "xla/cuda.hpp"
#include "xla/frame.hpp"

namespace pp::xla {

class Staging {
 public:
  // The frame with its arguments, and room for its results, in host memory; for one call.
  Frame arrive(const Frame& device, const cuda::Stream& stream);
  // The results to where XLA wants them. After a call that threw there are none.
  void depart(const Frame& device, const cuda::Stream& stream) const;

 private:
  cuda::PinnedMemory memory_;
  std::vector<Buffer> buffers_;  // arguments and results, of the call that runs as all that follows
  std::vector<void*> pointers_;
  CallFrame frame_{};
};

}  // namespace pp::xla
