// Tells an environment what it is when its engine breaks.
#ifndef PARALLEL_POOL_VIZDOOM_CUT_SHORT_HPP_
#define PARALLEL_POOL_VIZDOOM_CUT_SHORT_HPP_

#include <stdexcept>
#include <string>

#include "parallel_pool/sdk/overlap.hpp"

namespace doom {

// An engine that ended, hangs or says that it cannot: the next episode has another one.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Engines that break in the middle of an episode cut it short; at its beginning they fail it.
class CutShort {
 public:
  void begin_reset() {
    is_stepping_ = false;
    error_.clear();
  }
  void begin_step() {
    is_stepping_ = true;
    error_.clear();
  }
  template <class Work>
  pp::Progress unless_broken(Work&& work) {
    try {
      return work();
    } catch (const Broken& broken) {
      if (!is_stepping_) throw;
      error_ = broken.what();
      return pp::Progress::done;
    }
  }
  // Why; nullptr: it was not.
  const char* reason() const { return error_.empty() ? nullptr : error_.c_str(); }

 private:
  bool is_stepping_ = false;
  std::string error_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_CUT_SHORT_HPP_
