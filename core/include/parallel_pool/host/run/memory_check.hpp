// parallel_pool/host/run/memory_check.hpp: whether a pool fits in memory, found out while it is
// built.
//
// One environment takes as much as the memory of this process grows by when more are built. The
// first do not count: they bring what all share (libraries, models, caches). It is known when the
// others have taken a twentieth of what was free; until then they take no more than a tenth.
// The memory that environments take when they are first reset is not known.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "parallel_pool/host/base/memory.hpp"

namespace pp::host {

struct MemorySource {
  MemoryUse (*use)() = memory_use;
  MemoryLimit (*available)() = available_memory;
};

class MemoryCheck {
 public:
  // `total` parts are to be built, of which `first` may be at once. `batches`: the bytes of those
  // that will exist. `alike`: each part takes as much as any other; else only the next are
  // foreseen.
  MemoryCheck(uint32_t total, uint32_t first, double batches, bool alike,
              const MemorySource& memory = {})
      : total_(total),
        allowed_(std::min(total, first)),
        step_(first),
        batches_(batches),
        alike_(alike),
        memory_(memory) {}

  // Returns how many parts may be built before the next look.
  uint32_t allowed() const { return allowed_; }

  // Looks when that many are built, and before the first. False: they cannot fit; why() says it.
  bool look(uint32_t built) {
    if (allowed_ == total_ && batches_ < small) return true;
    const double resident = memory_.use().resident;
    const bool measured = built_ > 0;  // parts that bring nothing that all share
    if (built == 0) {
      begin_ = resident;
    } else {
      const double each = std::max(0.0, resident - last_) / (built - built_);
      each_ = std::min(each, before_);
      (measured ? before_ : first_) = measured ? each : resident;
      const uint32_t most = alike_ ? std::max(step_, 16 * std::min(built, total_ / 16)) : 64;
      allowed_ = built + std::min(total_ - built, most);
    }
    last_ = resident;
    built_ = built;
    const double taken = std::max(0.0, resident - begin_) + batches_;
    need_ = taken + each_ * (alike_ ? total_ - built : std::min(step_, total_ - built));
    if (need_ < small) return true;
    if (!known_) {
      free_ = memory_.available();
      free_.bytes += taken - batches_;
      known_ = true;
    }
    const bool sure = measured && (!alike_ || resident - first_ > free_.bytes / 20);
    if (batches_ > free_.bytes || (need_ > free_.bytes && sure)) return false;
    if (need_ > free_.bytes || !alike_) {
      const double room = std::max(0.0, std::min(free_.bytes / 25, free_.bytes - taken));
      const auto next = static_cast<uint32_t>(
          std::min(room / std::max(1.0, each_), static_cast<double>(allowed_ - built)));
      allowed_ = built + std::min(total_ - built, std::max(step_, next));
    }
    return true;
  }

  // Looks for parts that other processes build. False: the rest will be gone before the next look.
  bool look_at_the_rest() {
    const MemoryLimit now = memory_.available();
    if (!known_) free_ = now;
    known_ = true;
    const double left = now.bytes - batches_;
    const double gone = std::isfinite(left_) ? left_ - left : 0;
    left_ = left;
    need_ = free_.bytes - left;
    return left >= 0 && left >= gone;
  }

  // Tells how much the pool needs and how much there is.
  std::string why() const {
    const std::string results = bytes_in_words(batches_);
    const std::string envs = bytes_in_words(need_ - batches_);
    const std::string about = alike_ ? "need about " : "need more than ";
    return (need_ == batches_ ? "the results of this pool need " + results
                              : "the environments of this pool " + about + envs +
                                    ", and their results " + results) +
           " of memory, but this process can have " + bytes_in_words(free_.bytes) + " (" +
           free_.of +
           "): make fewer (num_envs), allow more, or say memory_check=False to make them all the "
           "same";
  }

 private:
  static constexpr double small = 64 << 20;  // less is not worth asking what is free

  const uint32_t total_;
  uint32_t allowed_;
  const uint32_t step_;
  const double batches_;
  const bool alike_;
  const MemorySource memory_;
  uint32_t built_ = 0;
  double begin_ = 0;          // memory that was resident at first,
  double first_ = INFINITY;   // after the first parts,
  double last_ = 0;           // and at the last look
  double each_ = 0;           // memory of a part: the least of the last two measurements
  double before_ = INFINITY;  // the last of them; not that of the first parts
  double need_ = 0;
  bool known_ = false;
  MemoryLimit free_;  // at first
  double left_ = INFINITY;
};

}  // namespace pp::host
