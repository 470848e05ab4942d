// Goes on with a game or a match in answers: each time its engines have answered, the next thing is
// done, which asks for more or is the last.
#ifndef PARALLEL_POOL_VIZDOOM_CONTINUATION_HPP_
#define PARALLEL_POOL_VIZDOOM_CONTINUATION_HPP_

#include "parallel_pool/sdk/overlap.hpp"

namespace doom {

template <class Played>
class Continuation {
 public:
  // Says whether it has asked for something.
  using Next = bool (Played::*)();

  void then(Next next) { next_ = next; }
  void stop() { next_ = nullptr; }

  // answered(): whether everything that was asked for has been.
  template <class Answered>
  pp::Progress go_on(Played& played, Answered&& answered) {
    if (next_ == nullptr) return pp::Progress::done;
    if (!answered()) return pp::Progress::waiting;
    if ((played.*next_)()) return pp::Progress::moved;
    next_ = nullptr;
    return pp::Progress::done;
  }

 private:
  Next next_ = nullptr;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_CONTINUATION_HPP_
