// Environments of one task, stepped in one loop.
#ifndef PARALLEL_POOL_MINIGRID_KERNEL_HPP_
#define PARALLEL_POOL_MINIGRID_KERNEL_HPP_

#include <memory>
#include <utility>
#include <vector>

#include "goal_direction.hpp"
#include "grid/world.hpp"
#include "levels_ahead.hpp"
#include "mission.hpp"
#include "observation.hpp"
#include "options.hpp"
#include "possible.hpp"
#include "step_wrappers.hpp"

namespace minigrid {

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
    const Level level(options);
    describe_image(spec.obs("image"), options, level.w, level.h);
    describe_mission(spec.obs("mission"), options, Level::mission_size);
    if (options.goal_direction != GoalDirection::none) {
      describe_goal_direction(spec, options.goal_direction, Level::has_goal);
    }
    [[maybe_unused]] const StepWrappers checked(options, level, Level::actions);
    expect_levels<Level>(options);
  }

  explicit Kernel(const std::vector<Options>& lanes) {
    TileSets tiles;
    bool wrapped = false;
    for (const Options& options : lanes) {
      levels_.push_back(made(options));
      observers_.emplace_back(options, tiles);
      missions_.emplace_back(options, Level::mission_size);
      if (options.goal_direction != GoalDirection::none) {
        goals_.emplace_back(options.goal_direction);
      }
      wrapped = wrapped || StepWrappers::wanted(options);
      foresees_ = foresees_ && StepWrappers::draw_nothing(options);
    }
    // Not between the levels that are played, which one call walks through.
    for (const Options& options : lanes) {
      if (foresees_) ahead_.add(made(options));
    }
    made_ahead_.resize(lanes.size());
    image_bytes_ = observers_.front().image_bytes(*levels_.front());
    for (size_t n = 0; wrapped && n < lanes.size(); ++n) {
      wrappers_.push_back(std::make_unique<StepWrappers>(lanes[n], *levels_[n], Level::actions));
    }
  }

  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      pp::Rng& rng = rows.rng(i);
      if (foresees_ && ahead_.take(lane, levels_[lane], rng)) {
        ++made_ahead_[lane];
      } else {
        levels_[lane]->renew(rng);
      }
      missions_[lane].look(*levels_[lane]);
      if (!goals_.empty()) goals_[lane].look(*levels_[lane]);
      observe(rows, i);
      levels_[lane]->begin();
    }
  }

  void step(const pp::Rows<Kernel>& rows) {
    const auto* actions = rows.action();
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const uint32_t lane = rows.first() + i;
      Level& level = *levels_[lane];
      level.rng = &rows.rng(i);
      const auto action = static_cast<Act>(actions[i]);
      const pp::Outcome out =
          wrappers_.empty() ? level.act(action) : wrappers_[lane]->act(level, action);
      rows.reward()[i] = out.reward;
      rows.terminated()[i] = out.terminated ? 1 : 0;
      rows.truncated()[i] = out.truncated ? 1 : 0;
      observe(rows, i);
    }
    if (foresees_) look_ahead(rows);
  }

  void save(uint32_t lane, pp::StateWriter& out) const {
    Keeper keeper(out);
    keep(lane, keeper);
  }
  void load(uint32_t lane, pp::StateReader& in) {
    Keeper keeper(in);
    keep(lane, keeper);
    missions_[lane].look(*levels_[lane]);
    if (!goals_.empty()) goals_[lane].look(*levels_[lane]);
  }

  void arrays(uint32_t lane, pp::ArrayList& list) {
    const World& level = *levels_[lane];
    list.values("agent", level.at.x, level.at.y);
    list.value("direction", level.dir);
    list.value("steps", level.steps);
    list.value("max_steps", level.max_steps);
    list.value("made_ahead", std::as_const(made_ahead_)[lane]);
  }

  pp::FrameSize frame_size(uint32_t lane) const {
    return {static_cast<uint32_t>(levels_[lane]->h * frame_tile),
            static_cast<uint32_t>(levels_[lane]->w * frame_tile)};
  }
  void draw(uint32_t lane, uint8_t* rgb) const {
    frames_->draw_all(*levels_[lane], observers_[lane].highlights(), rgb);
  }

 private:
  static constexpr int frame_tile = 32;

  static std::unique_ptr<Level> made(const Options& options) {
    auto level = std::make_unique<Level>(options);
    prepare(*level, options);
    level->clear();
    return level;
  }
  // Makes the next level of a lane if its limit comes before it has its turn again. Episodes that
  // began together are cut together; those that end otherwise seldom end together. Where limits
  // are short, a level would wait for long, and be out of the caches when it is needed.
  void look_ahead(const pp::Rows<Kernel>& rows) {
    const auto count = static_cast<int>(rows.size());
    const uint32_t i = turn_++ % rows.size(), lane = rows.first() + i;
    const Level& level = *levels_[lane];
    const int left = level.max_steps - level.steps;
    if (left < 1 || left > count || level.max_steps < 4 * count) return;
    if (!rows.selected(i) || ahead_.is_made(lane)) return;
    const uint64_t* seed = rows.next_seed(i);
    ahead_.make(lane, seed == nullptr ? rows.rng(i) : pp::Rng(*seed));
  }
  // Saving does not change what is kept.
  void keep(uint32_t lane, Keeper& keeper) const {
    levels_[lane]->keep(keeper);
    levels_[lane]->keep_task(keeper);
    if (!wrappers_.empty()) wrappers_[lane]->keep(keeper);
  }
  void observe(const pp::Rows<Kernel>& rows, uint32_t i) const {
    const uint32_t lane = rows.first() + i;
    const Level& level = *levels_[lane];
    observers_[lane].write(level, rows.template obs<"image">() + i * image_bytes_);
    if (!goals_.empty()) {
      const auto added = rows.template obs<"goal_direction">();
      added.template get<double>(0)[i] = goals_[lane].direction(level);
    }
    rows.template obs<"direction">()[i] = level.dir;
    const MissionWriter& mission = missions_[lane];
    mission.write(rows.template obs<"mission">() + i * mission.size());
  }

  std::vector<std::unique_ptr<Level>> levels_;  // by lane, as the others
  LevelsAhead<Level> ahead_;
  std::vector<uint32_t> made_ahead_;   // levels that were made so and played
  bool foresees_ = Level::made_ahead;  // and nothing is drawn during an episode
  uint32_t turn_ = 0;                  // number of the lane that is looked at
  std::vector<Observer> observers_;
  std::vector<MissionWriter> missions_;
  std::vector<GoalFinder> goals_;                        // none if the direction is not observed
  std::vector<std::unique_ptr<StepWrappers>> wrappers_;  // none if no lane wants any
  std::unique_ptr<Tiles> frames_ = std::make_unique<Tiles>(frame_tile);  // tiles of render()
  size_t image_bytes_ = 0;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_KERNEL_HPP_
