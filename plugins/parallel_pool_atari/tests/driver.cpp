// SPDX-License-Identifier: GPL-2.0-only
// The engine behind C functions, for the tests that load this library with ctypes.
// Not installed and not part of the plugin.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <random>
#include <string>

#include "code_at_once.hpp"
#include "differential.hpp"
#include "emulator.hpp"
#include "parallel_pool/sdk/pixels/plane_resizer.hpp"
#include "preprocess.hpp"

using namespace pp::atari;  // NOLINT: a test

namespace {
std::string error;
}  // namespace

#define API extern "C" __attribute__((visibility("default")))

API Emulator* emulator_new(const char* rom) {
  return new Emulator({rom, 0.0F, 0, -1, -1, Engine::automatic});
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
API int emulator_act(Emulator* e, int action) {
  return e->act(action);
}
API const uint8_t* emulator_ram(Emulator* e) {
  return e->ram();
}
// What there is: 0 actions, 1 modes, 2 difficulties. Their number; they are in `out`.
API int emulator_offers(Emulator* e, int what, int* out) {
  const auto& values = what == 0   ? e->minimal_actions()
                       : what == 1 ? e->modes()
                                   : e->difficulties();
  std::copy(values.begin(), values.end(), out);
  return static_cast<int>(values.size());
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

// Seconds of this thread for `steps` steps of four frames with random actions.
// drawn: how many of them, the last ones, are drawn.
API double bench(const char* rom, int fast, int drawn, int steps, unsigned seed) {
  const auto now = [] {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  vcs::translator::Program::frames_between_chunks = usual_frames_between_chunks;
  Emulator e({rom, 0.0F, 0, -1, -1, fast != 0 ? Engine::fast : Engine::ale});
  e.reset();
  std::mt19937 random(seed);
  const auto& actions = e.minimal_actions();
  const double start = now();
  for (int i = 0; i < steps; ++i) {
    const int action = actions[random() % actions.size()];
    for (int k = 0; k < 4; ++k) e.act(action, k >= 4 - drawn);
    if (e.game_over()) e.reset();
  }
  return now() - start;
}
