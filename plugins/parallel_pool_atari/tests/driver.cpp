// SPDX-License-Identifier: GPL-2.0-only
// The engine behind C functions, for the tests that load this library with ctypes.
// Not installed and not part of the plugin.

#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "code_at_once.hpp"
#include "differential.hpp"
#include "emulator.hpp"
#include "parallel_pool/sdk/pixels/frame_stack.hpp"
#include "parallel_pool/sdk/pixels/plane_resizer.hpp"
#include "preprocess.hpp"

using namespace pp::atari;  // NOLINT: a test

namespace {
std::string error;
std::string saved;
}  // namespace

#define API extern "C" __attribute__((visibility("default")))

API const char* last_error() {
  return error.c_str();
}

namespace {
// 0: auto, 1: fast, 2: ale.
Engine engine_of(int number) {
  return number == 1 ? Engine::fast : number == 2 ? Engine::ale : Engine::automatic;
}
}  // namespace

API Emulator* emulator_new(const char* rom, float sticky, int max_frames, int mode, int difficulty,
                           int engine) {
  try {
    return new Emulator({rom, sticky, max_frames, mode, difficulty, engine_of(engine)});
  } catch (const std::exception& e) {
    error = e.what();
    return nullptr;
  }
}
API int emulator_is_fast(Emulator* e) {
  return e->engine() == Engine::fast ? 1 : 0;
}
API void emulator_delete(Emulator* e) {
  delete e;
}
API void emulator_reseed(Emulator* e, uint32_t seed) {
  e->reseed(seed);
}
API void emulator_reset(Emulator* e) {
  e->reset();
}
API int emulator_act(Emulator* e, int action, int drawn) {
  return e->act(action, drawn != 0);
}
API int emulator_game_over(Emulator* e) {
  return e->game_over() ? 1 : 0;
}
API int emulator_truncated(Emulator* e) {
  return e->truncated() ? 1 : 0;
}
API int emulator_lives(Emulator* e) {
  return e->lives();
}
API int emulator_height(Emulator* e) {
  return e->screen_height();
}
API const uint8_t* emulator_screen(Emulator* e) {
  return e->screen();
}
API const uint8_t* emulator_previous_screen(Emulator* e) {
  return e->previous_screen();
}
API const uint8_t* emulator_ram(Emulator* e) {
  return e->ram();
}
API const Palette* emulator_palette(Emulator* e) {
  return &e->palette();
}
API int emulator_minimal_actions(Emulator* e, int* out) {
  const auto& actions = e->minimal_actions();
  std::memcpy(out, actions.data(), actions.size() * sizeof(int));
  return static_cast<int>(actions.size());
}
API int emulator_modes(Emulator* e, int* out) {
  const auto& values = e->modes();
  std::memcpy(out, values.data(), values.size() * sizeof(int));
  return static_cast<int>(values.size());
}
API int emulator_difficulties(Emulator* e, int* out) {
  const auto& values = e->difficulties();
  std::memcpy(out, values.data(), values.size() * sizeof(int));
  return static_cast<int>(values.size());
}
API size_t emulator_save(Emulator* e) {
  return (saved = e->save()).size();
}
API void saved_copy(char* out) {
  std::memcpy(out, saved.data(), saved.size());
}
API int emulator_restore(Emulator* e, const char* state, size_t size) {
  try {
    e->restore(std::string(state, size));
    return 0;
  } catch (const std::exception& x) {
    error = x.what();
    return 1;
  }
}

// The first difference between the engines in `frames` frames, in words; empty if there is none.
API const char* compare_engines(const char* rom, float sticky, int max_frames, int mode,
                                int difficulty, int frames, unsigned seed) {
  try {
    error = Differential({rom, sticky, max_frames, mode, difficulty}).play(frames, seed);
  } catch (const std::exception& e) {
    error = e.what();
  }
  return error.c_str();
}

// Plays the same random actions with every frame drawn and with all but the last two of each step
// left out. out: steps with different shown screens, RAM, rewards; then steps done.
API void compare_undrawn(const char* rom, int engine, int skip, int steps, unsigned seed,
                         int* out) {
  const EmulatorOptions options{rom, 0.0F, 0, -1, -1, engine_of(engine)};
  Emulator a(options), b(options);
  a.reset();
  b.reset();
  std::mt19937 random(seed);
  std::memset(out, 0, 4 * sizeof(int));
  const size_t size = static_cast<size_t>(a.screen_height()) * screen_width;
  const auto& actions = a.minimal_actions();
  for (int i = 0; i < steps; ++i) {
    const int action = actions[random() % actions.size()];
    bool screens = true, rams = true, rewards = true;
    for (int k = 0; k < skip; ++k) {
      const bool shown = k >= skip - 2;
      const int reward_a = a.act(action), reward_b = b.act(action, shown);
      rewards &= reward_a == reward_b && a.game_over() == b.game_over() && a.lives() == b.lives();
      rams &= std::memcmp(a.ram(), b.ram(), ram_size) == 0;
      if (a.game_over()) break;
      if (shown) screens &= std::memcmp(a.screen(), b.screen(), size) == 0;
      if (k == skip - 1) {
        screens &= std::memcmp(a.previous_screen(), b.previous_screen(), size) == 0;
      }
    }
    out[0] += !screens;
    out[1] += !rams;
    out[2] += !rewards;
    ++out[3];
    if (a.game_over()) {
      a.reset();
      b.reset();
    }
  }
}

API void shade_row(const uint8_t* table, const uint8_t* a, const uint8_t* b, int from, int to,
                   uint8_t* out, int best) {
  ShadeTable shades;
  std::memcpy(shades.data(), table, shades.size());
  (best != 0 ? best_row_shader() : shade_one_by_one)(shades, a, b, from, to, out);
}

// The span that changed. Each array has a row of one screen, and behind it one of the other.
API void watch_row(const uint8_t* now, uint8_t* seen, int best, int* span) {
  const SeenRow row{now, now + screen_width, seen, seen + screen_width};
  const pp::pixels::Span changed = (best != 0 ? best_row_watcher() : watch_by_words)(row);
  span[0] = changed.begin;
  span[1] = changed.end;
}

API void resize_plane(const uint8_t* in, int height, int width, uint8_t* out, int out_height,
                      int out_width, int linear) {
  pp::pixels::PlaneResizer resizer(
      height, width, out_height, out_width,
      linear != 0 ? pp::pixels::Interpolation::linear : pp::pixels::Interpolation::area);
  for (int y = 0; y < height; ++y) resizer.set_row(y, in + y * width);
  resizer.finish(out, out);
}

struct Pipeline {
  Preprocessor preprocess;
  pp::pixels::FrameStack<uint8_t> stack;
};
API Pipeline* pipeline_new(Emulator* e, int gray, int height, int width, int linear, int depth) {
  Preprocessor p(e->palette(), e->screen_height(), gray != 0, height, width,
                 linear != 0 ? pp::pixels::Interpolation::linear : pp::pixels::Interpolation::area);
  pp::pixels::FrameStack<uint8_t> s(static_cast<size_t>(depth), p.frame_size());
  return new Pipeline{std::move(p), std::move(s)};
}
API void pipeline_delete(Pipeline* p) {
  delete p;
}
API void pipeline_run(Pipeline* p, const uint8_t* a, const uint8_t* b, uint8_t* out) {
  p->preprocess.run(a, b, p->stack.newest(), p->stack.next());
  p->stack.push();
  p->stack.write(out);
}

// Seconds of this thread for `steps` steps of four frames with random actions.
// what: 0 every frame drawn; 1 first two not drawn; 2 as 1, then frames and stack; 3 only a
// loadROM; 4 no frame drawn.
API double bench(const char* rom, int engine, int what, int steps, unsigned seed) {
  const auto now = [] {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  vcs::translator::Program::frames_between_chunks = usual_frames_between_chunks;
  const double before = now();
  Emulator e({rom, 0.0F, 0, -1, -1, engine_of(engine)});
  if (what == 3) return now() - before;
  e.reset();
  Preprocessor preprocess(e.palette(), e.screen_height(), true, 84, 84,
                          pp::pixels::Interpolation::area);
  pp::pixels::FrameStack<uint8_t> stack(4, preprocess.frame_size());
  std::vector<uint8_t> row(stack.size());
  std::mt19937 random(seed);
  const auto& actions = e.minimal_actions();
  const double start = now();
  for (int i = 0; i < steps; ++i) {
    const int action = actions[random() % actions.size()];
    for (int k = 0; k < 4; ++k) e.act(action, what == 0 || (what != 4 && k >= 2));
    if (what == 2) {
      preprocess.run(e.screen(), e.previous_screen(), stack.newest(), stack.next());
      stack.push();
      stack.write(row.data());
    }
    if (e.game_over()) e.reset();
  }
  return now() - start;
}
