// CarRacing-v3 of Gymnasium 1.4, with three numbers or five actions, equal to it in every byte.
//
// A state is what the empty world remembered when the episode began, the generator of then, the
// colours and the actions: it is restored by driving the episode again, without pictures, and
// copied within a process.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_CAR_RACING_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_CAR_RACING_HPP_

#include <memory>
#include <parallel_pool/env.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "car_racing/race.hpp"
#include "car_racing/view.hpp"
#include "played.hpp"

namespace box2d::racing {

struct Options {
  bool continuous;
  double lap_complete_percent;
  bool domain_randomize;
  int64_t frame_skip;
  int64_t race_steps;
  std::string score_font;
  static constexpr auto declared = pp::options(
      pp::option(&Options::continuous, "continuous", true, "three numbers instead of five keys"),
      pp::option(&Options::lap_complete_percent, "lap_complete_percent", 0.95,
                 "share of the tiles to visit before a lap counts, 1 is all", pp::Range{0, 1}),
      pp::option(&Options::domain_randomize, "domain_randomize", false,
                 "other colours in each episode"),
      pp::option(&Options::frame_skip, "frame_skip", 1,
                 "number of times that each action is repeated; the rewards are added up, and only "
                 "the last picture is drawn",
                 pp::Range{1, 1000}),
      // A state fits a pool with another limit.
      pp::option(&Options::race_steps, "race_steps", 1000, "internal: repeats after which they end")
          .local(),
      pp::option(&Options::score_font, "score_font", "", "internal: pictures of digits"));
};

class CarRacing {
 public:
  static constexpr const char* id = "box2d/CarRacing-v3";
  static constexpr const char* summary = "Drive a lap by steering, gas and brake";
  static constexpr double reward_threshold = 900;
  using Options = racing::Options;
  using Obs = pp::Box<uint8_t, observation_side, observation_side, 3>;
  using Action = Played::Action;
  using Info = pp::Dict<pp::At<"lap_finished", bool>>;
  struct ResetOptions {
    bool randomize;
    static constexpr auto declared = pp::options(pp::option(
        &ResetOptions::randomize, "randomize", true, "new colours, with domain_randomize"));
  };

  static void describe(pp::Spec& spec, const Options& options) {
    Played::describe(spec, forms(), options.continuous);
    spec.max_episode_steps = (options.race_steps + options.frame_skip - 1) / options.frame_skip;
  }

  explicit CarRacing(const Options& options)
      : domain_randomize_(options.domain_randomize),
        lap_complete_(options.lap_complete_percent),
        frame_skip_(options.frame_skip),
        race_steps_(static_cast<size_t>(options.race_steps)),
        digits_(options.score_font),
        race_(lap_complete_),
        played_(forms(), options.continuous, usual_steps) {}
  CarRacing(const CarRacing&) = delete;

  void unseen(bool unseen) { unseen_ = unseen; }
  void set_reset_options(const ResetOptions& options) { randomize_ = options.randomize; }
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    race_.clear();
    memory_ = race_.memory();
    if (domain_randomize_ && randomize_) draw_colours(rng);
    beginning_ = rng;
    played_.clear();
    shown_ = {};
    race_.begin(rng);
    draw_view<observation_side, observation_side>(race_, colours_, digits_, race_.score(),
                                                  obs.data());
    info.get<"lap_finished">() = false;
  }

  pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    pp::Outcome outcome;
    Race::Result result{};
    for (int64_t i = 0; i < frame_skip_ && !result.terminated; ++i) {
      result = race_.step(controls_of(played_.add(action)));
      outcome.reward += result.reward;
      // The pool ends the episode; here only the repeats end.
      if (played_.size() == race_steps_) break;
    }
    if (!unseen_ || result.terminated) {
      draw_view<observation_side, observation_side>(race_, colours_, digits_, race_.score(),
                                                    obs.data());
    }
    info.get<"lap_finished">() = result.lap_finished;
    outcome.terminated = result.terminated;
    return outcome;
  }

  pp::FrameSize frame_size() const { return {film_height, film_width}; }
  void draw(uint8_t* rgb) const {
    Shown shown = std::exchange(shown_, {});  // if this fails, the next begins anew
    if (shown.race == nullptr) {
      shown.race = std::make_unique<Race>(lap_complete_, true);
      shown.race->renew(memory_);
      pp::Rng rng = beginning_;
      shown.race->begin(rng);
    }
    play(*shown.race, shown.played);
    shown.played = played_.size();
    draw_view<film_width, film_height>(*shown.race, colours_, digits_, shown.race->reward(), rgb);
    shown_ = std::move(shown);
  }

  void save(pp::StateWriter& out) const {
    out(beginning_, memory_.free_nodes, memory_.inverse_dt, colours_.road, colours_.field,
        colours_.grass, played_.numbers());
  }
  // The saved generator is the one that the episode began with, and steps draw nothing.
  void reseed(uint64_t) {}
  void load(pp::StateReader& in) {
    pp::Rng rng;
    WorldMemory memory;
    Colours colours;
    std::vector<float> played;
    in(rng, memory.free_nodes, memory.inverse_dt, colours.road, colours.field, colours.grass,
       played);
    check(memory, colours);
    played_.set(std::move(played));
    race_.renew(memory);
    shown_ = {};
    beginning_ = rng;
    memory_ = std::move(memory);
    colours_ = colours;
    race_.begin(rng);
    play(race_, 0);
  }
  void copy_from(const CarRacing& other) {
    race_.copy_from(other.race_);
    colours_ = other.colours_;
    beginning_ = other.beginning_;
    memory_ = other.memory_;
    played_ = other.played_;
    shown_ = {};
  }

 private:
  static constexpr size_t usual_steps = 1000;  // Gymnasium's limit

  static ActionForms forms() { return {{-1, 0, 0}, {1, 1, 1}, 5}; }

  // The actions from that one on.
  void play(Race& race, size_t first) const {
    for (size_t i = first; i < played_.size(); ++i) race.step(controls_of(played_[i]));
  }

  Controls controls_of(const float* command) const {
    if (played_.continuous()) return {-static_cast<double>(command[0]), command[1], command[2]};
    const auto key = static_cast<int>(*command);
    return {key == 1 ? -0.6 : key == 2 ? 0.6 : 0.0, key == 3 ? 0.2 : 0.0, key == 4 ? 0.8 : 0.0};
  }

  void draw_colours(pp::Rng& rng) {
    for (double& each : colours_.road) each = rng.uniform(0, 210);
    for (double& each : colours_.field) each = rng.uniform(0, 210);
    colours_.grass = colours_.field;
    colours_.grass[static_cast<size_t>(rng.integers(0, 3))] += 20;
  }

  static void check(const WorldMemory& memory, const Colours& colours) {
    for (const auto& colour : {colours.road, colours.field, colours.grass}) {
      for (const double each : colour) {
        if (!(each >= 0 && each < 256)) throw std::invalid_argument("a colour beyond 255");
      }
    }
    if (!(memory.inverse_dt >= 0 && memory.inverse_dt <= 51)) {
      throw std::invalid_argument("a step of another length");
    }
  }

  bool domain_randomize_;
  bool randomize_ = true;
  bool unseen_ = false;
  double lap_complete_;
  int64_t frame_skip_;
  size_t race_steps_;  // actions in `played_` at the limit
  picture::Score digits_;
  Race race_;
  Colours colours_;
  pp::Rng beginning_;
  WorldMemory memory_;
  Played played_;  // each repeat
  // The race that pictures show: a second one, in which the same is done and wheels leave marks. It
  // is made at the first picture of an episode.
  struct Shown {
    std::unique_ptr<Race> race;
    size_t played = 0;
  };
  mutable Shown shown_;
};

}  // namespace box2d::racing

#endif
