// parallel_pool/sdk/mujoco/task/options.hpp: the options that tasks of all MuJoCo families have.
//
//   struct Options : pp::mujoco::TaskOptions, pp::mujoco::ObserverOptions {
//     double reset_noise;
//     static constexpr auto declared = pp::options(
//         TaskOptions::declared.with_default(&Options::frame_skip, 2), ObserverOptions::declared,
//         pp::option(&Options::reset_noise, "reset_noise", 0.1, "of positions and velocities"));
//   };
//
// Users may write some of them in another way, and some are not for users: the plugin's hooks see
// to that with parallel_pool.mujoco.translated and parallel_pool.mujoco.completed.
#ifndef PARALLEL_POOL_SDK_MUJOCO_TASK_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_MUJOCO_TASK_OPTIONS_HPP_

#include <cstdint>
#include <string>

#include "parallel_pool/sdk/mujoco/model.hpp"
#include "parallel_pool/sdk/option_set.hpp"

namespace pp::mujoco {

// What a warning of MuJoCo does to an episode.
enum class OnWarning { truncate, error, ignore };

// Of observations that are numbers.
enum class ObsDtype { float64, float32 };

namespace detail {
inline constexpr const char* qualities[] = {"full", "fast"};
}

// Of a Task. A set that needs another order, or something in between, takes it in parts.
struct TaskOptions : ModelOptions {
  std::string model_overrides;
  int64_t frame_skip;
  bool fused_norm;
  OnWarning on_warning;

  static constexpr auto overrides =
      option(&TaskOptions::model_overrides, "model_overrides", "",
             "numbers of the model to replace, such as {'opt.gravity': [0, 0, -3]}");
  static constexpr auto stepping =
      pp::options(overrides, option(&TaskOptions::frame_skip, "frame_skip", 1,
                                    "steps of the simulation for each action", Range{1, 1000}));
  static constexpr auto rounding =
      option(&TaskOptions::fused_norm, "fused_norm", false,
             "how numpy adds up squares on this machine; set by the plugin, not for users")
          .local();
  static constexpr auto warning =
      option(&TaskOptions::on_warning, "on_warning", OnWarning::truncate,
             "what a warning of MuJoCo does (numbers that are none, no room for contacts)",
             {{"truncate", OnWarning::truncate},
              {"error", OnWarning::error},
              {"ignore", OnWarning::ignore}});
  static constexpr auto declared = pp::options(ModelOptions::declared, stepping, rounding, warning);
};

// Of pictures. All but the first three are read by Python only, where pictures are drawn.
struct PictureOptions {
  bool from_pixels;
  bool pixels_only;
  std::string observation_key;
  std::string render_quality;
  std::string default_camera_config;
  int64_t max_geom;
  std::string visual_options;

  static constexpr auto declared = pp::options(
      option(&PictureOptions::from_pixels, "from_pixels", false, "observations are pictures"),
      option(&PictureOptions::pixels_only, "pixels_only", true,
             "with from_pixels: False: the task's own observation as well, in a dict"),
      option(&PictureOptions::observation_key, "observation_key", "pixels",
             "of pictures in that dict"),
      option(&PictureOptions::render_quality, "render_quality", "full",
             "of pictures; fast: no shadows, reflections, smoothed edges", detail::qualities)
          .local(),
      option(&PictureOptions::default_camera_config, "default_camera_config", "",
             "of pictures: where the free camera is, such as {'distance': 4}")
          .local(),
      option(&PictureOptions::max_geom, "max_geom", 1000,
             "of pictures: how many shapes there may be", Range{1, 1000000})
          .local(),
      option(&PictureOptions::visual_options, "visual_options", "",
             "of pictures: MuJoCo's mjtVisFlag, such as {10: True}")
          .local());
};

// Of an Observer.
struct ObserverOptions : PictureOptions {
  int64_t frame_stack;
  ObsDtype obs_dtype;

  static constexpr auto numbers =
      pp::options(option(&ObserverOptions::frame_stack, "frame_stack", 1,
                         "observations in a stack; 1: no stack", Range{1, 256}),
                  option(&ObserverOptions::obs_dtype, "obs_dtype", ObsDtype::float64,
                         "of observations; the simulation has float64",
                         {{"float64", ObsDtype::float64}, {"float32", ObsDtype::float32}}));
  static constexpr auto declared = pp::options(numbers, PictureOptions::declared);
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_SDK_MUJOCO_TASK_OPTIONS_HPP_
