// SPDX-License-Identifier: GPL-2.0-only
// Options of atari/Preprocessed-v5. Names and defaults are EnvPool's, and Gymnasium's
// AtariPreprocessing where EnvPool has none.

#ifndef PARALLEL_POOL_ATARI_PREPROCESSING_OPTIONS_HPP_
#define PARALLEL_POOL_ATARI_PREPROCESSING_OPTIONS_HPP_

#include <cstdint>

#include "game_options.hpp"
#include "parallel_pool/env.hpp"
#include "parallel_pool/sdk/pixels/frame_stack.hpp"

namespace pp::atari {

struct PreprocessingOptions : GameOptions {
  int stack_num;
  int frame_skip;
  int64_t noop_max;
  bool zero_discount_on_life_loss;
  bool episodic_life;
  bool terminal_on_life_loss;
  bool reward_clip;
  bool use_fire_reset;
  int img_height;
  int img_width;
  bool use_inter_area_resize;
  bool gray_scale;
  bool max_pool;
  bool draw_every_frame;
  pixels::Padding stack_padding;

  static constexpr auto declared = pp::options(
      which_game,
      option(&PreprocessingOptions::stack_num, "stack_num", 4,
             "number of stacked frames in an observation", Range{1, 256}),
      option(&PreprocessingOptions::frame_skip, "frame_skip", 4,
             "number of frames for which an action is repeated", Range{1, 256}),
      option(&PreprocessingOptions::noop_max, "noop_max", 30,
             "largest number of no-ops at the start of an episode; 0: none", Range{0, 10000}),
      option(&PreprocessingOptions::zero_discount_on_life_loss, "zero_discount_on_life_loss", false,
             "discount 0 when a life is lost"),
      option(&PreprocessingOptions::episodic_life, "episodic_life", false,
             "a lost life ends the episode; the next episode continues the same game"),
      option(&PreprocessingOptions::terminal_on_life_loss, "terminal_on_life_loss", false,
             "a lost life terminates the episode, and the next episode is a new game, as in "
             "Gymnasium"),
      option(&PreprocessingOptions::reward_clip, "reward_clip", false,
             "the reward is the sign of the change of the score"),
      option(&PreprocessingOptions::use_fire_reset, "use_fire_reset", true,
             "press FIRE at the start of an episode if the game has this action"),
      option(&PreprocessingOptions::img_height, "img_height", 84, "height of a frame in pixels",
             Range{1, 2048}),
      option(&PreprocessingOptions::img_width, "img_width", 84, "width of a frame in pixels",
             Range{1, 2048}),
      which_mode, which_actions, sticky_actions, frame_limit,
      option(&PreprocessingOptions::use_inter_area_resize, "use_inter_area_resize", true,
             "resize by area averaging instead of bilinear interpolation"),
      option(&PreprocessingOptions::gray_scale, "gray_scale", true,
             "grey frames instead of three colour planes"),
      option(&PreprocessingOptions::max_pool, "max_pool", true,
             "observe the pixelwise maximum of the last two frames instead of the last frame"),
      option(&PreprocessingOptions::draw_every_frame, "draw_every_frame", false,
             "draw also the frames that are not part of an observation: slower; with engine "
             "'ale' exact even if a game shortens a frame"),
      which_engine,
      option(&PreprocessingOptions::stack_padding, "stack_padding", pixels::Padding::repeat,
             "what fills the stack after a reset: copies of the first frame, or black frames",
             {{"repeat", pixels::Padding::repeat}, {"zero", pixels::Padding::zero}}));
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_PREPROCESSING_OPTIONS_HPP_
