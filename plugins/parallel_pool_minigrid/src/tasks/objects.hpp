// Tasks in one room with objects: fetch one, go to one, put one near another, remember one.
#ifndef PARALLEL_POOL_MINIGRID_TASKS_OBJECTS_HPP_
#define PARALLEL_POOL_MINIGRID_TASKS_OBJECTS_HPP_

#include <stdexcept>

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

struct ObjectTask : Task {
  void keep_task(Keeper& k) override;

 protected:
  using Reject = bool (*)(const ObjectTask&, Pos);
  // So many of different kinds, one after the other, at places that are not rejected.
  std::vector<Id> place_different(Reject rejected);

  int count_ = 0;
  Id target_ = nothing;  // the object that is to be fetched or moved
  Pos place_;            // the place that it, or the agent, is to reach
  std::vector<Id> placed_;
};

struct Fetch final : ObjectTask {
  static constexpr const char* id = "minigrid/Fetch-v0";
  using Options = CountOptions;
  explicit Fetch(const Options& options) {
    count_ = static_cast<int>(options.num_objs);
    sized(options.size, options.size, 5 * options.size * options.size);
    see_through = true;
  }
  void lay() override;
  pp::Outcome act(Act action) override;
};

struct GoToPlace : ObjectTask {
  GoToPlace() { see_through = true; }
  pp::Outcome act(Act action) override;
};

struct GoToDoor final : GoToPlace {
  static constexpr const char* id = "minigrid/GoToDoor-v0";
  using Options = SizeOptions;
  explicit GoToDoor(const Options& options) {
    sized(options.size, options.size, 4 * options.size * options.size);
  }
  void lay() override;
};

struct GoToObject final : GoToPlace {
  static constexpr const char* id = "minigrid/GoToObject-v0";
  using Options = CountOptions;
  explicit GoToObject(const Options& options) {
    count_ = static_cast<int>(options.num_objs);
    sized(options.size, options.size, 5 * options.size * options.size);
  }
  void lay() override;
};

struct PutNear final : ObjectTask {
  static constexpr const char* id = "minigrid/PutNear-v0";
  using Options = CountOptions;
  explicit PutNear(const Options& options) {
    count_ = static_cast<int>(options.num_objs);
    sized(options.size, options.size, 5 * options.size);
    see_through = true;
  }
  void lay() override;
  pp::Outcome act(Act action) override;

 private:
  void lay_once();
};

struct Memory final : Task {
  static constexpr const char* id = "minigrid/Memory-v0";
  struct Options : CommonOptions {
    int64_t size;
    bool random_length;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::size, "size", 13, "cells per side, an odd number", pp::Range{7, 63}),
        pp::option(&Options::random_length, "random_length", false,
                   "the hallway's length is random"));
  };
  explicit Memory(const Options& options) : random_length_(options.random_length) {
    if (options.size % 2 == 0) throw std::invalid_argument("size has to be odd");
    sized(options.size, options.size, 5 * options.size * options.size);
  }
  void lay() override;
  pp::Outcome act(Act action) override;
  void keep_task(Keeper& k) override;

 private:
  bool random_length_;
  Pos right_;
  Pos wrong_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_TASKS_OBJECTS_HPP_
