// Levels whose instruction is to put objects next to others.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_PUT_NEXT_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_PUT_NEXT_HPP_

#include <stdexcept>
#include <utility>

#include "babyai/level.hpp"

namespace minigrid::babyai {

struct PutNextLocal final : Level {
  static constexpr const char* id = "minigrid/BabyAI-PutNextLocal-v0";
  struct Options : RoomOptions {
    int64_t num_objs;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::num_objs, "num_objs", 8, "number of objects", pp::Range{2, 18}));
  };
  explicit PutNextLocal(const Options& options) : num_objs_(options.num_objs) {
    sized_rooms(options.room_size, 1, 1);
  }

 private:
  int build() override {
    agent_in_room();
    const std::vector<Id> list = add_distractors(any_room, any_room, num_objs_, true);
    require_reachable();
    const std::vector<Id> both = subset(list, 2);
    return put_next(same_as(both[0]), same_as(both[1]));
  }
  int64_t num_objs_;
};

struct PutNext final : Level {
  static constexpr const char* id = "minigrid/BabyAI-PutNext-v0";
  struct Options : TwoRoomOptions {
    bool start_carrying;
    static constexpr auto declared = pp::options(
        TwoRoomOptions::declared, pp::option(&Options::start_carrying, "start_carrying", false,
                                             "what is to be put is carried from the start"));
  };
  explicit PutNext(const Options& options)
      : objs_per_room_(options.objs_per_room), start_carrying_(options.start_carrying) {
    sized_rooms(options.room_size, 1, 2, 8 * options.room_size * options.room_size);
    limit_given = true;
  }
  // The first observation still shows it in its place.
  void begin() override {
    Level::begin();
    if (!start_carrying_) return;
    set(objects[moved_].start.x, objects[moved_].start.y, nothing);
    carrying = moved_;
  }

 private:
  int build() override {
    agent_in_room(0, 0);
    const std::vector<Id> left = add_distractors(0, 0, objs_per_room_, true);
    const std::vector<Id> right = add_distractors(1, 0, objs_per_room_, true);
    remove_wall(0, 0, 0);
    Id a = pick(left);
    Id b = pick(right);
    if (coin()) std::swap(a, b);
    moved_ = a;
    return put_next(same_as(a), same_as(b));
  }
  int64_t objs_per_room_;
  bool start_carrying_;
  Id moved_ = nothing;  // in begin alone
};

struct MoveTwoAcross final : Level {
  static constexpr const char* id = "minigrid/BabyAI-MoveTwoAcross-v0";
  struct Options : TwoRoomOptions {
    static constexpr auto declared =
        pp::options(TwoRoomOptions::declared.with_default(&TwoRoomOptions::objs_per_room, 9));
  };
  explicit MoveTwoAcross(const Options& options) : objs_per_room_(options.objs_per_room) {
    sized_rooms(options.room_size, 1, 2, 16 * options.room_size * options.room_size);
    limit_given = true;
    if (objs_per_room_ < 2) throw std::invalid_argument("objs_per_room has to be 2 or more");
  }

 private:
  int build() override {
    agent_in_room(0, 0);
    std::vector<Id> left = add_distractors(0, 0, objs_per_room_, true);
    std::vector<Id> right = add_distractors(1, 0, objs_per_room_, true);
    remove_wall(0, 0, 0);
    left = subset(left, 2);
    right = subset(right, 2);
    const int first = put_next(same_as(left[0]), same_as(right[0]));
    const int second = put_next(same_as(right[1]), same_as(left[1]));
    return combine(Kind::before, first, second);
  }
  int64_t objs_per_room_;
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_PUT_NEXT_HPP_
