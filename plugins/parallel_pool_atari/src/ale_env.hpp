// SPDX-License-Identifier: GPL-2.0-only
// atari/Ale-v5: a game as ale_py.AtariEnv presents it, without preprocessing. `ALE/Pong-v5` and its
// like are this environment with a ROM.
//
// Option names and defaults are those of ale_py.AtariEnv. Promises its episodes in every bit for
// the same seed and actions. Does not offer continuous actions and sound.

#ifndef PARALLEL_POOL_ATARI_ALE_ENV_HPP_
#define PARALLEL_POOL_ATARI_ALE_ENV_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "ale_seed.hpp"
#include "emulator.hpp"
#include "game_options.hpp"
#include "parallel_pool/env.hpp"
#include "picture.hpp"

namespace pp::atari {

class AleEnv {
 public:
  static constexpr const char* id = "atari/Ale-v5";
  static constexpr const char* summary = "an Atari 2600 game as ale-py presents it";
  static constexpr bool late_rows = true;

  enum class Observed { rgb, grayscale, ram };
  struct Options : GameOptions {
    Observed obs_type;
    int64_t frameskip;
    int64_t frameskip_high;

    static constexpr auto declared = pp::options(
        which_game, which_mode,
        option(
            &Options::obs_type, "obs_type", Observed::rgb, "kind of observation",
            {{"rgb", Observed::rgb}, {"grayscale", Observed::grayscale}, {"ram", Observed::ram}}),
        option(&Options::frameskip, "frameskip", 4,
               "number of frames for which an action is repeated", Range{1, 256}),
        option(&Options::frameskip_high, "frameskip_high", 0,
               "if above frameskip, the number of frames is drawn for each step from frameskip to "
               "this, excluded",
               Range{0, 257}),
        sticky_actions.with_default(0.25), which_actions, frame_limit.with_default(108000),
        which_engine);
  };

  using Obs = Box<uint8_t, dynamic>;
  using Action = Discrete<dynamic>;
  using Info =
      Dict<At<"lives", int64_t>, At<"episode_frame_number", int64_t>, At<"frame_number", int64_t>>;

  static void describe(Spec& spec, const Options& options) {
    const Emulator emulator(emulator_options(options));
    Field& obs = spec.obs().bounds(0, 255);
    if (options.obs_type == Observed::ram) {
      obs.shaped({ram_size});
    } else if (options.obs_type == Observed::grayscale) {
      obs.shaped({emulator.screen_height(), screen_width});
    } else {
      obs.shaped({emulator.screen_height(), screen_width, 3});
    }
    spec.action().discrete(static_cast<int64_t>(action_set(emulator, options).size()));
  }

  explicit AleEnv(const Options& options)
      : emulator_(emulator_options(options)),
        actions_(action_set(emulator_, options)),
        observed_(options.obs_type),
        frameskip_(options.frameskip),
        frameskip_high_(options.frameskip_high) {
    if (frameskip_high_ != 0 && frameskip_high_ <= frameskip_) {
      throw std::invalid_argument("frameskip_high is not above frameskip; 0 turns it off");
    }
    for (int i = 0; i < 256; ++i) {
      for (int c = 0; c < 3; ++c) rgb_[i][c] = emulator_.palette().rgb[c][i];
    }
  }

  void unseen(bool unseen) { unseen_ = unseen; }
  void seed(uint64_t value) { seed_ = AleSeed(value); }
  void reseed(uint64_t value) {
    const AleSeed seed(value);
    rng_ = Rng(seed.numpy);
    emulator_.reseed_game(seed.emulator);
  }

  void reset(Rng&, Obs::Ref obs, Info::Ref info) {
    if (seed_.given) {
      rng_ = Rng(seed_.numpy);
      emulator_.reseed(seed_.emulator);
      seed_ = AleSeed();
    }
    emulator_.reset();
    show(obs);
    write(info);
  }

  Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    const int64_t frames =
        frameskip_high_ == 0 ? frameskip_ : rng_.integers(frameskip_, frameskip_high_);
    int reward = 0;
    // ale-py goes on to the last frame even when the game has ended: nothing moves then, but the
    // sticky actions of the next episode depend on it.
    for (int64_t frame = 0; frame < frames; ++frame) {
      reward += emulator_.act(actions_[static_cast<size_t>(action)]);
    }
    Outcome outcome;
    outcome.reward = reward;
    outcome.terminated = emulator_.game_over();
    outcome.truncated = emulator_.truncated();
    if (!unseen_ || outcome.terminated || outcome.truncated) show(obs);
    write(info);
    return outcome;
  }

  FrameSize frame_size() const { return picture_size(emulator_); }
  void draw(uint8_t* rgb) const { draw_picture(emulator_, rgb); }

  void save(StateWriter& out) const {
    out(emulator_.save(), rng_, seed_.given, seed_.numpy, seed_.emulator);
  }
  void load(StateReader& in) {
    std::string machine;
    in(machine);
    emulator_.restore(machine);
    in(rng_, seed_.given, seed_.numpy, seed_.emulator);
  }

 private:
  void show(Obs::Ref obs) {
    uint8_t* out = obs.data();
    const uint8_t* screen = emulator_.screen();
    const int pixels = emulator_.screen_height() * screen_width;
    if (observed_ == Observed::ram) {
      std::memcpy(out, emulator_.ram(), ram_size);
    } else if (observed_ == Observed::grayscale) {
      const auto& gray = emulator_.palette().gray;
      for (int i = 0; i < pixels; ++i) out[i] = gray[screen[i]];
    } else {
      for (int i = 0; i < pixels; ++i) std::memcpy(out + 3 * i, rgb_[screen[i]].data(), 3);
    }
  }
  void write(Info::Ref info) {
    info.get<"lives">() = emulator_.lives();
    info.get<"episode_frame_number">() = emulator_.episode_frame_number();
    info.get<"frame_number">() = emulator_.frame_number();
  }

  Emulator emulator_;
  std::vector<int> actions_;
  Observed observed_;
  int64_t frameskip_, frameskip_high_;
  std::array<std::array<uint8_t, 3>, 256> rgb_;
  Rng rng_;
  AleSeed seed_;  // for the next reset
  bool unseen_ = false;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ALE_ENV_HPP_
