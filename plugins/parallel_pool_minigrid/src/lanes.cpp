#include "lanes.hpp"

#include <utility>

namespace minigrid {
namespace {

constexpr int frame_tile = 32;

std::unique_ptr<Task> made(const CommonOptions& options, const TaskKind& kind) {
  std::unique_ptr<Task> level = kind.make(options);
  prepare(*level, options);
  level->clear();
  return level;
}

}  // namespace

void describe_task(pp::Spec& spec, const CommonOptions& options, const TaskKind& kind) {
  const std::unique_ptr<Task> level = kind.make(options);
  describe_image(spec.obs("image"), options, level->w, level->h);
  describe_mission(spec.obs("mission"), options, kind.mission_size);
  if (options.goal_direction != GoalDirection::none) {
    describe_goal_direction(spec, options.goal_direction, kind.has_goal);
  }
  [[maybe_unused]] const StepWrappers checked(options, *level, kind.actions);
}

Lanes::Lanes(const std::vector<const CommonOptions*>& options, const TaskKind& kind)
    : foresees_(kind.made_ahead), frames_(std::make_unique<Tiles>(frame_tile)) {
  TileSets tiles;
  bool wrapped = false;
  for (const CommonOptions* each : options) {
    levels_.push_back(made(*each, kind));
    observers_.emplace_back(*each, tiles);
    missions_.emplace_back(*each, kind.mission_size);
    if (each->goal_direction != GoalDirection::none) goals_.emplace_back(each->goal_direction);
    wrapped = wrapped || StepWrappers::wanted(*each);
    foresees_ = foresees_ && StepWrappers::draw_nothing(*each);
  }
  // Not between the levels that are played, which one call walks through.
  for (const CommonOptions* each : options) {
    if (foresees_) ahead_.add(made(*each, kind));
  }
  made_ahead_.resize(options.size());
  image_bytes_ = observers_.front().image_bytes(*levels_.front());
  for (size_t n = 0; wrapped && n < options.size(); ++n) {
    wrappers_.push_back(std::make_unique<StepWrappers>(*options[n], *levels_[n], kind.actions));
  }
}

void Lanes::reset(const Call& call) {
  for (uint32_t i = 0; i < call.size; ++i) {
    if (!call.selected(i)) continue;
    const uint32_t lane = call.first + i;
    pp::Rng& rng = call.rng[i];
    if (foresees_ && ahead_.take(lane, levels_[lane], rng)) {
      ++made_ahead_[lane];
    } else {
      levels_[lane]->renew(rng);
    }
    look(lane);
    observe(call, i);
    levels_[lane]->begin();
  }
}

std::optional<uint32_t> Lanes::step(const Call& call) {
  for (uint32_t i = 0; i < call.size; ++i) {
    if (!call.selected(i)) continue;
    const uint32_t lane = call.first + i;
    Task& level = *levels_[lane];
    level.rng = &call.rng[i];
    const auto action = static_cast<Act>(call.action[i]);
    const pp::Outcome out =
        wrappers_.empty() ? level.act(action) : wrappers_[lane]->act(level, action);
    call.reward[i] = out.reward;
    call.terminated[i] = out.terminated ? 1 : 0;
    call.truncated[i] = out.truncated ? 1 : 0;
    observe(call, i);
  }
  return foresees_ ? look_ahead(call) : std::nullopt;
}

// A level is made ahead if the limit of its lane comes before it has its turn again. Episodes that
// began together are cut together; those that end otherwise seldom end together. Where limits are
// short, a level would wait for long, and be out of the caches when it is needed.
std::optional<uint32_t> Lanes::look_ahead(const Call& call) {
  const auto count = static_cast<int>(call.size);
  const uint32_t i = turn_++ % call.size, lane = call.first + i;
  const Task& level = *levels_[lane];
  const int left = level.max_steps - level.steps;
  if (left < 1 || left > count || level.max_steps < 4 * count) return std::nullopt;
  if (!call.selected(i) || ahead_.is_made(lane)) return std::nullopt;
  return i;
}

void Lanes::make_ahead(const Call& call, uint32_t row, const uint64_t* seed) {
  ahead_.make(call.first + row, seed == nullptr ? call.rng[row] : pp::Rng(*seed));
}

void Lanes::save(uint32_t lane, pp::StateWriter& out) const {
  Keeper keeper(out);
  keep(lane, keeper);
}

void Lanes::load(uint32_t lane, pp::StateReader& in) {
  Keeper keeper(in);
  keep(lane, keeper);
  look(lane);
}

void Lanes::arrays(uint32_t lane, pp::ArrayList& list) {
  const World& level = *levels_[lane];
  list.values("agent", level.at.x, level.at.y);
  list.value("direction", level.dir);
  list.value("steps", level.steps);
  list.value("max_steps", level.max_steps);
  list.value("made_ahead", std::as_const(made_ahead_)[lane]);
}

pp::FrameSize Lanes::frame_size(uint32_t lane) const {
  return {static_cast<uint32_t>(levels_[lane]->h * frame_tile),
          static_cast<uint32_t>(levels_[lane]->w * frame_tile)};
}

void Lanes::draw(uint32_t lane, uint8_t* rgb) const {
  frames_->draw_all(*levels_[lane], observers_[lane].highlights(), rgb);
}

// Looks at a level that the lane has not had.
void Lanes::look(uint32_t lane) {
  missions_[lane].look(*levels_[lane]);
  if (!goals_.empty()) goals_[lane].look(*levels_[lane]);
}

// Saving does not change what is kept.
void Lanes::keep(uint32_t lane, Keeper& keeper) const {
  levels_[lane]->keep(keeper);
  levels_[lane]->keep_task(keeper);
  if (!wrappers_.empty()) wrappers_[lane]->keep(keeper);
}

void Lanes::observe(const Call& call, uint32_t row) const {
  const uint32_t lane = call.first + row;
  const Task& level = *levels_[lane];
  observers_[lane].write(level, call.image + row * image_bytes_);
  if (!goals_.empty()) call.goal_direction[row] = goals_[lane].direction(level);
  call.direction[row] = level.dir;
  const MissionWriter& mission = missions_[lane];
  mission.write(call.mission + row * mission.size());
}

}  // namespace minigrid
