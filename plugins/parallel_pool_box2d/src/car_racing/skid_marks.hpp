// The traces of wheels that slide: what pictures show, and the agent does not see.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_SKID_MARKS_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_SKID_MARKS_HPP_

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "engine/bodies.hpp"

namespace box2d::racing {

class SkidMarks {
 public:
  struct Mark {
    bool on_grass;
    std::vector<Point> points;
  };

  void clear() { *this = SkidMarks(); }
  // Takes what a wheel does in this step, and where.
  void note(size_t wheel, bool slides, bool on_grass, Point at) {
    Trace& trace = traces_[wheel];
    if (!slides) {
      trace = Trace();
    } else if (trace.mark != nullptr && trace.mark->on_grass == on_grass &&
               trace.mark->points.size() < most_points) {
      trace.mark->points.push_back(at);
    } else if (!trace.begun) {
      trace.begun = true;
    } else {
      // Gymnasium means to begin at the place of the step before, which its reference no longer
      // has.
      trace.mark = std::make_shared<Mark>(Mark{on_grass, {at, at}});
      trace.begun = false;
      marks_.push_back(trace.mark);
      if (marks_.size() > most_marks) marks_.pop_front();
    }
  }
  const std::deque<std::shared_ptr<Mark>>& marks() const { return marks_; }

 private:
  static constexpr size_t most_points = 30;
  static constexpr size_t most_marks = 30;
  struct Trace {
    bool begun = false;
    std::shared_ptr<Mark>
        mark;  // lives on while the wheel slides, also when newer marks have replaced it
  };

  std::array<Trace, 4> traces_;
  std::deque<std::shared_ptr<Mark>> marks_;
};

}  // namespace box2d::racing

#endif
