// SPDX-License-Identifier: GPL-2.0-only
// Emulator on ALE: play, and what can be asked. Loading and resets are in emulator_loading.cpp,
// screens in emulator_screens.cpp, saved states in emulator_state*.cpp.

#include "emulator.hpp"

#include <cstring>

#include "emulator_impl.hpp"
#include "fast_play.hpp"

namespace pp::atari {

bool Emulator::Impl::unfinished() const {
  return is_fast ? fast->machine().state().tia.unfinished != 0
                 : tia->*member(ale_private::PartialFrame{});
}

int Emulator::act(int action, bool drawn) {
  Impl& impl = *impl_;
  // A frame that the game did not finish goes on in the same buffer, over what was shown.
  impl.previous_kept = impl.unfinished();
  if (impl.previous_kept) {
    std::memcpy(impl.previous.data(), screen(), impl.previous.size());
  }
  if (impl.is_fast) {
    impl.fast->draw(drawn);
    const int reward = play_frame(impl.ale, *impl.fast, static_cast<ale::Action>(action));
    impl.fast->draw(true);
    return reward;
  }
  *impl.fast_update = !drawn && impl.game->may_skip_drawing;
  const int reward = impl.ale.act(static_cast<ale::Action>(action));
  *impl.fast_update = false;
  return reward;
}

bool Emulator::game_over() const {
  return impl_->ale.game_over(false);
}
bool Emulator::truncated() const {
  return impl_->ale.game_truncated();
}
int Emulator::lives() const {
  return impl_->ale.lives();
}
int Emulator::episode_frame_number() const {
  return impl_->ale.getEpisodeFrameNumber();
}
int Emulator::frame_number() const {
  return impl_->ale.getFrameNumber();
}

int Emulator::screen_height() const {
  return impl_->game->screen_height;
}
const uint8_t* Emulator::ram() const {
  return impl_->is_fast ? impl_->fast->machine().ram() : impl_->ale.getRAM().array();
}
const Palette& Emulator::palette() const {
  return impl_->game->palette;
}
Engine Emulator::engine() const {
  return impl_->is_fast ? Engine::fast : Engine::ale;
}

void Emulator::translate(vcs::Translation translation) {
  if (impl_->is_fast) impl_->fast->machine().translate(translation);
}

const std::vector<int>& Emulator::minimal_actions() const {
  return impl_->game->minimal_actions;
}
const std::vector<int>& Emulator::legal_actions() const {
  return impl_->game->legal_actions;
}
const std::vector<int>& Emulator::modes() const {
  return impl_->game->modes;
}
const std::vector<int>& Emulator::difficulties() const {
  return impl_->game->difficulties;
}

}  // namespace pp::atari
