// SPDX-License-Identifier: GPL-2.0-only
// atari/Preprocessed-v5: a game with the customary preprocessing: frame skip, maximum of the last
// two frames, grey, 84 x 84, a stack of four, no-ops at the start. `Pong-v5` and its like are this
// environment with a ROM.
//
// Option names and defaults are EnvPool's. Promises, for use_fire_reset=False and the same seed and
// actions, the episodes of
//   FrameStackObservation(AtariPreprocessing(make("ALE/...-v5", frameskip=1)), stack_num)
// in every bit: observations (terminal ones too), rewards, ends, RAM. What Gymnasium does not have
// (FIRE at the start, episodic_life, reward_clip) follows EnvPool.

#ifndef PARALLEL_POOL_ATARI_PREPROCESSED_ENV_HPP_
#define PARALLEL_POOL_ATARI_PREPROCESSED_ENV_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ale_seed.hpp"
#include "emulator.hpp"
#include "parallel_pool/env.hpp"
#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "picture.hpp"
#include "preprocess.hpp"
#include "preprocessing_options.hpp"

namespace pp::atari {

class PreprocessedEnv {
 public:
  static constexpr const char* id = "atari/Preprocessed-v5";
  static constexpr const char* summary = "an Atari 2600 game with the customary preprocessing";
  // EnvPool's limit, and what ale-py's 108,000 frames amount to at a frame skip of 4.
  static constexpr int max_episode_steps = 27000;
  static constexpr bool has_discount = true;
  static constexpr bool has_score = true;
  static constexpr bool late_rows = true;

  using Options = PreprocessingOptions;
  using Obs = Box<uint8_t, dynamic, dynamic, dynamic>;
  using Action = Discrete<dynamic>;
  using Info = Dict<At<"lives", int32_t>, At<"reward", float>,  // before clipping
                    At<"terminated", int32_t>,                  // the game is over
                    At<"ram", uint8_t, ram_size>>;

  static void describe(Spec& spec, const Options& options) {
    const Emulator emulator(emulator_options(options));
    const int64_t planes = int64_t{options.stack_num} * (options.gray_scale ? 1 : 3);
    spec.obs().shaped({planes, options.img_height, options.img_width}).bounds(0, 255);
    spec.action().discrete(static_cast<int64_t>(action_set(emulator, options).size()));
    spec.info("ram").bounds(0, 255);
  }

  explicit PreprocessedEnv(const Options& options)
      : emulator_(emulator_options(options)),
        actions_(action_set(emulator_, options)),
        preprocess_(emulator_.palette(), emulator_.screen_height(), options.gray_scale,
                    options.img_height, options.img_width,
                    options.use_inter_area_resize ? pixels::Interpolation::area
                                                  : pixels::Interpolation::linear),
        stack_(static_cast<size_t>(options.stack_num), preprocess_.frame_size()),
        padding_(options.stack_padding),
        frame_skip_(options.frame_skip),
        noop_max_(options.noop_max),
        episodic_life_(options.episodic_life),
        terminal_on_life_loss_(options.terminal_on_life_loss),
        zero_discount_(options.zero_discount_on_life_loss),
        reward_clip_(options.reward_clip),
        fire_(options.use_fire_reset &&
              std::find(actions_.begin(), actions_.end(), fire) != actions_.end()),
        max_pool_(options.max_pool),
        draw_every_frame_(options.draw_every_frame) {
    if (episodic_life_ && terminal_on_life_loss_) {
      throw std::invalid_argument(
          "episodic_life (the next episode goes on with the game) and terminal_on_life_loss "
          "(it is a new game) exclude each other; set one of them");
    }
  }

  void unseen(bool unseen) { unseen_ = unseen; }
  void seed(uint64_t value) { seed_ = AleSeed(value); }
  void reseed(uint64_t value) {
    const AleSeed seed(value);
    rng_ = Rng(seed.numpy);
    emulator_.reseed_game(seed.emulator);
  }

  Score reset(Rng&, Obs::Ref obs, Info::Ref info) {
    const AleSeed seed = std::exchange(seed_, AleSeed());
    bool new_game = !life_lost_ || seed.given;
    life_lost_ = false;

    if (new_game) start_game(seed);
    int points = 0;
    // numpy draws only where there is something to draw, and so do we. EnvPool lets FIRE take the
    // place of the last no-op.
    int64_t noops = noop_max_ > 0 ? rng_.integers(1, noop_max_ + 1) : 0;
    if (fire_ && noops > 0) --noops;
    for (; noops > 0; --noops) new_game |= play_on(noop, seed, !fire_ && noops <= 2, &points);
    if (fire_) new_game |= play_on(fire, seed, true, &points);

    lives_ = emulator_.lives();
    push_screens(Seen::one);
    if (new_game) stack_.restart(padding_);
    stack_.write(obs.data());
    write(info, 0);
    return {static_cast<double>(points), !new_game};
  }

  ScoredOutcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    int reward = 0;
    int frame = 0;
    bool ended = false;
    bool lost = false;
    for (; frame < frame_skip_ && !ended; ++frame) {
      // The frames before the last two are never shown: when one of them ends the episode, the
      // observation is the one before it, as in Gymnasium.
      const bool drawn = !max_pool_ || draw_every_frame_ || frame >= frame_skip_ - 2;
      reward += emulator_.act(actions_[static_cast<size_t>(action)], drawn);
      ended = emulator_.game_over() || emulator_.truncated();
      if (terminal_on_life_loss_) {
        const int lives = emulator_.lives();
        lost |= lives < lives_;
        ended |= lost;
        lives_ = lives;
      }
    }
    if (!ended || !max_pool_) {
      push_screens(max_pool_ && frame_skip_ > 1 ? Seen::two : Seen::one);
    } else if (frame == frame_skip_ && frame_skip_ > 1) {
      // Gymnasium stops before it takes the last screen, and so pools the one before it with what
      // it showed last.
      if (restored_) remember_screens();
      preprocess_.run_on_top(emulator_.previous_screen(), stack_.next());
      stack_.push();
      seen_ = Seen::older;
    } else {
      std::memcpy(stack_.next(), stack_.newest(), preprocess_.frame_size());
      stack_.push();
      seen_ = Seen::older;
    }

    const int lives = emulator_.lives();
    if (!terminal_on_life_loss_) lost = lives < lives_;
    lives_ = lives;
    // A game may show no lives for some frames before it is over (Qbert), so 0 does not count.
    life_lost_ =
        episodic_life_ && lost && lives > 0 && !emulator_.game_over() && !emulator_.truncated();

    ScoredOutcome outcome;
    outcome.reward = reward_clip_ ? (reward > 0) - (reward < 0) : reward;
    outcome.terminated = emulator_.game_over() || life_lost_ || (terminal_on_life_loss_ && lost);
    outcome.truncated = emulator_.truncated();
    outcome.discount = outcome.terminated || (zero_discount_ && lost) ? 0.0 : 1.0;
    outcome.score = {static_cast<double>(reward), life_lost_};
    // The stack itself is kept: any of the next steps may be the last, and show it.
    if (!unseen_ || outcome.terminated || outcome.truncated) stack_.write(obs.data());
    write(info, reward);
    return outcome;
  }

  FrameSize frame_size() const { return picture_size(emulator_); }
  void draw(uint8_t* rgb) const { draw_picture(emulator_, rgb); }

  // The screens that the preprocessor saw last are the emulator's, unless the episode has ended:
  // then they are not looked at again.
  void save(StateWriter& out) const {
    out(emulator_.save(), rng_, seed_.given, seed_.numpy, seed_.emulator, lives_, life_lost_,
        seen_);
    stack_.save(out);
  }
  void load(StateReader& in) {
    std::string machine;
    in(machine);
    emulator_.restore(machine);
    in(rng_, seed_.given, seed_.numpy, seed_.emulator, lives_, life_lost_);
    in.between(seen_, Seen::one, Seen::older, "seen");
    stack_.load(in);
    preprocess_.forget();
    restored_ = seen_ != Seen::older;
    if (restored_) emulator_.keep_screens();
  }

 private:
  // The screens that the preprocessor saw last.
  enum class Seen : uint8_t {
    one,    // the emulator's
    two,    // and the one before it
    older,  // others
  };

  void start_game(const AleSeed& seed) {
    if (seed.given) {
      rng_ = Rng(seed.numpy);
      emulator_.reseed(seed.emulator);
    }
    emulator_.reset();
  }

  // One frame before the episode begins, and what it adds to the points of the game. A game that
  // ends here starts again, from the same seed if there is one, as in Gymnasium. Whether it did.
  bool play_on(int action, const AleSeed& seed, bool shown, int* points) {
    *points +=
        emulator_.act(action, shown || draw_every_frame_ || emulator_.engine() == Engine::ale);
    if (!emulator_.game_over() && !emulator_.truncated()) return false;
    start_game(seed);
    *points = 0;
    return true;
  }

  void push_screens(Seen which) {
    const uint8_t* screen = emulator_.screen();
    preprocess_.run(screen, which == Seen::two ? emulator_.previous_screen() : screen,
                    stack_.newest(), stack_.next());
    stack_.push();
    seen_ = which;
    restored_ = false;
  }

  // Remembers the screens that the preprocessor would have seen, had this game not been restored.
  void remember_screens() {
    preprocess_.remember([this](uint8_t* a, uint8_t* b) {
      emulator_.kept_screens(a, b);
      if (seen_ == Seen::one) std::memcpy(b, a, preprocess_.screen_size());
    });
    restored_ = false;
  }

  void write(Info::Ref info, int reward) {
    info.get<"lives">() = lives_;
    info.get<"reward">() = static_cast<float>(reward);
    info.get<"terminated">() = emulator_.game_over() ? 1 : 0;
    std::memcpy(info.get<"ram">().data(), emulator_.ram(), ram_size);
  }

  Emulator emulator_;
  std::vector<int> actions_;
  Preprocessor preprocess_;
  pixels::FrameStack<uint8_t> stack_;
  pixels::Padding padding_;
  int frame_skip_;
  int64_t noop_max_;
  bool episodic_life_, terminal_on_life_loss_, zero_discount_, reward_clip_, fire_, max_pool_,
      draw_every_frame_;

  Rng rng_;
  AleSeed seed_;  // for the next reset
  int lives_ = 0;
  bool unseen_ = false;
  Seen seen_ = Seen::older;
  bool restored_ = false;   // and the preprocessor knows nothing of seen_; the emulator does
  bool life_lost_ = false;  // the last step ended an episode, but not the game
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_PREPROCESSED_ENV_HPP_
