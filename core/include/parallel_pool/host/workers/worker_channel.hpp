// parallel_pool/host/workers/worker_channel.hpp: the worker's end of a mailbox: the next call, and
// texts in parts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>

#include "parallel_pool/host/workers/mailbox.hpp"

namespace pp::host::workers {

class WorkerChannel {
 public:
  explicit WorkerChannel(Mailbox& box) : box_(box) {}

  // Waits for a call, until its text is complete, and gives its op.
  Op next() {
    for (;;) {
      Head& head = box_.head();
      const uint32_t answered = head.answer.value.load(std::memory_order_relaxed);
      // The two counters go in step: what was not answered was asked.
      if (!head.request.spin(answered, head.worker_spins)) {
        while (!head.request.sleep(answered, std::chrono::seconds(60))) {
        }
      }
      Call& call = head.call;
      switch (call.op) {
        case Op::read:
          part(call.offset);
          head.answer.raise();
          continue;
        case Op::write:
          if (call.offset == 0) in.clear();
          in.append(box_.text(), static_cast<size_t>(call.size));
          head.answer.raise();
          continue;
        case Op::leave:  // only this call may interrupt another, whose sizes are still there
          in.clear();
          return call.op;
        default:
          if (call.offset == 0) in.clear();
          in.append(box_.text(), static_cast<size_t>(call.size));
          out.clear();
          return call.op;
      }
    }
  }

  void answer(int32_t status) {
    Call& call = box_.call();
    call.status = status;
    call.size = out.size();
    part(0);
    box_.head().answer.raise();
  }

  std::string in;   // the text of the call
  std::string out;  // the text of the answer

 private:
  void part(uint64_t offset) {
    if (offset >= out.size()) return;
    const size_t size =
        std::min<size_t>(out.size() - static_cast<size_t>(offset), box_.text_bytes());
    std::memcpy(box_.text(), out.data() + offset, size);
  }
  Mailbox& box_;
};

}  // namespace pp::host::workers
