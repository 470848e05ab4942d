// Pictures of any size, resized and stacked, and numbers that are stacked: what sdk/pixels is for.
#include <parallel_pool/env.hpp>
#include <parallel_pool/sdk/pixels/frame_stack.hpp>
#include <parallel_pool/sdk/pixels/resizer.hpp>

namespace {

namespace pixels = pp::pixels;

struct Pictures {
  struct Options {
    int height;
    int width;
    int channels;
    int out_height;
    int out_width;
    uint32_t depth;
    pixels::Interpolation interpolation;
    pixels::Channels drawn;
    pixels::Channels observed;
    pixels::Padding padding;
    static constexpr pp::Range sizes = {1, 2048};
    static constexpr auto declared = pp::options(
        pp::option(&Options::height, "height", 24, "of what is drawn", sizes),
        pp::option(&Options::width, "width", 32, "of what is drawn", sizes),
        pp::option(&Options::channels, "channels", 3, "of a pixel", pp::Range{1, 4}),
        pp::option(&Options::out_height, "out_height", 10, "of what is observed", sizes),
        pp::option(&Options::out_width, "out_width", 12, "of what is observed", sizes),
        pp::option(&Options::depth, "depth", 2, "frames in a stack", pp::Range{1, 16}),
        pp::option(
            &Options::interpolation, "interpolation", pixels::Interpolation::area, "OpenCV's",
            {{"area", pixels::Interpolation::area}, {"linear", pixels::Interpolation::linear}}),
        pp::option(&Options::drawn, "drawn", pixels::Channels::last, "order of what is drawn",
                   {{"last", pixels::Channels::last}, {"first", pixels::Channels::first}}),
        pp::option(&Options::observed, "observed", pixels::Channels::first, "order in a stack",
                   {{"last", pixels::Channels::last}, {"first", pixels::Channels::first}}),
        pp::option(&Options::padding, "padding", pixels::Padding::repeat, "before the first frame",
                   {{"repeat", pixels::Padding::repeat}, {"zero", pixels::Padding::zero}}));
  };
  static constexpr const char* id = "pixels/Pictures-v0";
  using Obs = pp::Box<uint8_t, pp::dynamic, pp::dynamic, pp::dynamic>;
  using Action = pp::Discrete<2>;

  static void describe(pp::Spec& spec, const Options& options) {
    const int64_t planes = int64_t{options.depth} * options.channels;
    if (options.observed == pixels::Channels::first) {
      spec.obs().shaped({planes, options.out_height, options.out_width});
    } else {
      spec.obs().shaped({options.out_height, options.out_width, planes});
    }
    spec.obs().bounds(0, 255);
  }
  explicit Pictures(const Options& options)
      : options_(options),
        resizer_({options.height, options.width, options.channels},
                 {options.out_height, options.out_width}, options.interpolation),
        stack_(options.depth, resizer_.bytes()),
        picture_(static_cast<size_t>(options.height * options.width * options.channels)) {}
  void reset(pp::Rng&, Obs::Ref obs) {
    time_ = 0;
    look();
    stack_.restart(options_.padding);
    write(obs);
  }
  pp::Outcome step(Action::Value, Obs::Ref obs) {
    ++time_;
    look();
    write(obs);
    return {};
  }
  void save(pp::StateWriter& out) const {
    out(time_);
    stack_.save(out);
  }
  void load(pp::StateReader& in) {
    in(time_);
    stack_.load(in);
  }

 private:
  void look() {
    const bool last = options_.drawn == pixels::Channels::last;
    for (int y = 0; y < options_.height; ++y) {
      for (int x = 0; x < options_.width; ++x) {
        for (int c = 0; c < options_.channels; ++c) {
          const int at = last ? (y * options_.width + x) * options_.channels + c
                              : (c * options_.height + y) * options_.width + x;
          picture_[static_cast<size_t>(at)] =
              static_cast<uint8_t>(97 * time_ + 31 * y + 17 * x * x + 59 * c + y * x % 251);
        }
      }
    }
    resizer_.run(picture_.data(), options_.drawn, stack_.next(), options_.observed);
    stack_.push();
  }
  void write(Obs::Ref obs) const {
    if (options_.observed == pixels::Channels::first) {
      stack_.write(obs.data());
    } else {
      stack_.write_channels_last(obs.data(), static_cast<size_t>(options_.channels));
    }
  }
  Options options_;
  pixels::Resizer resizer_;
  pixels::FrameStack<uint8_t> stack_;
  std::vector<uint8_t> picture_;
  int time_ = 0;
};

// Computes in float64, observes in float32.
struct Numbers {
  static constexpr const char* id = "pixels/Numbers-v0";
  using Obs = pp::Box<float, 3, 2>;
  using Action = pp::Discrete<2>;

  void reset(pp::Rng& rng, Obs::Ref obs) {
    look(rng);
    stack_.restart(pixels::Padding::repeat);
    stack_.write(obs.data());
  }
  pp::Outcome step(Action::Value, pp::Rng& rng, Obs::Ref obs) {
    look(rng);
    stack_.write(obs.data());
    return {};
  }

 private:
  void look(pp::Rng& rng) {
    for (size_t i = 0; i < stack_.frame_size(); ++i) stack_.next()[i] = rng.random();
    stack_.push();
  }
  pixels::FrameStack<double> stack_{3, 2};
};

}  // namespace

PP_PLUGIN("pixels", pp::scalar<Pictures>(), pp::scalar<Numbers>());
