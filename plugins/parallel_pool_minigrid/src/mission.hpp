// The mission of an observation: a text, its bytes, or the numbers of its words.
#ifndef PARALLEL_POOL_MINIGRID_MISSION_HPP_
#define PARALLEL_POOL_MINIGRID_MISSION_HPP_

#include <algorithm>
#include <vector>

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

void describe_mission(pp::Field& field, const CommonOptions& options, MissionSize size);

// Writes the missions of one lane.
class MissionWriter {
 public:
  MissionWriter(const CommonOptions& options, MissionSize size)
      : words_(options.mission == Mission::words),
        row_(static_cast<size_t>(words_ ? size.words : size.bytes)) {}

  // Called when the level has another mission.
  void look(const World& world);
  void write(uint8_t* row) const { std::copy(row_.begin(), row_.end(), row); }
  size_t size() const { return row_.size(); }

 private:
  bool words_;
  std::vector<uint8_t> row_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_MISSION_HPP_
