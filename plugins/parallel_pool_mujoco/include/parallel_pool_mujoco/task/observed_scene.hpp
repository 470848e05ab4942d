// parallel_pool_mujoco/task/observed_scene.hpp: the picture in an observation, as the scene
// that Python draws it from (scene.hpp), or a stack of the last few.
#ifndef PARALLEL_POOL_MUJOCO_TASK_OBSERVED_SCENE_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_OBSERVED_SCENE_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"
#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/scene.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/options.hpp"

namespace pp::mujoco {

class ObservedScene {
 public:
  // Adds the scene's field, after all others of the observation: Python takes the last one for the
  // scene. Throws std::invalid_argument for an observation_key that cannot be one.
  static void describe(Spec& spec, const ObserverOptions& options, const Simulation& sim) {
    const std::string key = options.pixels_only ? "" : options.observation_key;
    if (!options.pixels_only) check(spec, key);
    Field& field = spec.add(PP_ROLE_OBS, key, PP_KIND_BOX, PP_UINT8,
                            {static_cast<int64_t>(Scene(sim).size())});
    if (options.frame_stack > 1) field.shape.insert(field.shape.begin(), options.frame_stack);
  }

  // `sim` must outlive this. Edit all arrays of its model first.
  ObservedScene(const ObserverOptions& options, const Simulation& sim)
      : scene_(sim),
        frames_(static_cast<size_t>(options.frame_stack), scene_.size() / sizeof(double)) {}

  // Writes the present scene into field `number` of the row. With `first`, it fills the stack.
  void write(const Fields::Ref& row, size_t number, bool first) {
    const auto bytes = row.get<uint8_t>(number);
    if (bytes.size() != frames_.size() * sizeof(double) ||
        scene_.size() != frames_.frame_size() * sizeof(double)) {
      throw std::logic_error(
          "what the task edits in its model is missing from its pictures: describe() takes a "
          "simulation that edits the same, and the observer is made after all edits");
    }
    scene_.write(reinterpret_cast<char*>(frames_.next()));
    frames_.push();
    if (first) frames_.restart(pixels::Padding::repeat);
    auto* const out = reinterpret_cast<double*>(bytes.data());
    frames_.write(out);
    // Older frames may be from a state that another process has saved.
    for (size_t i = 0; i < frames_.depth(); ++i) {
      scene_.sign(reinterpret_cast<char*>(out + i * frames_.frame_size()));
    }
  }

  void save(StateWriter& out) const { frames_.save(out); }
  // Load the simulation before.
  void load(StateReader& in) {
    std::vector<double> row(frames_.frame_size());
    for (size_t i = 0; i < frames_.depth(); ++i) {
      in.read_bytes(row.data(), row.size() * sizeof(double));
      scene_.adopt(reinterpret_cast<const char*>(row.data()),
                   reinterpret_cast<char*>(frames_.next()));
      frames_.push();
    }
  }

 private:
  static void check(const Spec& spec, const std::string& key) {
    if (key.empty() || key.find('/') != std::string::npos) {
      throw std::invalid_argument("observation_key is '" + key +
                                  "', expected a name without a slash");
    }
    for (const Field& field : spec.fields) {
      if (field.role == PP_ROLE_OBS && field.name == key) {
        throw std::invalid_argument("observation_key is '" + key +
                                    "', which the task itself has; expected another name");
      }
    }
  }

  const Scene scene_;
  pixels::FrameStack<double> frames_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_OBSERVED_SCENE_HPP_
