// The limits for pools of ViZDoom's games: threads that each ask the engines of all of their games
// before they wait for any, resize and stack what is seen, and begin episodes that have ended. No
// actions come in and nothing goes out. Either no game waits for another, which is the limit for
// asynchronous pools, or all begin each step together, which is that for a pool in lockstep.
//
// Compiled and driven by bare.py, on the plugin's own controller of an engine.

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "picture.hpp"
#include "scenario.hpp"

namespace {

class Env {
 public:
  Env(const doom::DoomOptions& options, const doom::ScenarioSettings& scenario, uint32_t seed)
      : game_(doom::game_settings(options, scenario)),
        picture_(options, scenario, static_cast<int>(scenario.screen_channels),
                 doom::Shrinking::area),
        random_(seed),
        values_(scenario.buttons.size()),
        observed_(static_cast<size_t>(options.stack_num * options.img_height * options.img_width) *
                  static_cast<size_t>(scenario.screen_channels)) {
    game_.seed(seed);
    game_.begin_episode();
  }

  // True if this call has finished the step or the reset.
  bool go_on(bool wait) { return game_.go_on(wait) == pp::Progress::done; }
  // Takes the results of the step.
  void finish() {
    picture_.observe(game_.engine().picture(doom::region_screen), observed_.data(), first_);
    reward += game_.reward();
    is_under_way_ = false;
  }
  void begin() {
    if (is_under_way_) return;
    is_under_way_ = true;
    first_ = game_.has_ended() || elapsed_ == 525;
    if (first_) {
      elapsed_ = 0;
      game_.begin_episode();
      return;
    }
    for (double& value : values_) value = static_cast<double>(random_() & 1);
    game_.begin_action(values_.data(), 4);
    ++elapsed_;
  }

  double reward = 0;

 private:
  doom::Game game_;
  doom::Picture picture_;
  std::minstd_rand random_;
  std::vector<double> values_;
  std::vector<uint8_t> observed_;
  bool first_ = true;
  bool is_under_way_ = true;
  int elapsed_ = 0;
};

class Bare {
 public:
  Bare(const doom::DoomOptions& options, const doom::ScenarioSettings& scenario, uint32_t threads,
       uint32_t count, bool lockstep)
      : games_(std::min(threads, count)), lockstep_(lockstep) {
    pthread_barrier_init(&barrier_, nullptr, static_cast<unsigned>(games_.size()));
    for (uint32_t i = 0; i < count; ++i) {
      games_[i % games_.size()].push_back(std::make_unique<Env>(options, scenario, i));
    }
    run(0.0);
  }

  // Steps of all threads in that time.
  uint64_t run(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::atomic<uint64_t> steps{0};
    is_over_ = false;
    std::vector<std::thread> threads;
    for (auto& games : games_) {
      threads.emplace_back([this, &steps, &games, end] {
        steps += lockstep_ ? run_in_lockstep(games, end) : run(games, end);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return steps;
  }

 private:
  using Games = std::vector<std::unique_ptr<Env>>;
  using Clock = std::chrono::steady_clock;
  using Time = std::chrono::time_point<Clock, std::chrono::duration<double>>;

  static uint64_t run(Games& games, Time end) {
    uint64_t steps = 0;
    size_t patient = 0;
    const auto go_on = [&steps](Env& game, bool wait) {
      if (!game.go_on(wait)) return false;
      game.finish();
      game.begin();
      ++steps;
      return true;
    };
    for (auto& game : games) game->begin();
    do {
      bool any = false;
      for (auto& game : games) any = go_on(*game, false) || any;
      if (any) continue;
      patient = (patient + 1) % games.size();
      go_on(*games[patient], true);
    } while (Clock::now() < end);
    return steps;
  }

  uint64_t run_in_lockstep(Games& games, Time end) {
    uint64_t steps = 0;
    std::vector<Env*> waiting;
    do {
      for (auto& game : games) {
        game->begin();
        waiting.push_back(game.get());
      }
      while (!waiting.empty()) {
        const size_t before = waiting.size();
        const auto is_done = [](Env* game) {
          if (!game->go_on(false)) return false;
          game->finish();
          return true;
        };
        waiting.erase(std::remove_if(waiting.begin(), waiting.end(), is_done), waiting.end());
        if (waiting.size() == before && waiting.front()->go_on(true)) {
          waiting.front()->finish();
          waiting.erase(waiting.begin());
        }
      }
      steps += games.size();
      // One of them looks at the clock for all.
      if (pthread_barrier_wait(&barrier_) != 0) is_over_ = Clock::now() >= end;
      pthread_barrier_wait(&barrier_);
    } while (!is_over_);
    return steps;
  }

  std::vector<Games> games_;
  const bool lockstep_;
  pthread_barrier_t barrier_{};
  std::atomic<bool> is_over_{false};
};

}  // namespace

extern "C" {
// scenario: the text of a ScenarioSettings.
void* bare_new(const char* scenario, const char* map, uint32_t threads, uint32_t count,
               bool lockstep) {
  doom::DoomOptions options{};
  options.cfg_path = "bare";
  options.map_id = map;
  options.engine_timeout = 60;
  options.img_height = options.img_width = 84;
  options.stack_num = 4;
  auto settings = doom::ScenarioSettings::read(scenario);
  settings.rewards = {};
  settings.start_time = 1;
  settings.timeout = 0;  // Env counts steps itself
  return new Bare(options, settings, threads, count, lockstep);
}
uint64_t bare_run(void* bare, double seconds) {
  return static_cast<Bare*>(bare)->run(seconds);
}
void bare_delete(void* bare) {
  delete static_cast<Bare*>(bare);
}
}
