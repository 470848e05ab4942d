// Environments of one task, stepped in one loop.
#ifndef PARALLEL_POOL_MINIGRID_KERNEL_HPP_
#define PARALLEL_POOL_MINIGRID_KERNEL_HPP_

#include <optional>
#include <vector>

#include "lanes.hpp"
#include "options.hpp"
#include "possible.hpp"

namespace minigrid {

// There are fifty of them: what needs no types of the task is in lanes.cpp, which is compiled once.
template <class Level>
class Kernel {
 public:
  static constexpr const char* id = Level::id;
  using Options = typename Level::Options;
  using Obs = pp::Dict<pp::At<"image", uint8_t, pp::dynamic, pp::dynamic, pp::dynamic>,
                       pp::At<"direction", pp::Discrete<4, int64_t>>,
                       pp::At<"mission", pp::Text<Level::mission_size.bytes>>,
                       pp::At<"goal_direction", pp::Fields>>;
  using Action = pp::Discrete<Level::actions>;

  static void describe(pp::Spec& spec, const Options& options) {
    describe_task(spec, options, kind_of<Level>);
    expect_levels<Level>(options);
  }

  explicit Kernel(const std::vector<Options>& lanes) : lanes_(pointers(lanes), kind_of<Level>) {}

  void reset(const pp::Rows<Kernel>& rows) { lanes_.reset(Call(rows)); }
  void step(const pp::Rows<Kernel>& rows) {
    const Call call(rows);
    const std::optional<uint32_t> row = lanes_.step(call);
    if (row) lanes_.make_ahead(call, *row, rows.next_seed(*row));
  }

  void save(uint32_t lane, pp::StateWriter& out) const { lanes_.save(lane, out); }
  void load(uint32_t lane, pp::StateReader& in) { lanes_.load(lane, in); }
  void arrays(uint32_t lane, pp::ArrayList& list) { lanes_.arrays(lane, list); }
  pp::FrameSize frame_size(uint32_t lane) const { return lanes_.frame_size(lane); }
  void draw(uint32_t lane, uint8_t* rgb) const { lanes_.draw(lane, rgb); }

 private:
  static std::vector<const CommonOptions*> pointers(const std::vector<Options>& lanes) {
    std::vector<const CommonOptions*> each;
    for (const Options& options : lanes) each.push_back(&options);
    return each;
  }

  Lanes lanes_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_KERNEL_HPP_
