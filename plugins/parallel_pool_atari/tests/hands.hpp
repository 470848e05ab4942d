// SPDX-License-Identifier: GPL-2.0-only
// What moves the controllers and presses the console's keys while the rig compares two machines.

#ifndef PARALLEL_POOL_ATARI_TESTS_HANDS_HPP_
#define PARALLEL_POOL_ATARI_TESTS_HANDS_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

#include "ale/emucore/Event.hxx"

namespace pp::atari {

using Key = ale::stella::Event;

class Hands {
 public:
  virtual ~Hands() = default;
  // One frame; `set` takes a Key::Type and its value.
  template <class Set>
  void move(std::mt19937& random, Set&& set) {
    decide(random);
    for (int key = 0; key < Key::LastType; ++key) set(static_cast<Key::Type>(key), keys_[key]);
  }
  // The mean count of frames between two power cycles.
  virtual unsigned power_cycle_every() const = 0;

 protected:
  virtual void decide(std::mt19937& random) = 0;
  std::array<int, Key::LastType> keys_{};
};

// For programs that look at ports without meaning anything by it: anything, anytime.
class AnyKey final : public Hands {
 public:
  unsigned power_cycle_every() const override { return 64; }

 protected:
  void decide(std::mt19937& random) override {
    for (const Key::Type key :
         {Key::JoystickZeroUp, Key::JoystickZeroDown, Key::JoystickZeroLeft, Key::JoystickZeroRight,
          Key::JoystickZeroFire, Key::JoystickOneUp, Key::JoystickOneDown, Key::JoystickOneLeft,
          Key::JoystickOneRight, Key::JoystickOneFire, Key::ConsoleSelect, Key::ConsoleReset}) {
      keys_[key] = random() % 4 == 0;
    }
  }
};

// Two players at a game: SELECT a number of times, which most games need to come to a variation for
// two, RESET, and then both play, with joysticks or with four paddles, whichever the game has.
// Seldom a difficulty switch is turned or the game begins anew.
class TwoPlayers final : public Hands {
 public:
  explicit TwoPlayers(int selections) : selections_(selections) {
    std::fill(resistance_.begin(), resistance_.end(), (least + most) / 2);
  }
  unsigned power_cycle_every() const override { return 3000; }

 protected:
  void decide(std::mt19937& random) override {
    // Frames: the power comes on; a key needs to be seen down and up again.
    constexpr int warm_up_frames = 60, press_frames = 16, down_frames = 8;
    const int since = frame_++ - warm_up_frames;
    const int press = since / press_frames;
    const bool down = since >= 0 && since % press_frames < down_frames;
    keys_[Key::ConsoleSelect] = down && press < selections_;
    keys_[Key::ConsoleReset] = (down && press == selections_) || random() % 1000 == 0;
    if (press <= selections_) return;
    if (random() % 300 == 0) turn_switches(random);
    for (Player& player : players_) play(player, random);
  }

 private:
  struct Player {
    Key::Type up, fire;          // `up` is the first of up, down, left, right
    std::array<int, 2> paddles;  // numbers, of the jack this joystick would be in
    int frames_left = 0;
    std::array<int, 2> turning{};
  };
  struct Paddle {
    Key::Type resistance, fire;
  };
  // ALE's limits of a paddle's turn, and how far it turns in a frame.
  static constexpr int least = 27450, most = 790196, turn_step = 23000;
  static constexpr Paddle paddle_keys[4] = {
      {Key::PaddleZeroResistance, Key::PaddleZeroFire},
      {Key::PaddleOneResistance, Key::PaddleOneFire},
      {Key::PaddleTwoResistance, Key::PaddleTwoFire},
      {Key::PaddleThreeResistance, Key::PaddleThreeFire},
  };

  void turn_switches(std::mt19937& random) {
    for (const auto& [on, off] :
         {std::pair{Key::ConsoleLeftDifficultyA, Key::ConsoleLeftDifficultyB},
          std::pair{Key::ConsoleRightDifficultyA, Key::ConsoleRightDifficultyB},
          std::pair{Key::ConsoleColor, Key::ConsoleBlackWhite}}) {
      keys_[on] = random() % 2;
      keys_[off] = 1 - keys_[on];
    }
  }
  void play(Player& player, std::mt19937& random) {
    if (player.frames_left-- <= 0) {
      player.frames_left = static_cast<int>(random() % 16);
      const unsigned vertical = random() % 3, horizontal = random() % 3;
      keys_[player.up] = vertical == 1;
      keys_[player.up + 1] = vertical == 2;
      keys_[player.up + 2] = horizontal == 1;
      keys_[player.up + 3] = horizontal == 2;
      keys_[player.fire] = random() % 2;
      for (size_t i = 0; i < 2; ++i) {
        player.turning[i] = static_cast<int>(random() % 3) - 1;
        keys_[paddle_keys[player.paddles[i]].fire] = random() % 2;
      }
    }
    for (size_t i = 0; i < 2; ++i) {
      int& resistance = resistance_[static_cast<size_t>(player.paddles[i])];
      resistance = std::clamp(resistance + player.turning[i] * turn_step, least, most);
      keys_[paddle_keys[player.paddles[i]].resistance] = resistance;
    }
  }

  int selections_;
  int frame_ = 0;
  std::array<int, 4> resistance_;
  std::array<Player, 2> players_{{{Key::JoystickZeroUp, Key::JoystickZeroFire, {0, 1}},
                                  {Key::JoystickOneUp, Key::JoystickOneFire, {2, 3}}}};
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_HANDS_HPP_
