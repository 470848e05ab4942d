// parallel_pool/sdk/pixels/frame_stack.hpp: the last few observations of one environment.
//
// A frame is written into next() and becomes the newest with push(); write() lays the frames out
// oldest first. Older frames live here, not in the caller's row, which is another one each time. A
// frame is any number of elements: a gray picture, three planes of colour, or numbers.
//
//   FrameStack<uint8_t> stack(4, 84 * 84);       // once
//   draw(stack.next());                          // at each step
//   stack.push();
//   if (episode_begins) stack.restart(Padding::repeat);
//   stack.write(obs.data());                     // (4, 84, 84)
#ifndef PARALLEL_POOL_SDK_PIXELS_FRAME_STACK_HPP_
#define PARALLEL_POOL_SDK_PIXELS_FRAME_STACK_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace pp::pixels {

// The frames before the first one of an episode.
enum class Padding {
  repeat,  // the first frame itself (EnvPool, Gymnasium)
  zero,    // black frames
};

// `Element`: uint8_t for pictures, float or double for numbers.
template <class Element>
class FrameStack {
  static_assert(std::is_arithmetic_v<Element>, "a frame is made of numbers");

 public:
  // depth: frames in an observation. frame_size: elements of each.
  FrameStack(size_t depth, size_t frame_size)
      : depth_(depth), frame_size_(frame_size), frames_((depth + 1) * frame_size) {}

  size_t depth() const { return depth_; }
  size_t frame_size() const { return frame_size_; }
  size_t size() const { return depth_ * frame_size_; }  // elements of an observation
  const Element* newest() const { return slot(newest_); }
  // Returns the frame of that age in the order of write(): 0 is the oldest, depth() - 1 the newest.
  const Element* frame(size_t i) const { return slot(slot_of(i)); }

  // Returns the place of the next frame. The newest stays what it is until push().
  Element* next() { return slot(following()); }
  void push() { newest_ = following(); }

  // Makes the newest frame the only one.
  void restart(Padding padding) {
    for (size_t i = 0; i <= depth_; ++i) {
      if (i == newest_) continue;
      if (padding == Padding::repeat) {
        std::memcpy(slot(i), newest(), frame_size_ * sizeof(Element));
      } else {
        std::memset(slot(i), 0, frame_size_ * sizeof(Element));
      }
    }
  }

  // Writes frame after frame: shape (depth, ...), or (depth * planes, height, width). The row may
  // have another type, as float32 observations of a simulation in float64 have.
  template <class Out>
  void write(Out* out) const {
    for (size_t i = 0; i < depth_; ++i, out += frame_size_) {
      if constexpr (std::is_same_v<Out, Element>) {
        std::memcpy(out, frame(i), frame_size_ * sizeof(Element));
      } else {
        std::transform(frame(i), frame(i) + frame_size_, out,
                       [](Element value) { return static_cast<Out>(value); });
      }
    }
  }
  // Writes pixel after pixel, channels last: shape (height, width, depth * channels).
  void write_channels_last(Element* out, size_t channels) const {
    for (size_t at = 0; at < frame_size_; at += channels) {
      for (size_t i = 0; i < depth_; ++i, out += channels) {
        std::memcpy(out, frame(i) + at, channels * sizeof(Element));
      }
    }
  }

  // Name the stack in save() and load() of the environment: stack_.save(out), stack_.load(in).
  template <class Writer>
  void save(Writer& out) const {
    for (size_t i = 0; i < depth_; ++i) out.write_bytes(frame(i), frame_size_ * sizeof(Element));
  }
  template <class Reader>
  void load(Reader& in) {
    newest_ = depth_ - 1;
    for (size_t i = 0; i < depth_; ++i) {
      in.read_bytes(slot(slot_of(i)), frame_size_ * sizeof(Element));
    }
  }

 private:
  // Slots are a ring of depth + 1; the oldest frame that counts is two after the newest.
  size_t slot_of(size_t i) const { return around(newest_ + 2 + i); }
  size_t following() const { return around(newest_ + 1); }
  size_t around(size_t i) const { return i > depth_ ? i - (depth_ + 1) : i; }
  Element* slot(size_t i) { return frames_.data() + i * frame_size_; }
  const Element* slot(size_t i) const { return frames_.data() + i * frame_size_; }

  size_t depth_;
  size_t frame_size_;
  std::vector<Element> frames_;
  size_t newest_ = 0;
};

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_FRAME_STACK_HPP_
