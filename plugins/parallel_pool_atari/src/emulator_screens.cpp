// SPDX-License-Identifier: GPL-2.0-only
// The two screens of an Emulator, shown and remembered.

#include <cstring>

#include "emulator_impl.hpp"

namespace pp::atari {

using vcs::Machine;

// ALE copies this buffer to its screen after each frame, so the two are equal; TIA keeps the frame
// before as well.
const uint8_t* Emulator::screen() const {
  if (impl_->is_fast) impl_->fast->machine().draw_screens();
  return impl_->source().currentFrameBuffer();
}
const uint8_t* Emulator::previous_screen() const {
  if (impl_->previous_kept) return impl_->previous.data();
  if (impl_->is_fast) impl_->fast->machine().draw_screens();
  return impl_->source().previousFrameBuffer();
}

void Emulator::keep_screens() {
  Impl& impl = *impl_;
  for (int i = 0; i < 2; ++i) {
    Impl::KeptScreen& kept = impl.kept[i];
    const auto which = i == 0 ? Machine::Which::screen : Machine::Which::previous_screen;
    kept.as_picture = impl.is_fast && !(i == 1 && impl.previous_kept) &&
                      impl.fast->machine().shown(which) == Machine::Shown::picture;
    if (kept.as_picture) {
      kept.picture = impl.fast->machine().picture(which);
    } else {
      const uint8_t* pixels = i == 0 ? screen() : previous_screen();
      kept.pixels.assign(pixels, pixels + impl.screen_bytes());
    }
  }
}

void Emulator::kept_screens(uint8_t* screen, uint8_t* previous) const {
  uint8_t* const out[] = {screen, previous};
  for (int i = 0; i < 2; ++i) {
    const Impl::KeptScreen& kept = impl_->kept[i];
    if (!kept.as_picture) {
      std::memcpy(out[i], kept.pixels.data(), kept.pixels.size());
      continue;
    }
    impl_->fast->machine().draw(kept.picture, out[i]);
  }
}

}  // namespace pp::atari
