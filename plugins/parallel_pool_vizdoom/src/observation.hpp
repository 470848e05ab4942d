// What is observed: the screen alone, or a dict with the names of ViZDoom's Gymnasium environments:
// screen, depth, labels, automap, gamevariables.
#ifndef PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_
#define PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "variables.hpp"

namespace doom {

class Observation {
 public:
  static void describe(pp::Spec& spec, const DoomOptions& options) {
    const bool dict = is_dict(options);
    for (const Part& part : parts(options)) {
      spec.add(PP_ROLE_OBS, dict ? part.name : "", PP_KIND_BOX, PP_UINT8,
               Picture::shape(options, part.channels))
          .bounds(0, 255);
    }
    if (dict && !options.variables.empty()) {
      spec.add(PP_ROLE_OBS, "gamevariables", PP_KIND_BOX, PP_FLOAT32,
               {static_cast<int64_t>(options.variables.size())});
    }
  }

  explicit Observation(const DoomOptions& options) : parts_(parts(options)) {
    pictures_.reserve(parts_.size());
    for (const Part& part : parts_) pictures_.emplace_back(options, part.channels, part.shrinking);
    if (is_dict(options)) {
      for (const double each : options.variables) variables_.push_back(static_cast<int>(each));
    }
  }

  // `game`: who is shown, with engine() and variable().
  template <class Shown>
  void write(const Shown& game, const pp::Fields::Ref& row, bool first) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      pictures_[i].observe(picture(game.engine(), parts_[i]), row.get<uint8_t>(i).data(), first);
    }
    if (variables_.empty()) return;
    float* const values = row.get<float>(parts_.size()).data();
    for (size_t i = 0; i < variables_.size(); ++i) {
      values[i] = static_cast<float>(game.variable(variables_[i]));
    }
  }

 private:
  struct Part {
    const char* name;
    Region region;
    int channels;
    Shrinking shrinking;
  };

  static std::vector<Part> parts(const DoomOptions& options) {
    const auto channels = static_cast<int>(options.screen[2]);
    std::vector<Part> parts{{"screen", region_screen, channels, Shrinking::area}};
    if (options.screen[3] != 0) parts.push_back({"depth", region_depth, 1, Shrinking::area});
    if (options.screen[4] != 0) parts.push_back({"labels", region_labels, 1, Shrinking::nearest});
    if (options.screen[5] != 0)
      parts.push_back({"automap", region_automap, channels, Shrinking::area});
    return parts;
  }
  static bool is_dict(const DoomOptions& options) {
    return options.dict_observation || parts(options).size() > 1;
  }
  static const uint8_t* picture(const Engine& engine, const Part& part) {
    const uint8_t* drawn = engine.picture(part.region);
    if (drawn == nullptr) {
      throw std::runtime_error(std::string("the engine has no buffer for the ") + part.name);
    }
    return drawn;
  }

  const std::vector<Part> parts_;
  std::vector<Picture> pictures_;
  std::vector<int> variables_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_
