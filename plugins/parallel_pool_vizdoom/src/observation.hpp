// Writes observations: the screen alone, or a dict with the names of ViZDoom's Gymnasium
// environments: screen, depth, labels, automap, audio, notifications, gamevariables.
#ifndef PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_
#define PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "scenario_settings.hpp"
#include "variables.hpp"

namespace doom {

class Observation {
 public:
  static void describe(pp::Spec& spec, const DoomOptions& options,
                       const ScenarioSettings& scenario) {
    const bool dict = is_dict(options, scenario);
    for (const Part& part : parts(scenario)) {
      spec.add(PP_ROLE_OBS, dict ? part.name : "", PP_KIND_BOX, PP_UINT8,
               Picture::shape(options, scenario, part.channels))
          .bounds(0, 255);
    }
    if (scenario.sound_samples != 0) {
      spec.add(PP_ROLE_OBS, "audio", PP_KIND_BOX, PP_INT16, {scenario.sound_samples, 2})
          .bounds(-32768, 32767);
    }
    if (scenario.message_bytes != 0) {
      spec.add(PP_ROLE_OBS, "notifications", PP_KIND_BOX, PP_UINT8, {scenario.message_bytes})
          .bounds(0, 255);
    }
    if (dict && !scenario.observed_variables.empty()) {
      spec.add(PP_ROLE_OBS, "gamevariables", PP_KIND_BOX, PP_FLOAT32,
               {static_cast<int64_t>(scenario.observed_variables.size())});
    }
  }

  Observation(const DoomOptions& options, const ScenarioSettings& scenario)
      : parts_(parts(scenario)),
        samples_(static_cast<size_t>(scenario.sound_samples)),
        message_bytes_(static_cast<size_t>(scenario.message_bytes)) {
    pictures_.reserve(parts_.size());
    for (const Part& part : parts_)
      pictures_.emplace_back(options, scenario, part.channels, part.shrinking);
    if (is_dict(options, scenario)) {
      for (const int64_t each : scenario.observed_variables)
        variables_.push_back(static_cast<int>(each));
    }
  }

  // Returns true if nothing that write() is given is kept for later ones.
  bool forgets() const {
    return samples_ == 0 && message_bytes_ == 0 &&
           std::none_of(pictures_.begin(), pictures_.end(),
                        [](const Picture& each) { return each.stacks(); });
  }

  // `game`: a Game or a MatchPlayer.
  template <class Shown>
  void write(const Shown& game, const pp::Fields::Ref& row, bool first) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      pictures_[i].observe(picture(game.engine(), parts_[i]), row.get<uint8_t>(i).data(), first);
    }
    size_t next = parts_.size();
    if (samples_ != 0) hear(game.engine(), row.get<int16_t>(next++).data());
    if (message_bytes_ != 0) read_messages(game.engine(), row.get<uint8_t>(next++).data());
    if (variables_.empty()) return;
    float* const values = row.get<float>(next).data();
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

  static std::vector<Part> parts(const ScenarioSettings& scenario) {
    const auto channels = static_cast<int>(scenario.screen_channels);
    std::vector<Part> parts{{"screen", region_screen, channels, Shrinking::area}};
    if (scenario.observes_depth) parts.push_back({"depth", region_depth, 1, Shrinking::area});
    if (scenario.observes_labels) parts.push_back({"labels", region_labels, 1, Shrinking::nearest});
    if (scenario.observes_automap)
      parts.push_back({"automap", region_automap, channels, Shrinking::area});
    return parts;
  }
  static bool is_dict(const DoomOptions& options, const ScenarioSettings& scenario) {
    return options.dict_observation || parts(scenario).size() > 1 || scenario.sound_samples != 0 ||
           scenario.message_bytes != 0;
  }
  static const uint8_t* picture(const Engine& engine, const Part& part) {
    const uint8_t* drawn = engine.picture(part.region);
    if (drawn == nullptr) {
      throw std::runtime_error(std::string("the engine has no buffer for the ") + part.name);
    }
    return drawn;
  }

  void hear(const Engine& engine, int16_t* samples) const {
    const uint8_t* played = engine.picture(region_audio);
    const size_t bytes = 2 * samples_ * sizeof(int16_t);
    if (played == nullptr || engine.state().region_size[region_audio] < bytes) {
      throw std::runtime_error("the engine has no buffer for sounds");
    }
    std::memcpy(samples, played, bytes);
  }
  // The last of them, if there is no room for all.
  void read_messages(const Engine& engine, uint8_t* bytes) const {
    const char* text = engine.state().notifications;
    const size_t length = strnlen(text, sizeof engine.state().notifications);
    const size_t kept = std::min(length, message_bytes_);
    std::memcpy(bytes, text + length - kept, kept);
    std::memset(bytes + kept, 0, message_bytes_ - kept);
  }

  const std::vector<Part> parts_;
  const size_t samples_;        // samples of sound, on two channels
  const size_t message_bytes_;  // bytes of messages
  std::vector<Picture> pictures_;
  std::vector<int> variables_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_OBSERVATION_HPP_
