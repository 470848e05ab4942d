// The last few observation frames of one environment.
//
// A frame is written into next() and becomes the newest with push(); write() lays the frames out
// oldest first. Older frames live here, not in the caller's buffers, which change from step to
// step.

#ifndef PARALLEL_POOL_ATARI_FRAME_STACK_HPP_
#define PARALLEL_POOL_ATARI_FRAME_STACK_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace pp::atari {

enum class StackPadding {
  kRepeat,  // the first frame of an episode fills the stack (EnvPool, Gymnasium)
  kZero,    // black frames before it (ale-py's vector environment)
};

class FrameStack {
 public:
  FrameStack(int depth, std::size_t frame_size)
      : depth_(depth), frame_size_(frame_size), frames_((depth + 1) * frame_size) {}

  std::size_t size() const { return depth_ * frame_size_; }
  const std::uint8_t* newest() const { return frame(newest_); }
  std::uint8_t* next() { return frame(following()); }

  // next() becomes the newest frame.
  void push() { newest_ = following(); }

  // The newest frame becomes the only one.
  void restart(StackPadding padding) {
    for (int i = 0; i <= depth_; ++i) {
      if (i == newest_) continue;
      if (padding == StackPadding::kRepeat) {
        std::memcpy(frame(i), newest(), frame_size_);
      } else {
        std::memset(frame(i), 0, frame_size_);
      }
    }
  }

  void write(std::uint8_t* out) const {
    for (int i = 0; i < depth_; ++i) {
      std::memcpy(out + i * frame_size_, frame(slot(i)), frame_size_);
    }
  }

  template <class Writer>
  void save(Writer& out) const {
    for (int i = 0; i < depth_; ++i) out.write_bytes(frame(slot(i)), frame_size_);
  }
  template <class Reader>
  void load(Reader& in) {
    newest_ = depth_ - 1;
    for (int i = 0; i < depth_; ++i) in.read_bytes(frame(slot(i)), frame_size_);
  }

 private:
  // Slots are a ring of depth + 1; the oldest frame that counts is two after the newest.
  int slot(int i) const { return (newest_ + 2 + i) % (depth_ + 1); }
  int following() const { return (newest_ + 1) % (depth_ + 1); }
  std::uint8_t* frame(int slot) { return frames_.data() + slot * frame_size_; }
  const std::uint8_t* frame(int slot) const { return frames_.data() + slot * frame_size_; }

  int depth_;
  std::size_t frame_size_;
  std::vector<std::uint8_t> frames_;
  int newest_ = 0;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_FRAME_STACK_HPP_
