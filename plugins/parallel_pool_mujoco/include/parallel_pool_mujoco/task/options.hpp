// parallel_pool_mujoco/task/options.hpp: the options that tasks of all MuJoCo families have.
//
//   struct Options : pp::mujoco::TaskOptions, pp::mujoco::ObserverOptions {
//     double reset_noise;
//     static constexpr auto declared = pp::options(
//         TaskOptions::declared.with_default(&Options::frame_skip, 2), ObserverOptions::declared,
//         pp::option(&Options::reset_noise, "reset_noise", 0.1, "of positions and velocities"));
//   };
//
// Users may write some of them in another way, and some are not for users: the plugin's hooks see
// to that with parallel_pool_mujoco.sdk.translated and parallel_pool_mujoco.sdk.completed.
#ifndef PARALLEL_POOL_MUJOCO_TASK_OPTIONS_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_OPTIONS_HPP_

#include <cstdint>
#include <string>

#include "parallel_pool/sdk/option_set.hpp"
#include "parallel_pool_mujoco/model.hpp"

namespace pp::mujoco {

// The reactions to a warning of MuJoCo.
enum class OnWarning { truncate, error, ignore };

// The dtypes of observations that are numbers.
enum class ObsDtype { float64, float32 };

namespace detail {
inline constexpr const char* qualities[] = {"full", "fast"};
}

// The options of a Task. A set that needs another order, or options in between, takes the parts.
struct TaskOptions : ModelOptions {
  std::string model_overrides;
  int64_t frame_skip;
  bool fused_norm;
  OnWarning on_warning;

  static constexpr auto overrides =
      option(&TaskOptions::model_overrides, "model_overrides", "",
             "values of the model to replace, such as {'opt.gravity': [0, 0, -3]}");
  static constexpr auto stepping =
      pp::options(overrides, option(&TaskOptions::frame_skip, "frame_skip", 1,
                                    "number of simulation steps per action", Range{1, 1000}));
  static constexpr auto rounding = option(&TaskOptions::fused_norm, "fused_norm", false,
                                          "internal: how numpy adds squares on this machine")
                                       .local();
  static constexpr auto warning =
      option(&TaskOptions::on_warning, "on_warning", OnWarning::truncate,
             "reaction to a warning of MuJoCo, such as an unstable simulation or too many contacts",
             {{"truncate", OnWarning::truncate},
              {"error", OnWarning::error},
              {"ignore", OnWarning::ignore}});
  static constexpr auto declared = pp::options(ModelOptions::declared, stepping, rounding, warning);
};

// The options of pictures. Only Python, which draws the pictures, reads those after the third.
struct PictureOptions {
  bool from_pixels;
  bool pixels_only;
  std::string observation_key;
  std::string render_quality;
  std::string default_camera_config;
  int64_t max_geom;
  std::string visual_options;

  static constexpr auto declared =
      pp::options(option(&PictureOptions::from_pixels, "from_pixels", false,
                         "observations are pictures of the scene"),
                  option(&PictureOptions::pixels_only, "pixels_only", true,
                         "with from_pixels: observe pictures only; False: a dict that also has the "
                         "task's own observation"),
                  option(&PictureOptions::observation_key, "observation_key", "pixels",
                         "with pixels_only=False: key of the pictures in the dict"),
                  option(&PictureOptions::render_quality, "render_quality", "full",
                         "quality of pictures; fast: without shadows, reflections and antialiasing",
                         detail::qualities)
                      .local(),
                  option(&PictureOptions::default_camera_config, "default_camera_config", "",
                         "settings of the free camera, such as {'distance': 4}")
                      .local(),
                  option(&PictureOptions::max_geom, "max_geom", 1000,
                         "largest number of geometries in a picture", Range{1, 1000000})
                      .local(),
                  option(&PictureOptions::visual_options, "visual_options", "",
                         "visualisation flags (mjtVisFlag) of pictures, such as {10: True}")
                      .local());
};

// The options of an Observer.
struct ObserverOptions : PictureOptions {
  int64_t frame_stack;
  ObsDtype obs_dtype;

  static constexpr auto numbers =
      pp::options(option(&ObserverOptions::frame_stack, "frame_stack", 1,
                         "number of stacked observations; 1: no stack", Range{1, 256}),
                  option(&ObserverOptions::obs_dtype, "obs_dtype", ObsDtype::float64,
                         "dtype of observations; the simulation computes in float64",
                         {{"float64", ObsDtype::float64}, {"float32", ObsDtype::float32}}));
  static constexpr auto declared = pp::options(numbers, PictureOptions::declared);
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_OPTIONS_HPP_
