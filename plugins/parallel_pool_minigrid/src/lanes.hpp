// The environments of one kernel, reset, stepped and observed in one loop, whatever their task is.
#ifndef PARALLEL_POOL_MINIGRID_LANES_HPP_
#define PARALLEL_POOL_MINIGRID_LANES_HPP_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "goal_direction.hpp"
#include "grid/world.hpp"
#include "levels_ahead.hpp"
#include "mission.hpp"
#include "observation.hpp"
#include "options.hpp"
#include "step_wrappers.hpp"
#include "task_kind.hpp"

namespace minigrid {

// Says what observations look like. Throws std::invalid_argument for options that the task does not
// have.
void describe_task(pp::Spec& spec, const CommonOptions& options, const TaskKind& kind);

// One call's rows, as pp::Rows has them, of any task's kernel.
struct Call {
  template <class Kernel>
  explicit Call(const pp::Rows<Kernel>& rows)
      : first(rows.first()),
        size(rows.size()),
        mask(rows.mask()),
        rng(&rows.rng(0)),
        action(rows.action()),
        image(rows.template obs<"image">()),
        direction(rows.template obs<"direction">()),
        mission(rows.template obs<"mission">()),
        reward(rows.reward()),
        terminated(rows.terminated()),
        truncated(rows.truncated()) {
    const auto added = rows.template obs<"goal_direction">();
    if (added.size() != 0) goal_direction = added.template get<double>(0).data();
  }
  bool selected(uint32_t row) const { return mask == nullptr || mask[row] != 0; }

  uint32_t first;
  uint32_t size;
  const uint8_t* mask;
  pp::Rng* rng;
  const int32_t* action;
  uint8_t* image;
  int64_t* direction;
  uint8_t* mission;
  double* goal_direction = nullptr;  // NULL where it is not observed
  double* reward;
  uint8_t* terminated;
  uint8_t* truncated;
};

class Lanes {
 public:
  Lanes(const std::vector<const CommonOptions*>& options, const TaskKind& kind);

  void reset(const Call& call);
  // Returns the row whose next level should be made now, if there is one.
  std::optional<uint32_t> step(const Call& call);
  // seed: of the row's next reset, or NULL.
  void make_ahead(const Call& call, uint32_t row, const uint64_t* seed);

  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  pp::FrameSize frame_size(uint32_t lane) const;
  void draw(uint32_t lane, uint8_t* rgb) const;

 private:
  void look(uint32_t lane);
  std::optional<uint32_t> look_ahead(const Call& call);
  void keep(uint32_t lane, Keeper& keeper) const;
  void observe(const Call& call, uint32_t row) const;

  std::vector<std::unique_ptr<Task>> levels_;  // by lane, as the others
  LevelsAhead ahead_;
  std::vector<uint32_t> made_ahead_;  // levels that were made so and played
  bool foresees_;                     // and nothing is drawn during an episode
  uint32_t turn_ = 0;                 // number of the lane that is looked at
  std::vector<Observer> observers_;
  std::vector<MissionWriter> missions_;
  std::vector<GoalFinder> goals_;                        // none if the direction is not observed
  std::vector<std::unique_ptr<StepWrappers>> wrappers_;  // none if no lane wants any
  std::unique_ptr<Tiles> frames_;                        // tiles of render()
  size_t image_bytes_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_LANES_HPP_
