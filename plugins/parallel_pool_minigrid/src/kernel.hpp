// Environments of one task, stepped in one loop.
#ifndef PARALLEL_POOL_MINIGRID_KERNEL_HPP_
#define PARALLEL_POOL_MINIGRID_KERNEL_HPP_

#include <memory>
#include <stdexcept>
#include <vector>

#include "grid/world.hpp"
#include "mission.hpp"
#include "observation.hpp"
#include "options.hpp"

namespace minigrid {

namespace keys {
PP_KEY(image);
PP_KEY(direction);
PP_KEY(mission);
}  // namespace keys

template <class Level>
class Kernel {
 public:
  static constexpr const char* id = Level::id;
  using Options = typename Level::Options;
  using Obs = pp::Dict<pp::At<keys::image, pp::Box<uint8_t, pp::dynamic, pp::dynamic, pp::dynamic>>,
                       pp::At<keys::direction, pp::Discrete<4, int64_t>>,
                       pp::At<keys::mission, pp::Text<Level::mission_size.bytes>>>;
  using Action = pp::Discrete<Level::actions>;

  static void describe(pp::Spec& spec, const Options& options) {
    const Level level(options);
    const std::array<int64_t, 3> shape = image_shape(options, level.w, level.h);
    spec.obs("image").shaped({shape[0], shape[1], shape[2]});
    describe_mission(spec.obs("mission"), options, Level::mission_size);
  }

  explicit Kernel(const std::vector<Options>& lanes) {
    TileSets tiles;
    for (const Options& options : lanes) {
      levels_.push_back(std::make_unique<Level>(options));
      prepare(*levels_.back(), options);
      observers_.emplace_back(options, tiles);
      missions_.emplace_back(options, Level::mission_size);
    }
    image_size_ = observers_.front().image_size(*levels_.front());
  }

  void reset(const pp::Rows<Kernel>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      Level& level = *levels_[rows.first() + i];
      level.rng = &rows.rng(i);
      level.at = Pos{};
      level.carrying = nothing;
      level.steps = 0;
      level.lay();
      missions_[rows.first() + i].look(level);
      observe(rows, i, level);
      level.begin();
    }
  }

  void step(const pp::Rows<Kernel>& rows) {
    const auto* actions = rows.action();
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      Level& level = *levels_[rows.first() + i];
      level.rng = &rows.rng(i);
      const pp::Outcome out = level.act(static_cast<Act>(actions[i]));
      rows.reward()[i] = out.reward;
      rows.terminated()[i] = out.terminated ? 1 : 0;
      rows.truncated()[i] = out.truncated ? 1 : 0;
      observe(rows, i, level);
    }
  }

  void save(uint32_t lane, pp::StateWriter& out) const {
    Keeper keeper(out);
    keep(*levels_[lane], keeper);
  }
  void load(uint32_t lane, pp::StateReader& in) {
    Keeper keeper(in);
    keep(*levels_[lane], keeper);
    missions_[lane].look(*levels_[lane]);
  }

  void arrays(uint32_t lane, pp::ArrayList& list) {
    const World& level = *levels_[lane];
    list.values("agent", level.at.x, level.at.y);
    list.value("direction", level.dir);
    list.value("steps", level.steps);
    list.value("max_steps", level.max_steps);
  }

  pp::FrameSize frame_size(uint32_t lane) const {
    return {static_cast<uint32_t>(levels_[lane]->h * frame_tile),
            static_cast<uint32_t>(levels_[lane]->w * frame_tile)};
  }
  void draw(uint32_t lane, uint8_t* rgb) const {
    Tiles(frame_tile).draw_all(*levels_[lane], observers_[lane].highlights(), rgb);
  }

 private:
  static constexpr int frame_tile = 32;

  static void keep(Level& level, Keeper& keeper) {
    level.keep(keeper);
    level.keep_task(keeper);
  }
  void observe(const pp::Rows<Kernel>& rows, uint32_t i, const Level& level) const {
    observers_[rows.first() + i].write(level, rows.template obs<keys::image>() + i * image_size_);
    rows.template obs<keys::direction>()[i] = level.dir;
    const MissionWriter& mission = missions_[rows.first() + i];
    mission.write(rows.template obs<keys::mission>() + i * mission.size());
  }

  std::vector<std::unique_ptr<Level>> levels_;  // by lane
  std::vector<Observer> observers_;
  std::vector<MissionWriter> missions_;
  size_t image_size_ = 0;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_KERNEL_HPP_
