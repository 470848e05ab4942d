// The engines of one match, which are one game in lockstep: each needs all others' commands for a
// tic. So every request goes to all before any answer is waited for, and one that ends is found
// while others wait for it.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_LOCKSTEP_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_LOCKSTEP_HPP_

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "match_network.hpp"

namespace doom {

class Lockstep {
 public:
  // The failure of one engine, named by its player. No engine is of use after that.
  struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  explicit Lockstep(size_t players) : engines_(players), is_waited_for_(players) {}

  // Ends those before and begins new ones, which answer when they have begun. `arguments`: of each
  // player's command line, without what connects them; library: what they load. Throws Failure,
  // std::runtime_error.
  void start(std::vector<std::vector<std::string>> arguments, const std::string& folder,
             double timeout, const std::string& library) {
    for (auto& engine : engines_) engine.reset();  // first: twice as many need twice the memory
    const MatchNetwork network(engines_.size(), library);
    for (size_t k = 0; k < engines_.size(); ++k) {
      const std::vector<std::string> own = network.arguments(k);
      arguments[k].insert(arguments[k].end(), own.begin(), own.end());
      engines_[k] =
          std::make_unique<Engine>(std::move(arguments[k]), folder, timeout, network.inherited(k));
    }
    all_are_asked();
  }
  // Called after the first update.
  void check_order() const {
    for (size_t k = 0; k < engines_.size(); ++k) {
      if (engines_[k]->state().player_number != k) {
        throw Failure("the engines have met in another order: install vizdoom==1.3.2");
      }
    }
  }
  // Ends them. What they have shown last stays.
  void end() {
    for (auto& engine : engines_) {
      if (engine != nullptr && engine->has_begun()) {
        engine->end();
      } else {
        engine.reset();
      }
    }
  }

  size_t size() const { return engines_.size(); }
  // nullptr: it has not begun.
  Engine* engine(size_t player) const {
    return engines_[player] != nullptr && engines_[player]->has_begun() ? engines_[player].get()
                                                                        : nullptr;
  }

  void ask_tic() {
    ask([](Engine& engine) { engine.ask_tic(); });
  }
  void ask_update() {
    ask([](Engine& engine) { engine.ask_update(); });
  }
  void ask_tic_and_update() {
    ask([](Engine& engine) { engine.ask_tic_and_update(); });
  }
  // Takes the answers to what was asked last; false if some have not come. `wait`: for one of them,
  // but only a little while.
  bool take_answers(bool wait) {
    bool moved = false;
    for (size_t k = 0; k < engines_.size(); ++k) moved = take_answer(k, false) || moved;
    if (moved) patient_ = 0;
    if (missing_ == 0 || moved || !wait) return missing_ == 0;
    // The engine that was asked first; in turn where none answers, so that each is looked at.
    while (!is_waited_for_[patient_]) patient_ = (patient_ + 1) % engines_.size();
    if (!take_answer(patient_, true)) patient_ = (patient_ + 1) % engines_.size();
    return missing_ == 0;
  }
  void command(const std::string& text) {
    for (size_t k = 0; k < engines_.size(); ++k) command(k, text);
  }
  void command(size_t player, const std::string& text) {
    named(player, [&] { engines_[player]->command(text); });
  }

 private:
  template <class Ask>
  void ask(Ask&& ask) {
    for (size_t k = 0; k < engines_.size(); ++k) named(k, [&] { ask(*engines_[k]); });
    all_are_asked();
  }
  void all_are_asked() {
    missing_ = engines_.size();
    is_waited_for_.assign(missing_, true);
    patient_ = 0;
  }
  bool take_answer(size_t player, bool patiently) {
    bool came = false;
    if (!is_waited_for_[player]) return came;
    named(player, [&] { came = engines_[player]->take_answer(patiently); });
    if (came) {
      is_waited_for_[player] = false;
      --missing_;
    }
    return came;
  }
  template <class Work>
  void named(size_t player, Work&& work) const {
    try {
      work();
    } catch (const Engine::Failure& failure) {
      throw Failure("player " + std::to_string(player) + " of " + std::to_string(engines_.size()) +
                    ", which wait for each other: " + failure.what());
    }
  }

  std::vector<std::unique_ptr<Engine>> engines_;
  std::vector<bool> is_waited_for_;
  size_t missing_ = 0;
  size_t patient_ = 0;  // the engine to wait for when none has answered
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_LOCKSTEP_HPP_
